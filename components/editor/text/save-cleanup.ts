/** Computes the changes that prepare a text for saving. Pure. */
import type { ChangeSpec, EditorState, Text } from "@codemirror/state";
import type { CleanupRules } from "./editor-options";
import type { SaveCause } from "../documents/open-documents";

/** An automatic save leaves white space before a caret, which the user may just have typed. */
export function findCleanups(state: EditorState, rules: CleanupRules, cause: SaveCause): readonly ChangeSpec[] {
  const changes: ChangeSpec[] = [];
  const caretLines = new Set(
    cause === "user" ? [] : state.selection.ranges.map(({ head }) => state.doc.lineAt(head).number),
  );
  let number = 0;
  let at = 0;
  for (const text of rules.trimsWhitespace ? state.doc.iterLines() : []) {
    number += 1;
    const { from, to } = findTrailingBlanks(text);
    if (from < to && !caretLines.has(number)) changes.push({ from: at + from, to: at + to });
    at += text.length + 1;
  }
  const last = state.doc.line(state.doc.lines).text;
  const lastLength = rules.trimsWhitespace ? findTrailingBlanks(last).from : last.length;
  if (rules.insertsFinalNewline && lastLength > 0) changes.push({ from: state.doc.length, insert: state.lineBreak });
  return changes;
}

/** Computes the changes that remove the carriage returns at the ends of lines, which a text with mixed line endings has. */
export function findCarriageReturns(doc: Text): readonly ChangeSpec[] {
  const changes: ChangeSpec[] = [];
  let at = 0;
  for (const text of doc.iterLines()) {
    const end = lengthWithoutReturns(text);
    if (end < text.length) changes.push({ from: at + end, to: at + text.length });
    at += text.length + 1;
  }
  return changes;
}

function lengthWithoutReturns(line: string): number {
  let end = line.length;
  while (line[end - 1] === "\r") end -= 1;
  return end;
}

/** Finds the blanks at the end of a line, before a carriage return. */
function findTrailingBlanks(line: string): { readonly from: number; readonly to: number } {
  const to = lengthWithoutReturns(line);
  let from = to;
  while (line[from - 1] === " " || line[from - 1] === "\t") from -= 1;
  return { from, to };
}
