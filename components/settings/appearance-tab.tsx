"use client";
/** Appearance tab: theme and language. */
import { useFullMessages } from "../messages/full-messages";
import { Setting } from "./fields/setting";
import { SettingGroup } from "./fields/setting-row";

export function AppearanceTab() {
  const { settings, common } = useFullMessages();
  const text = settings.appearance;
  return (
    <SettingGroup title={text.title}>
      <Setting name="theme" />
      <Setting name="language" choices={{ ...common.language, system: text.systemLanguage }} />
    </SettingGroup>
  );
}
