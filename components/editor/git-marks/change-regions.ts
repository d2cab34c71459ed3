/** Lines of a text that differ from the last commit, and the edit that reverts one of them. Pure. */
import type { ChangeSpec, Text } from "@codemirror/state";
import { Text as TextOfLines } from "@codemirror/state";
import { type DiffRegion, diffSequences, numberTexts } from "@/lib/text/myers";

/** Longer texts are not compared: they have no marks. */
export const maxComparedLines = 20_000;
/** Step budget of one comparison, about 20 ms; what differs more becomes one region. */
const maxSteps = 2_000_000;

export type ChangeKind = "added" | "changed" | "deleted";

/** Returns the regions that differ, by 0-based lines; `newEnd` and `oldEnd` are not included. */
export function findChangeRegions(committed: readonly string[], text: Text): readonly DiffRegion[] {
  if (Math.max(committed.length, text.lines) > maxComparedLines) return [];
  const lines = [...text.iterLines()];
  const least = Math.min(committed.length, lines.length);
  let head = 0;
  while (head < least && committed[head] === lines[head]) head += 1;
  let tail = 0;
  while (tail < least - head && committed.at(-1 - tail) === lines.at(-1 - tail)) tail += 1;
  const number = numberTexts();
  const before = number(committed.slice(head, committed.length - tail));
  const after = number(lines.slice(head, lines.length - tail));
  return diffSequences(before, after, { steps: maxSteps }).map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    oldStart: oldStart + head,
    oldEnd: oldEnd + head,
    newStart: newStart + head,
    newEnd: newEnd + head,
  }));
}

export const changeKind = ({ oldStart, oldEnd, newStart, newEnd }: DiffRegion): ChangeKind =>
  oldStart === oldEnd ? "added" : newStart === newEnd ? "deleted" : "changed";

/** The 1-based lines that have the mark of a region; a deletion is marked at the line before it. */
export function markedLines({ newStart, newEnd }: DiffRegion): readonly number[] {
  if (newStart === newEnd) return [Math.max(1, newStart)];
  return Array.from({ length: newEnd - newStart }, (_, index) => newStart + index + 1);
}

/** Returns the edit that restores the committed lines of a region. */
export function revertRegion(text: Text, region: DiffRegion, committed: readonly string[]): ChangeSpec {
  const { newStart, newEnd } = region;
  const old = committed.slice(region.oldStart, region.oldEnd);
  if (old.length > 0 && newEnd > newStart)
    return { from: text.line(newStart + 1).from, to: text.line(newEnd).to, insert: TextOfLines.of(old) };
  const isAtEnd = newEnd === text.lines;
  if (old.length === 0) {
    // A line is removed with the break after it, the last one with the break before it.
    const from = isAtEnd && newStart > 0 ? text.line(newStart).to : text.line(newStart + 1).from;
    return { from, to: isAtEnd ? text.length : text.line(newEnd + 1).from };
  }
  return isAtEnd
    ? { from: text.length, insert: TextOfLines.of(["", ...old]) }
    : { from: text.line(newStart + 1).from, insert: TextOfLines.of([...old, ""]) };
}
