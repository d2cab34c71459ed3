"use client";
/** Terminal tab: the shell of new terminals, and how terminals are drawn. */
import { useFullMessages } from "../messages/full-messages";
import { Setting } from "./fields/setting";
import { SettingGroup } from "./fields/setting-row";

export function TerminalTab() {
  const text = useFullMessages().settings.terminal;
  return (
    <>
      <SettingGroup title={text.shellTitle}>
        <Setting name="terminalShell" />
        <Setting name="terminalShellArguments" />
      </SettingGroup>
      <SettingGroup title={text.screenTitle}>
        <Setting name="terminalFontSize" />
        <Setting name="terminalScrollbackLines" />
        <Setting name="terminalCursor" />
        <Setting name="terminalCursorBlink" />
        <Setting name="terminalScreenReader" />
      </SettingGroup>
    </>
  );
}
