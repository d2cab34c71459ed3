"use client";
/** Setting with a whole number within bounds. */
import { settingBounds, type Settings, settingsDefaults } from "@/lib/settings/settings";
import { useFullMessages } from "../../messages/full-messages";
import { SettingField } from "./setting-field";
import { TextSetting } from "./text-setting";

interface NumberSettingProps {
  readonly name: keyof typeof settingBounds;
  readonly label: string;
  readonly note: string;
}

export function NumberSetting({ name, label, note }: NumberSettingProps) {
  const messages = useFullMessages();
  const { least, most } = settingBounds[name];
  const patch = (value: number): Partial<Settings> => ({ [name]: value });
  return (
    <SettingField label={label} note={note} configKey={name} defaults={patch(settingsDefaults[name])}>
      {({ settings, save, labelId }) => (
        <TextSetting
          inputMode="numeric"
          value={String(settings[name])}
          labelId={labelId}
          problemOf={(value) =>
            /^-?\d{1,7}$/.test(value) && Number(value) >= least && Number(value) <= most
              ? null
              : messages.config.range(messages.figures.number(least), messages.figures.number(most))
          }
          normalize={(value) => String(Number(value))}
          onSave={(value) => save(patch(Number(value)))}
        />
      )}
    </SettingField>
  );
}
