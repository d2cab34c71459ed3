/** Rows of the search results: a file, its lines and the lines around them. Pure. */
import type { CodeSearchFile, CodeSearchLine, ContextLine } from "@/lib/workspace/code-search";
import type { TreeRowShape } from "../ui/layout/tree-keys";

export type SearchRow = SearchFileRow | SearchLineRow | SearchContextRow;

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
  /** null = the search has no context. */
  readonly gutter: LineGutter | null;
}

/** A line near a match. */
export interface SearchContextRow {
  readonly kind: "context";
  readonly key: string;
  readonly path: string;
  readonly line: ContextLine;
  readonly gutter: LineGutter;
}

/** Layout of a line among lines of context. */
export interface LineGutter {
  /** Digits of the largest line number of the file. */
  readonly digits: number;
  /** Blanks that all lines of the block start with. */
  readonly indent: number;
  /** Whether lines are left out between this line and the row before. */
  readonly isAfterGap: boolean;
}

/** A line has at least one match, also if its mark was cut off. */
const matchesIn = ({ marks }: CodeSearchLine): number => Math.max(1, marks.length);

export const countFoundMatches = (files: readonly CodeSearchFile[]): number =>
  files.reduce((sum, { lines }) => sum + lines.reduce((inFile, line) => inFile + matchesIn(line), 0), 0);

export function buildSearchRows(
  files: readonly CodeSearchFile[],
  collapsed: ReadonlySet<string>,
  around = 0,
): readonly SearchRow[] {
  const rows: SearchRow[] = [];
  for (const file of files) {
    const { path, lines } = file;
    const isOpen = !collapsed.has(path);
    rows.push({ kind: "file", key: path, path, isOpen, matches: countFoundMatches([file]) });
    if (!isOpen) continue;
    if (around > 0) addLinesWithContext(rows, file, around);
    else for (const line of lines) rows.push({ kind: "line", key: lineKey(path, line), path, line, gutter: null });
  }
  return rows;
}

const lineKey = (path: string, { line }: Pick<CodeSearchLine, "line">): string => `${path}\n${line}`;

type ShownLine =
  | { readonly kind: "line"; readonly line: CodeSearchLine }
  | { readonly kind: "context"; readonly line: ContextLine };

/** Adds the lines of a file with those around them, in blocks of adjacent lines. */
function addLinesWithContext(rows: SearchRow[], file: CodeSearchFile, around: number): void {
  const { path } = file;
  const shown = mergeContext(file, around);
  const digits = String(shown.at(-1)?.line.line ?? 0).length;
  for (let from = 0, to = 0; from < shown.length; from = to) {
    to = from + 1;
    while (to < shown.length && (shown[to]?.line.line ?? 0) - (shown[to - 1]?.line.line ?? 0) === 1) to += 1;
    const block = shown.slice(from, to);
    const indent = commonIndent(block);
    for (const [index, one] of block.entries()) {
      const gutter = { digits, indent, isAfterGap: index === 0 && from > 0 };
      rows.push({ ...one, key: lineKey(path, one.line), path, gutter });
    }
  }
}

/** Returns the matching lines and the lines at most `around` lines away from one, in their order. */
function mergeContext({ lines, context = [] }: CodeSearchFile, around: number): readonly ShownLine[] {
  const merged: ShownLine[] = [];
  let next = 0;
  let last = Number.NEGATIVE_INFINITY;
  const addContextBefore = (number: number): void => {
    for (let one = context[next]; one !== undefined && one.line < number; one = context[++next])
      if (one.line - last <= around || number - one.line <= around) merged.push({ kind: "context", line: one });
  };
  for (const line of lines) {
    addContextBefore(line.line);
    merged.push({ kind: "line", line });
    last = line.line;
  }
  addContextBefore(Number.POSITIVE_INFINITY);
  return merged;
}

/** Blank lines, and lines whose start was cut, do not count. */
function commonIndent(block: readonly ShownLine[]): number {
  const indents = block.flatMap(({ kind, line }) =>
    line.text.trim() === "" || (kind === "line" && line.offset > 0) ? [] : [indentOf(line.text)],
  );
  return indents.length === 0 ? 0 : Math.min(...indents);
}

const indentOf = (text: string): number => text.length - text.trimStart().length;

/** Depth of a row for the keys of a tree; lines of context are passed over. */
export const shapeOfResult = (row: SearchRow): TreeRowShape =>
  row.kind === "file" ? { depth: 0, isOpen: row.isOpen } : { depth: 1, isPassed: row.kind === "context" };

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
/** The least of them, where the first match and its replacement together need the room. */
const previewLeadChars = 6;
/** Characters of a line that fit into a narrow pane. */
const previewChars = 26;
/** The same among lines of context, which have their indentation. */
const contextLeadChars = 24;

/**
 * Divides a line at its matches, without its indentation and with the text before the first match cut. With `replace`,
 * which returns the new text of a match by its index, each match is followed by its replacement. With `blockIndent`, only so
 * much of the indentation is left out.
 */
export function lineParts(
  { text, marks, offset, isCut }: CodeSearchLine,
  replace: ((index: number) => string) | null = null,
  blockIndent: number | null = null,
): readonly LinePart[] {
  const first = marks[0]?.[0] ?? 0;
  const indent = Math.min(first, blockIndent ?? indentOf(text));
  const changed = replace === null ? 0 : (marks[0]?.[1] ?? first) - first + (marks.length > 0 ? replace(0).length : 0);
  const narrowLead = Math.max(previewLeadChars, Math.min(leadChars, previewChars - changed));
  const lead = blockIndent === null ? narrowLead : contextLeadChars;
  const isFar = first - indent > lead;
  const start = isFar ? cutStart(text, first - lead, first) : indent;
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

/** Returns the first position from `at` that splits no Latin word, or if there is none before `end`, no character. */
function cutStart(text: string, at: number, end: number): number {
  const isInWord = /^\w\w/.test(text.slice(at - 1, at + 1));
  const [partOfWord = ""] = isInWord ? (/^\w+/.exec(text.slice(at, end)) ?? []) : [];
  const next = at + partOfWord.length;
  const start = next + indentOf(text.slice(next, end));
  if (at < start && start < end) return start;
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}
