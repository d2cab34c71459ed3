/** Rows of the search results: a file and its lines. Pure. */
import type { CodeSearchFile, CodeSearchLine } from "@/lib/workspace/code-search";

export type SearchRow = SearchFileRow | SearchLineRow;

export interface SearchFileRow {
  readonly kind: "file";
  readonly key: string;
  readonly path: string;
  readonly isOpen: boolean;
  /** Number of matches in it. */
  readonly matches: number;
}

export interface SearchLineRow {
  readonly kind: "line";
  readonly key: string;
  readonly path: string;
  readonly line: CodeSearchLine;
}

/** A line has at least one match, also if its mark was cut off. */
const matchesIn = ({ marks }: CodeSearchLine): number => Math.max(1, marks.length);

export const countFoundMatches = (files: readonly CodeSearchFile[]): number =>
  files.reduce((sum, { lines }) => sum + lines.reduce((inFile, line) => inFile + matchesIn(line), 0), 0);

export function buildSearchRows(
  files: readonly CodeSearchFile[],
  collapsed: ReadonlySet<string>,
): readonly SearchRow[] {
  const rows: SearchRow[] = [];
  for (const file of files) {
    const { path, lines } = file;
    const isOpen = !collapsed.has(path);
    rows.push({ kind: "file", key: path, path, isOpen, matches: countFoundMatches([file]) });
    if (isOpen) for (const line of lines) rows.push({ kind: "line", key: `${path}\n${line.line}`, path, line });
  }
  return rows;
}

type SearchMove =
  | { readonly kind: "focus"; readonly index: number }
  | { readonly kind: "open" | "close"; readonly path: string };

/** Returns the effect of a tree key at a row; null = none. */
export function moveInResults(rows: readonly SearchRow[], at: number, key: string): SearchMove | null {
  const row = rows[at];
  const focus = (index: number): SearchMove | null => (rows[index] === undefined ? null : { kind: "focus", index });
  if (row === undefined) return null;
  const { path } = row;
  switch (key) {
    case "ArrowDown":
      return focus(at + 1);
    case "ArrowUp":
      return focus(at - 1);
    case "Home":
      return focus(0);
    case "End":
      return focus(rows.length - 1);
    case "ArrowRight":
      if (row.kind === "line") return null;
      return row.isOpen ? focus(at + 1) : { kind: "open", path };
    case "ArrowLeft":
      if (row.kind === "line") return focus(rows.findIndex((one) => one.path === path));
      return row.isOpen ? { kind: "close", path } : null;
    default:
      return null;
  }
}

/** A part of a line that is drawn in one style. */
export interface LinePart {
  /** Position in the drawn text. */
  readonly from: number;
  readonly text: string;
  /** replaced = a match that has a replacement; replacement = what follows it. */
  readonly kind: "text" | "match" | "replaced" | "replacement";
}

/** Characters drawn before the first match; what is before is cut, so that the match is visible in a narrow pane. */
const leadChars = 14;
/** The same where replacements are drawn, which need the space. */
const previewLeadChars = 6;

/**
 * Divides a line at its matches, without its indentation and with the text before the first match cut. With `replace`,
 * which returns the new text of a match by its index, each match is followed by its replacement.
 */
export function lineParts(
  { text, marks, offset, isCut }: CodeSearchLine,
  replace: ((index: number) => string) | null = null,
): readonly LinePart[] {
  const first = marks[0]?.[0] ?? 0;
  const indent = Math.min(first, text.length - text.trimStart().length);
  const lead = replace === null ? leadChars : previewLeadChars;
  const isFar = first - indent > lead;
  const start = isFar ? wholeCharacter(text, first - lead) : indent;
  const parts: LinePart[] = [];
  let drawn = 0;
  const add = (part: string, kind: LinePart["kind"]): void => {
    if (part === "") return;
    parts.push({ from: drawn, text: part, kind });
    drawn += part.length;
  };
  if (isFar || offset > 0) add("…", "text");
  let at = start;
  for (const [index, [from, to]] of marks.entries()) {
    add(text.slice(at, from), "text");
    add(text.slice(from, to), replace === null ? "match" : "replaced");
    if (replace !== null) add(replace(index), "replacement");
    at = Math.max(at, to);
  }
  add(text.slice(at), "text");
  if (isCut) add("…", "text");
  return parts;
}

/** Returns the position, or the next one if it splits a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
