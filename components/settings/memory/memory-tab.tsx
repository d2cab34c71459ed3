"use client";
/** Memory tab: the files that new sessions are given, the diary, and the text that results from them. */
import { useFullMessages } from "../../messages/full-messages";
import { SwitchSetting } from "../fields/switch-setting";
import { SettingGroup } from "../fields/setting-row";

export function MemoryTab() {
  const { memory: text } = useFullMessages();
  return (
    <SettingGroup title={text.title}>
      <SwitchSetting name="memory" />
      <SwitchSetting name="diary" />
    </SettingGroup>
  );
}
