/** Derives the options of the editor and of saving from the settings and from the file's `.editorconfig`, which wins. Pure. */
import type { FileStyle } from "@/lib/workspace/file-style";
import type { Settings } from "@/lib/settings/settings";
import type { Indentation } from "../../state/workbench/component-handles";

export interface EditorOptions {
  /** px */
  readonly fontSize: number;
  readonly wrapsLines: boolean;
  /** Columns of a tab character. */
  readonly tabWidth: number;
  readonly indentation: Indentation;
  /** Columns of the vertical lines. */
  readonly rulers: readonly number[];
  readonly hasStickyScroll: boolean;
  readonly whitespace: Settings["editorWhitespace"];
  readonly cleanup: CleanupRules;
}

/** Changes that saving makes in the text. */
export interface CleanupRules {
  readonly trimsWhitespace: boolean;
  readonly insertsFinalNewline: boolean;
  /** Absent = the text keeps its line endings. */
  readonly lineEnding?: FileStyle["lineEnding"];
}

export type EditorSettings = Pick<Settings, Extract<keyof Settings, `editor${string}`>>;

/** Detects the indentation from the first indented lines: tab, four or two spaces; null = there is none. */
export function detectIndentation(text: string): Indentation | null {
  const indents = text.slice(0, 20_000).match(/^(?:\t+|(?: {2,8})(?=\S))/gm) ?? [];
  if (indents.length === 0) return null;
  const tabs = indents.filter((indent) => indent.startsWith("\t")).length;
  if (tabs * 2 > indents.length) return "tab";
  const spaces = indents.filter((indent) => !indent.startsWith("\t")).map((indent) => indent.length);
  const isFour = spaces.filter((count) => count % 4 === 0).length * 10 >= spaces.length * 9;
  return isFour ? 4 : 2;
}

/** `detected` = the indentation of the text itself. */
export function resolveOptions(
  settings: EditorSettings,
  style: FileStyle,
  detected: Indentation | null,
): EditorOptions {
  return {
    fontSize: settings.editorFontSize,
    wrapsLines: settings.editorWrapLines,
    tabWidth: style.tabWidth ?? settings.editorTabSize,
    indentation: resolveIndentation(settings.editorTabSize, style, detected),
    rulers: style.maxLineLength === undefined ? settings.editorRulers : [style.maxLineLength],
    hasStickyScroll: settings.editorStickyScroll,
    whitespace: settings.editorWhitespace,
    cleanup: {
      trimsWhitespace: style.trimsWhitespace ?? settings.editorTrimWhitespace,
      insertsFinalNewline: style.insertsFinalNewline ?? settings.editorFinalNewline,
      lineEnding: style.lineEnding,
    },
  };
}

function resolveIndentation(tabSize: number, style: FileStyle, detected: Indentation | null): Indentation {
  const { indentStyle = detected === "tab" ? "tab" : "space", indentSize } = style;
  if (indentStyle === "tab") return "tab";
  return indentSize ?? (detected === null || detected === "tab" ? tabSize : detected);
}
