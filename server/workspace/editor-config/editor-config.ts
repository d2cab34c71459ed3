/** Parses `.editorconfig` files and derives how one file is written. Pure. */
import type { FileStyle } from "@/lib/workspace/file-style";
import { makeEditorConfigGlob } from "./editor-config-glob";

interface EditorConfig {
  /** Files of the folders above have no effect. */
  readonly isRoot: boolean;
  /** In the order of the file; later ones override earlier ones. */
  readonly sections: readonly { readonly matches: (path: string) => boolean; readonly pairs: readonly Pair[] }[];
}

type Pair = readonly [key: string, value: string];

/** Parses the text of a file; lines that are no section, pair or comment have no effect. */
export function parseEditorConfig(text: string): EditorConfig {
  const sections: { readonly matches: (path: string) => boolean; readonly pairs: Pair[] }[] = [];
  let isRoot = false;
  for (const raw of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const line = raw.trim();
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    if (line.startsWith("[") && line.endsWith("]")) {
      sections.push({ matches: makeEditorConfigGlob(line.slice(1, -1)), pairs: [] });
      continue;
    }
    const at = line.indexOf("=");
    if (at < 0) continue;
    const key = line.slice(0, at).trim().toLowerCase();
    const value = line
      .slice(at + 1)
      .trim()
      .toLowerCase();
    const section = sections.at(-1);
    if (section !== undefined) section.pairs.push([key, value]);
    else if (key === "root") isRoot = value === "true";
  }
  return { isRoot, sections };
}

/**
 * Derives the style of a file. `files` are the parsed files, the nearest folder first, each with the path of the file
 * relative to it.
 */
export function readFileStyle(files: readonly { readonly config: EditorConfig; readonly path: string }[]): FileStyle {
  const rootAt = files.findIndex(({ config }) => config.isRoot);
  const used = rootAt < 0 ? files : files.slice(0, rootAt + 1);
  const pairs = used
    .toReversed()
    .flatMap(({ config, path }) => config.sections.filter(({ matches }) => matches(path)).flatMap((one) => one.pairs));
  return toFileStyle(new Map(pairs));
}

function toFileStyle(values: ReadonlyMap<string, string>): FileStyle {
  const style = values.get("indent_style");
  const end = values.get("end_of_line");
  const size = toColumns(values.get("indent_size"));
  const tabWidth = toColumns(values.get("tab_width")) ?? size;
  const indentSize = size ?? (style === "tab" || values.get("indent_size") === "tab" ? tabWidth : undefined);
  const maxLineLength = toColumns(values.get("max_line_length"));
  const trimsWhitespace = toBoolean(values.get("trim_trailing_whitespace"));
  const insertsFinalNewline = toBoolean(values.get("insert_final_newline"));
  return {
    ...((style === "tab" || style === "space") && { indentStyle: style }),
    ...(indentSize !== undefined && { indentSize }),
    ...(tabWidth !== undefined && { tabWidth }),
    ...((end === "lf" || end === "crlf") && { lineEnding: end === "lf" ? "\n" : "\r\n" }),
    ...(trimsWhitespace !== undefined && { trimsWhitespace }),
    ...(insertsFinalNewline !== undefined && { insertsFinalNewline }),
    ...(maxLineLength !== undefined && { maxLineLength }),
  };
}

const maxColumns = 1_000;

/** A positive integer; `tab`, `off`, `unset` and anything else are undefined. */
function toColumns(value: string | undefined): number | undefined {
  const columns = value !== undefined && /^\d{1,4}$/.test(value) ? Number(value) : 0;
  return columns >= 1 && columns <= maxColumns ? columns : undefined;
}

const toBoolean = (value: string | undefined): boolean | undefined =>
  value === "true" ? true : value === "false" ? false : undefined;
