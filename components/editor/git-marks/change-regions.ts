/** Lines of a text that differ from the last commit, and the edit that reverts one of them. Pure. */
import type { ChangeSpec, Text } from "@codemirror/state";
import { Text as TextOfLines } from "@codemirror/state";
import { runSteps } from "@/lib/async/steps";
import { type DiffRegion, diffFileLinesSteps } from "@/lib/text/myers";

/** Longer texts are not compared: they have no marks. */
export const maxComparedLines = 20_000;
/** Step budget of one comparison, about 20 ms; what differs more becomes one region. */
const maxSteps = 2_000_000;

export type ChangeKind = "added" | "changed" | "deleted";

/** Returns the regions that differ, by 0-based lines; `newEnd` and `oldEnd` are not included. */
export function findChangeRegions(committed: readonly string[], text: Text): readonly DiffRegion[] {
  if (Math.max(committed.length, text.lines) > maxComparedLines) return [];
  return runSteps(diffFileLinesSteps(committed, [...text.iterLines()], { steps: maxSteps }));
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
