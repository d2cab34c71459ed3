"use client";
/** Temperature of the Ollama models; an empty field uses each model's own. */
import { useFullMessages } from "../../messages/full-messages";
import { parseTemperature } from "../connections/connection-draft";
import { SettingField } from "../fields/setting-field";
import { TextSetting } from "../fields/text-setting";

export function TemperatureSetting() {
  const messages = useFullMessages();
  const text = messages.settings.model;
  return (
    <SettingField name="temperature">
      {({ settings, save, labelId }) => (
        <TextSetting
          inputMode="decimal"
          value={settings.temperature === null ? "" : String(settings.temperature)}
          placeholder={text.automatic}
          labelId={labelId}
          problemOf={(value) => (parseTemperature(value) === null ? messages.connectionSettings.temperatureBad : null)}
          onSave={(value) => save({ temperature: parseTemperature(value) ?? null })}
        />
      )}
    </SettingField>
  );
}
