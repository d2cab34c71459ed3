"use client";
/** Appearance tab: theme, language, send key. */
import { languages, settingsDefaults, themes } from "@/lib/settings";
import { Segmented } from "../ui/segmented";
import { useFullWords } from "../words/full-words";
import { SettingField, SettingGroup } from "./setting-field";

const sendKeys = ["enter", "mod-enter"] as const;

export function AppearanceTab() {
  const words = useFullWords();
  const text = words.settings.appearance;
  return (
    <SettingGroup title={text.title}>
      <SettingField label={text.theme} defaults={{ theme: settingsDefaults.theme }}>
        {({ settings, save }) => (
          <Segmented
            name={text.theme}
            value={settings.theme}
            options={themes.map((theme) => ({ value: theme, label: text.themes[theme] }))}
            onChange={(theme) => save({ theme })}
          />
        )}
      </SettingField>
      <SettingField label={text.language} defaults={{ language: settingsDefaults.language }}>
        {({ settings, save }) => (
          <Segmented
            name={text.language}
            value={settings.language}
            options={languages.map((language) => ({
              value: language,
              label: language === "system" ? text.systemLanguage : words.common.language[language],
            }))}
            onChange={(language) => save({ language })}
          />
        )}
      </SettingField>
      <SettingField label={text.sendKey} note={text.sendKeyNote} defaults={{ sendKey: settingsDefaults.sendKey }}>
        {({ settings, save }) => (
          <Segmented
            name={text.sendKey}
            value={settings.sendKey}
            options={sendKeys.map((key) => ({ value: key, label: text.sendKeys[key] }))}
            onChange={(sendKey) => save({ sendKey })}
          />
        )}
      </SettingField>
    </SettingGroup>
  );
}
