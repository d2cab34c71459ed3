"use client";
/** Editor tab: how text is shown in the editor, and what saving does. */
import { whitespaceDisplays } from "@/lib/settings/setting-bounds";
import { autosaves, limits } from "@/lib/settings/settings";
import { Segmented } from "../ui/controls/segmented";
import { useFullMessages } from "../messages/full-messages";
import { ListSetting } from "./fields/list-setting";
import { NumberSetting } from "./fields/number-setting";
import { SettingField } from "./fields/setting-field";
import { SettingGroup } from "./fields/setting-row";
import { SwitchSetting } from "./fields/switch-setting";

const isColumn = (text: string): boolean => /^[1-9]\d{0,3}$/.test(text) && Number(text) <= limits.rulerColumn;

export function EditorTab() {
  const text = useFullMessages().settings.editor;
  return (
    <>
      <SettingGroup title={text.title}>
        <NumberSetting name="editorFontSize" />
        <SwitchSetting name="editorWrapLines" />
        <NumberSetting name="editorTabSize" />
        <SettingField name="editorRulers">
          {({ settings, save, labelId }) => (
            <ListSetting
              values={settings.editorRulers.map(String)}
              labelId={labelId}
              addLabel={text.addRuler}
              placeholder="80"
              isValid={isColumn}
              onSave={(values) => save({ editorRulers: values.map(Number).sort((one, other) => one - other) })}
            />
          )}
        </SettingField>
        <SwitchSetting name="editorStickyScroll" />
        <SettingField name="editorWhitespace">
          {({ settings, save }) => (
            <Segmented
              name={text.whitespace}
              value={settings.editorWhitespace}
              options={whitespaceDisplays.map((value) => ({ value, label: text.whitespaces[value] }))}
              onChange={(value) => save({ editorWhitespace: value })}
            />
          )}
        </SettingField>
      </SettingGroup>
      <SettingGroup title={text.saving}>
        <SettingField name="editorAutosave">
          {({ settings, save }) => (
            <Segmented
              name={text.autosave}
              value={settings.editorAutosave}
              options={autosaves.map((value) => ({ value, label: text.autosaves[value] }))}
              onChange={(value) => save({ editorAutosave: value })}
            />
          )}
        </SettingField>
        <SwitchSetting name="editorFormatOnSave" />
        <SwitchSetting name="editorTrimWhitespace" />
        <SwitchSetting name="editorFinalNewline" />
      </SettingGroup>
      <p className="text-ink-muted">{text.editorConfig}</p>
    </>
  );
}
