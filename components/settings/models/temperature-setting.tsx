"use client";
/** Temperature of the Ollama models; an empty field uses each model's own. */
import { settingsDefaults } from "@/lib/settings";
import { useFullWords } from "../../words/full-words";
import { temperatureOf } from "../connections/connection-draft";
import { SettingField } from "../setting-field";
import { TextSetting } from "../text-setting";

export function TemperatureSetting() {
  const words = useFullWords();
  const text = words.settings.model;
  return (
    <SettingField
      label={words.connections.temperature}
      note={text.temperatureNote}
      configKey="temperature"
      defaults={{ temperature: settingsDefaults.temperature }}
    >
      {({ settings, save, labelId }) => (
        <TextSetting
          inputMode="decimal"
          value={settings.temperature === null ? "" : String(settings.temperature)}
          placeholder={text.automatic}
          labelId={labelId}
          problemOf={(value) => (temperatureOf(value) === null ? words.connections.temperatureBad : null)}
          onSave={(value) => save({ temperature: temperatureOf(value) ?? null })}
        />
      )}
    </SettingField>
  );
}
