"use client";
/** Setting with a whole number within bounds. */
import { settingBounds } from "@/lib/settings/setting-bounds";
import { useFullMessages } from "../../messages/full-messages";
import { SettingField } from "./setting-field";
import { TextSetting } from "./text-setting";

interface NumberSettingProps {
  readonly name: keyof typeof settingBounds;
}

export function NumberSetting({ name }: NumberSettingProps) {
  const messages = useFullMessages();
  const { least, most } = settingBounds[name];
  return (
    <SettingField name={name}>
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
          onSave={(value) => save({ [name]: Number(value) })}
        />
      )}
    </SettingField>
  );
}
