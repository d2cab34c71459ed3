"use client";
/** Appearance tab: theme, language, send key. */
import { languages, themes } from "@/lib/settings/settings";
import { Segmented } from "../ui/controls/segmented";
import { useFullMessages } from "../messages/full-messages";
import { SettingField } from "./fields/setting-field";
import { SettingGroup } from "./fields/setting-row";

const sendKeys = ["enter", "mod-enter"] as const;

export function AppearanceTab() {
  const messages = useFullMessages();
  const text = messages.settings.appearance;
  return (
    <SettingGroup title={text.title}>
      <SettingField name="theme">
        {({ settings, save }) => (
          <Segmented
            name={text.theme}
            value={settings.theme}
            options={themes.map((theme) => ({ value: theme, label: text.themes[theme] }))}
            onChange={(theme) => save({ theme })}
          />
        )}
      </SettingField>
      <SettingField name="language">
        {({ settings, save }) => (
          <Segmented
            name={text.language}
            value={settings.language}
            options={languages.map((language) => ({
              value: language,
              label: language === "system" ? text.systemLanguage : messages.common.language[language],
            }))}
            onChange={(language) => save({ language })}
          />
        )}
      </SettingField>
      <SettingField name="sendKey">
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
