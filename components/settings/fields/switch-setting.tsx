"use client";
/** A setting that is on or off. */
import type { Settings } from "@/lib/settings/settings";
import { Switch } from "../../ui/controls/switch";
import { SettingField } from "./setting-field";

/** Names of the settings with these values. */
type NamesOf<Value> = { [Name in keyof Settings]: Settings[Name] extends Value ? Name : never }[keyof Settings];

interface SwitchSettingProps {
  readonly name: NamesOf<boolean>;
  /** Called with the new state when the user changes it. */
  readonly onChange?: (on: boolean) => void;
}

export function SwitchSetting({ name, onChange }: SwitchSettingProps) {
  return (
    <SettingField name={name}>
      {({ settings, save, labelId }) => (
        <Switch
          aria-labelledby={labelId}
          on={settings[name]}
          onChange={(on) => {
            save({ [name]: on });
            onChange?.(on);
          }}
        />
      )}
    </SettingField>
  );
}
