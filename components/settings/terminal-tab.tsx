"use client";
/** Terminal tab: the shell of new terminals, and how terminals are drawn. */
import { cursorStyles } from "@/lib/settings/settings";
import { Segmented } from "../ui/controls/segmented";
import { useFullMessages } from "../messages/full-messages";
import { ListSetting } from "./fields/list-setting";
import { NumberSetting } from "./fields/number-setting";
import { SettingField } from "./fields/setting-field";
import { SettingGroup } from "./fields/setting-row";
import { SwitchSetting } from "./fields/switch-setting";
import { TextSetting } from "./fields/text-setting";

const argumentMaxChars = 200;

export function TerminalTab() {
  const text = useFullMessages().settings.terminal;
  return (
    <>
      <SettingGroup title={text.shellTitle}>
        <SettingField name="terminalShell">
          {({ settings, save, labelId }) => (
            <TextSetting
              mono
              value={settings.terminalShell}
              labelId={labelId}
              placeholder={text.shellPlaceholder}
              problemOf={(path) => (path === "" || path.startsWith("/") ? null : text.shellBad)}
              onSave={(path) => save({ terminalShell: path })}
            />
          )}
        </SettingField>
        <SettingField name="terminalShellArguments">
          {({ settings, save, labelId }) => (
            <ListSetting
              values={settings.terminalShellArguments}
              labelId={labelId}
              addLabel={text.addArgument}
              placeholder={text.argumentPlaceholder}
              isValid={(argument) => argument.length <= argumentMaxChars}
              onSave={(values) => save({ terminalShellArguments: values })}
            />
          )}
        </SettingField>
      </SettingGroup>
      <SettingGroup title={text.screenTitle}>
        <NumberSetting name="terminalFontSize" />
        <NumberSetting name="terminalScrollbackLines" />
        <SettingField name="terminalCursor">
          {({ settings, save }) => (
            <Segmented
              name={text.cursor}
              value={settings.terminalCursor}
              options={cursorStyles.map((value) => ({ value, label: text.cursors[value] }))}
              onChange={(value) => save({ terminalCursor: value })}
            />
          )}
        </SettingField>
        <SwitchSetting name="terminalCursorBlink" />
        <SwitchSetting name="terminalScreenReader" />
      </SettingGroup>
    </>
  );
}
