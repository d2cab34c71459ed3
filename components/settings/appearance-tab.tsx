"use client";
/** Appearance tab: colours, text size, density, font of code, language. */
import { useFullMessages } from "../messages/full-messages";
import { Setting } from "./fields/setting";
import { SettingField } from "./fields/setting-field";
import { SettingGroup } from "./fields/setting-row";
import { ThemeChoice } from "./theme-choice";

export function AppearanceTab() {
  const { settings, common } = useFullMessages();
  const text = settings.appearance;
  return (
    <SettingGroup title={text.title}>
      <SettingField name="theme" isWide>
        {({ settings: { theme }, save }) => <ThemeChoice value={theme} onChange={(next) => save({ theme: next })} />}
      </SettingField>
      <Setting name="textSize" />
      <Setting name="density" />
      <Setting name="codeFont" />
      <Setting name="language" choices={{ ...common.language, system: text.systemLanguage }} />
    </SettingGroup>
  );
}
