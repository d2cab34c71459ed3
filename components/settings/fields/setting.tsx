"use client";
/** A setting with the control that its allowed values need. */
import { parseTemperature } from "@/lib/settings/model-settings";
import { formatConfigKey } from "@/lib/settings/config-keys";
import { settingTable } from "@/lib/settings/setting-table";
import type { SettingName } from "@/lib/settings/settings";
import { Segmented } from "../../ui/controls/segmented";
import { Switch } from "../../ui/controls/switch";
import { useFullMessages } from "../../messages/full-messages";
import { Disclosure } from "../item-section/disclosure";
import { useSettingsHash } from "../item-section/open-item";
import { settingText } from "./setting-list";
import { ListSetting } from "./list-setting";
import { SettingField } from "./setting-field";
import { TextSetting } from "./text-setting";

interface SettingProps {
  readonly name: SettingName;
  readonly isWide?: boolean;
  /** Folds the values of a list, until the URL's hash names it. */
  readonly isFolded?: boolean;
  /** Replaces the labels of a choice. */
  readonly choices?: Readonly<Record<string, string>>;
  /** Replaces the example in the empty field of a text. */
  readonly example?: string;
  /** Called with the new state of a switch when the user changes it. */
  readonly onSwitch?: (on: boolean) => void;
}

export function Setting({ name, isWide, isFolded = false, choices, example, onSwitch }: SettingProps) {
  const messages = useFullMessages();
  const text = settingText(messages, name);
  const { allowed, accepts } = settingTable[name];
  const isNamed = useSettingsHash() === formatConfigKey(name);
  return (
    <SettingField name={name} isWide={isWide ?? isFolded}>
      {({ settings, save, labelId }) => {
        const value = settings[name];
        const set = (next: unknown): Promise<void> => save({ [name]: next });
        const field = { labelId, value: String(value ?? "") };
        switch (allowed.kind) {
          case "boolean": {
            const change = (on: boolean): void => {
              void set(on);
              onSwitch?.(on);
            };
            return <Switch aria-labelledby={labelId} on={value === true} onChange={change} />;
          }
          case "choice": {
            const options = allowed.values.map((one) => ({
              value: one,
              label: (choices ?? text.choices)?.[one] ?? one,
            }));
            return (
              <Segmented
                name={text.label}
                value={String(value)}
                options={options}
                onChange={(next) => void set(next)}
              />
            );
          }
          case "list":
          case "integers": {
            const values = Array.isArray(value) ? value.map(String) : [];
            const list = { values, labelId, addLabel: text.add ?? "", placeholder: text.example ?? text.add ?? "" };
            if (allowed.kind === "list") {
              const control = <ListSetting {...list} items={allowed.items} isValid={allowed.isItem} onSave={set} />;
              if (!isFolded) return control;
              return (
                <Disclosure title={messages.settings.entries(values.length)} isOpen={isNamed}>
                  {control}
                </Disclosure>
              );
            }
            const isColumn = (typed: string): boolean => /^[1-9]\d*$/.test(typed) && accepts([Number(typed)]);
            const setNumbers = (next: string[]): Promise<void> =>
              set(next.map(Number).sort((one, other) => one - other));
            return <ListSetting {...list} items="words" isValid={isColumn} onSave={setNumbers} />;
          }
          case "integer": {
            const isInRange = (typed: string): boolean => /^-?\d{1,7}$/.test(typed) && accepts(Number(typed));
            const range = [allowed.least, allowed.most].map((bound) => messages.figures.number(bound));
            return (
              <TextSetting
                {...field}
                inputMode="numeric"
                problemOf={(typed) => (isInRange(typed) ? null : messages.config.range(range[0] ?? "", range[1] ?? ""))}
                normalize={(typed) => String(Number(typed))}
                onSave={(typed) => void set(Number(typed))}
              />
            );
          }
          case "temperature":
            return (
              <TextSetting
                {...field}
                inputMode="decimal"
                placeholder={text.example}
                problemOf={(typed) => (parseTemperature(typed) === null ? (text.bad?.(typed) ?? null) : null)}
                onSave={(typed) => void set(parseTemperature(typed) ?? null)}
              />
            );
          default:
            return (
              <TextSetting
                {...field}
                mono
                inputMode={allowed.kind === "address" ? "url" : "text"}
                placeholder={example ?? text.example}
                problemOf={(typed) => (accepts(typed) ? null : (text.bad?.(typed) ?? null))}
                onSave={(typed) => void set(typed)}
              />
            );
        }
      }}
    </SettingField>
  );
}
