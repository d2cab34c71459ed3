/** Finds the lines of hunks under review in an open text, which may have changes that are not on the disk. Pure. */
import { runSteps } from "../async/steps";
import type { Hunk } from "../text/diff";
import { diffFileLinesSteps } from "../text/myers";

/** Lines are numbers from 1. */
export interface HunkPlace {
  /** Lines that the agent wrote. */
  readonly added: readonly number[];
  /** Lines after which it removed some and wrote none; 0 = before the first line. */
  readonly removedAfter: readonly number[];
  /** The lines after which its changes begin and end; 0 = before the first line. */
  readonly start: number;
  readonly end: number;
}

/** Step budget of the comparison with the disk, about 20 ms; what differs more has no places. */
const maxSteps = 2_000_000;

/**
 * Returns the place of each hunk in the lines of a text that is based on `disk`; null = the disk does not have the hunk's
 * lines, or has them elsewhere and more than once. A hunk that was moved since is found at its new place.
 */
export function findHunkPlaces(
  hunks: readonly Hunk[],
  disk: string,
  shown: readonly string[],
): readonly (HunkPlace | null)[] {
  const lines = disk.split("\n").map(withoutReturn);
  const toShown = mapLines(lines, shown.map(withoutReturn));
  const find = createFinder(lines);
  let shift = 0;
  return hunks.map((hunk) => {
    const start = find(hunk, shift);
    if (start === null) return null;
    shift = start - hunk.newStart;
    return placeHunk(hunk, shift, toShown);
  });
}

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);

/** Returns a function that returns the line at which the hunk starts: where it is expected, or its only other place. */
function createFinder(disk: readonly string[]): (hunk: Hunk, shift: number) => number | null {
  let index: Map<string, number[]> | undefined;
  return ({ lines, newStart }, shift) => {
    const texts = lines.flatMap(({ kind, text }) => (kind === "remove" ? [] : [withoutReturn(text)]));
    const isAt = (line: number): boolean => texts.every((text, offset) => disk[line - 1 + offset] === text);
    const [first] = texts;
    if (first === undefined) return disk.join("") === "" ? newStart : null;
    if (isAt(newStart + shift)) return newStart + shift;
    index ??= indexLines(disk);
    const found = (index.get(first) ?? []).filter(isAt);
    return found.length === 1 ? (found[0] ?? null) : null;
  };
}

function indexLines(lines: readonly string[]): Map<string, number[]> {
  const index = new Map<string, number[]>();
  for (const [at, text] of lines.entries()) {
    const listed = index.get(text);
    if (listed === undefined) index.set(text, [at + 1]);
    else listed.push(at + 1);
  }
  return index;
}

/** Returns a function from a line of the one text to that of the other; null = it was changed or removed. */
function mapLines(from: readonly string[], to: readonly string[]): (line: number) => number | null {
  const regions = runSteps(diffFileLinesSteps(from, to, { steps: maxSteps }));
  return (line) => {
    const last = regions.findLast(({ oldStart }) => oldStart < line);
    if (last === undefined) return line;
    return line <= last.oldEnd ? null : line - last.oldEnd + last.newEnd;
  };
}

function placeHunk({ lines, newStart, newLines }: Hunk, shift: number, toShown: (line: number) => number | null) {
  const added: number[] = [];
  const removedAfter: number[] = [];
  let onDisk = newStart + shift - (newLines > 0 ? 1 : 0);
  let above = (onDisk === 0 ? 0 : toShown(onDisk)) ?? 0;
  let start: number | undefined;
  let end = 0;
  for (const [index, { kind }] of lines.entries()) {
    const previous = above;
    if (kind !== "remove") onDisk += 1;
    const line = onDisk === 0 ? 0 : toShown(onDisk);
    above = line ?? above;
    if (kind === "same") continue;
    start ??= previous;
    end = above;
    if (kind === "add" && line !== null) added.push(line);
    const next = lines[index + 1]?.kind ?? "same";
    if (kind === "remove" && next === "same") removedAfter.push(above);
  }
  return { added, removedAfter, start: start ?? end, end };
}
