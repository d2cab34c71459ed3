"use client";
/** Options of one model other than its window, with their keys in `models.yaml`. Saved at once. */
import { type ReactNode, useId } from "react";
import type { CommandInput } from "@/lib/protocol/command";
import { formatConfigValue } from "@/lib/settings/config-keys";
import { modelSettingTable, parseTemperature, type ModelSettingName } from "@/lib/settings/model-settings";
import type { ModelNote } from "@/lib/models/models";
import { thinkLevels } from "@/lib/models/thinking";
import { Segmented } from "../../ui/controls/segmented";
import { Select } from "../../ui/controls/select";
import { useFullMessages } from "../../messages/full-messages";
import { SettingGroup } from "../fields/setting-row";
import { TextSetting } from "../fields/text-setting";
import { settingText } from "../fields/setting-list";

const toolModes = ["auto", "native", "react", "xml"] as const;
const profiles = ["auto", "small", "default", "full"] as const;
const keepThinkingOptions = ["auto", true, false] as const;
const thinkOptions = ["auto", true, false, ...thinkLevels] as const;

/** Pending change, shown as if it were already saved. */
export type PendingModelOptions = Omit<CommandInput<"models.choose">, "model" | "connection">;

interface ModelOptionSettingsProps {
  readonly note: ModelNote | undefined;
  readonly pending: PendingModelOptions;
  /** Only Ollama has windows chosen by memory use. */
  readonly isOllama: boolean;
  /** Its server unloads the model after a time that gopi-web names. */
  readonly isUnloaded: boolean;
  readonly onChoose: (pending: PendingModelOptions) => void;
}

export function ModelOptionSettings({ note, pending, isOllama, isUnloaded, onChoose }: ModelOptionSettingsProps) {
  const messages = useFullMessages();
  const text = messages.settings.models;
  const learned = note?.toolMode;
  const think = pending.think ?? note?.think ?? "auto";
  return (
    <SettingGroup title={text.how}>
      <OptionRow
        name="toolMode"
        label={text.toolMode}
        note={learned?.by === "server" ? text.toolModeServer : text.toolModeNote}
      >
        {() => (
          <Segmented
            name={text.toolMode}
            value={pending.toolMode ?? (learned?.by === "user" ? learned.mode : "auto")}
            options={toolModes.map((mode) => ({ value: mode, label: text.toolModes[mode] }))}
            onChange={(toolMode) => onChoose({ toolMode })}
          />
        )}
      </OptionRow>
      <OptionRow name="profile" label={text.profile} note={text.profileNote}>
        {() => (
          <Segmented
            name={text.profile}
            value={pending.profile ?? note?.profile ?? "auto"}
            options={profiles.map((profile) => ({ value: profile, label: text.profiles[profile] }))}
            onChange={(profile) => onChoose({ profile })}
          />
        )}
      </OptionRow>
      <OptionRow name="think" label={text.think} note={text.thinkOptionNote}>
        {(labelId) => (
          <Select
            className="w-full"
            aria-labelledby={labelId}
            value={String(think)}
            options={thinkOptions.map((value) => ({ value: String(value), label: text.thinkOptions[`${value}`] }))}
            onChange={(chosen) => onChoose({ think: thinkOptions.find((value) => String(value) === chosen) ?? "auto" })}
          />
        )}
      </OptionRow>
      {!isOllama && (
        <OptionRow name="keepThinking" label={text.keepThinking} note={text.keepThinkingNote}>
          {() => (
            <Segmented
              name={text.keepThinking}
              value={String(pending.keepThinking ?? note?.keepThinking ?? "auto")}
              options={keepThinkingOptions.map((value) => ({
                value: String(value),
                label: text.thinkOptions[`${value}`],
              }))}
              onChange={(chosen) =>
                onChoose({ keepThinking: keepThinkingOptions.find((value) => String(value) === chosen) ?? "auto" })
              }
            />
          )}
        </OptionRow>
      )}
      <NumberOptions note={note} isOllama={isOllama} isUnloaded={isUnloaded} onChoose={onChoose} />
    </SettingGroup>
  );
}

/** Parses a duration in minutes: "90" and "90m" are minutes, "2h" hours, "-1" never unloads; null = invalid. */
function parseMinutes(text: string): number | null {
  const [, count, unit] = /^(-1|\d{1,4})\s*([mh]?)$/.exec(text.trim()) ?? [];
  const minutes = count === undefined ? Number.NaN : Number(count) * (unit === "h" ? 60 : 1);
  const { least, most } = modelSettingTable.keepAliveMinutes.wanted;
  return minutes >= least && minutes <= most ? minutes : null;
}

/** An empty field means automatic. */
function NumberOptions({ note, isOllama, isUnloaded, onChoose }: Omit<ModelOptionSettingsProps, "pending">) {
  const messages = useFullMessages();
  const text = messages.settings.models;
  const { automatic } = messages.settings.model;
  const minutes = note?.keepAliveMinutes;
  return (
    <>
      <OptionRow name="temperature" label={messages.connectionSettings.temperature} note={text.temperatureNote}>
        {(labelId) => (
          <TextSetting
            inputMode="decimal"
            value={note?.temperature === undefined ? "" : String(note.temperature)}
            placeholder={automatic}
            labelId={labelId}
            problemOf={(value) =>
              parseTemperature(value) === null ? messages.connectionSettings.temperatureBad : null
            }
            onSave={(value) => onChoose({ temperature: parseTemperature(value) ?? "auto" })}
          />
        )}
      </OptionRow>
      {!isOllama && (
        <TokensRow
          name="numCtx"
          label={messages.connectionSettings.window}
          note={text.windowNotePlain}
          value={note?.numCtx}
          onSave={(tokens) => onChoose({ numCtx: tokens ?? 0 })}
        />
      )}
      <TokensRow
        name="maxOutputTokens"
        label={text.maxOutput}
        note={text.maxOutputNote}
        value={note?.maxOutputTokens}
        onSave={(tokens) => onChoose({ maxOutputTokens: tokens ?? "auto" })}
      />
      {isUnloaded && (
        <OptionRow
          name="keepAliveMinutes"
          label={settingText(messages, "keepAliveMinutes").label}
          note={text.keepAliveNote}
        >
          {(labelId) => (
            <TextSetting
              value={minutes === undefined ? "" : formatConfigValue("keepAliveMinutes", minutes)}
              placeholder={automatic}
              labelId={labelId}
              problemOf={(value) => (value === "" || parseMinutes(value) !== null ? null : text.keepAliveBad)}
              onSave={(value) => onChoose({ keepAliveMinutes: parseMinutes(value) ?? "auto" })}
            />
          )}
        </OptionRow>
      )}
    </>
  );
}

interface TokensRowProps {
  readonly name: "numCtx" | "maxOutputTokens";
  readonly label: string;
  readonly note: string;
  readonly value: number | undefined;
  readonly onSave: (tokens: number | undefined) => void;
}

function TokensRow({ name, label, note, value, onSave }: TokensRowProps) {
  const messages = useFullMessages();
  const { least, most } = modelSettingTable[name].wanted;
  return (
    <OptionRow name={name} label={label} note={note}>
      {(labelId) => (
        <TextSetting
          inputMode="numeric"
          value={value === undefined ? "" : String(value)}
          placeholder={messages.settings.model.automatic}
          labelId={labelId}
          problemOf={(text) =>
            text === "" || (/^\d{1,7}$/.test(text) && Number(text) >= least && Number(text) <= most)
              ? null
              : messages.config.range(messages.figures.number(least), messages.figures.number(most))
          }
          onSave={(text) => onSave(text === "" ? undefined : Number(text))}
        />
      )}
    </OptionRow>
  );
}

interface OptionRowProps {
  readonly name: ModelSettingName;
  readonly label: string;
  readonly note: string;
  readonly children: (labelId: string) => ReactNode;
}

function OptionRow({ name, label, note, children }: OptionRowProps) {
  const labelId = useId();
  return (
    <div className="grid items-start gap-x-6 gap-y-2 py-4 tablet:grid-cols-[1fr_auto]">
      <div className="min-w-0">
        <p>
          <span id={labelId} className="font-medium">
            {label}
          </span>
          <code className="ml-2 font-mono text-small text-ink-muted max-tablet:hidden">
            {modelSettingTable[name].key}
          </code>
        </p>
        <p className="max-w-[56ch] text-ink-muted">{note}</p>
      </div>
      <div className="tablet:flex tablet:w-64 tablet:justify-end">{children(labelId)}</div>
    </div>
  );
}
