"use client";
/** Editor tab: how text is shown in the editor, and what saving does. */
import { useFullMessages } from "../messages/full-messages";
import { Setting } from "./fields/setting";
import { SettingGroup } from "./fields/setting-row";

export function EditorTab() {
  const text = useFullMessages().settings.editor;
  return (
    <>
      <SettingGroup title={text.title}>
        <Setting name="editorFontSize" />
        <Setting name="editorWrapLines" />
        <Setting name="editorTabSize" />
        <Setting name="editorRulers" />
        <Setting name="editorStickyScroll" />
        <Setting name="editorWhitespace" />
        <Setting name="editorFileIcons" />
        <Setting name="editorKeymap" />
      </SettingGroup>
      <SettingGroup title={text.saving}>
        <Setting name="editorAutosave" />
        <Setting name="editorFormatOnSave" />
        <Setting name="editorTrimWhitespace" />
        <Setting name="editorFinalNewline" />
      </SettingGroup>
      <p className="text-ink-muted">{text.editorConfig}</p>
    </>
  );
}
