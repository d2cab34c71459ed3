/** Merges two versions of a text with the version both are based on, line by line (diff3). Pure. */
import { diffRegionsOf, splitTextIntoLines } from "./diff";
import type { DiffRegion } from "./myers";

/** A part of the merged text; in a conflict, both sides changed these lines and the user decides. */
export type MergePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "conflict"; readonly mine: string; readonly theirs: string };

export type MergeSide = "mine" | "theirs";

/**
 * Returns the parts of the merged text in order. A change that only one side made is in the text; a run of lines that
 * both changed differently is one conflict. `base` null = unknown: every run of lines that differs is a conflict.
 */
export function mergeTexts(base: string | null, mine: string, theirs: string): readonly MergePart[] {
  const collect = makePartCollector();
  const sides = { mine: splitTextIntoLines(mine), theirs: splitTextIntoLines(theirs) };
  if (base === null) {
    pushConflict(collect, sides.mine, sides.theirs);
    return collect.parts();
  }
  const lines = splitTextIntoLines(base);
  const queues = {
    mine: [...diffRegionsOf(lines, sides.mine)],
    theirs: [...diffRegionsOf(lines, sides.theirs)],
  };
  const shifts = { mine: 0, theirs: 0 };
  let at = 0;
  const next = (): MergeGroup | null => takeMergeGroup(queues, lines.length);
  for (let group = next(); group !== null; group = next()) {
    const { start, end } = group;
    collect.text(lines.slice(at, start));
    const changed = (side: MergeSide): readonly string[] => {
      const from = start + shifts[side];
      for (const { oldStart, oldEnd, newStart, newEnd } of group.regions[side])
        shifts[side] += newEnd - newStart - (oldEnd - oldStart);
      return sides[side].slice(from, end + shifts[side]);
    };
    const [own, other] = [changed("mine"), changed("theirs")];
    if (group.regions.theirs.length === 0) collect.text(own);
    else if (group.regions.mine.length === 0) collect.text(other);
    else pushConflict(collect, own, other);
    at = end;
  }
  collect.text(lines.slice(at));
  return collect.parts();
}

/** Returns the merged text, or null if a conflict is not decided. `sides` = the decisions in the order of the conflicts. */
export function joinMergeParts(
  parts: readonly MergePart[],
  sides: readonly (MergeSide | undefined)[] = [],
): string | null {
  let next = 0;
  let text = "";
  for (const part of parts) {
    if (part.kind === "text") text += part.text;
    else {
      const side = sides[next];
      if (side === undefined) return null;
      text += part[side];
      next += 1;
    }
  }
  return text;
}

/** Regions of both sides that overlap. */
export interface MergeGroup {
  /** Lines of the base, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  readonly regions: Readonly<Record<MergeSide, readonly DiffRegion[]>>;
}

/**
 * Takes the next region and all that overlap with it. Lines inserted before a changed one come first, on their own.
 * `openEnd` = number of lines of the base; null = all texts have a final line end.
 */
export function takeMergeGroup(
  queues: Readonly<Record<MergeSide, DiffRegion[]>>,
  openEnd: number | null,
): MergeGroup | null {
  const [mine, theirs] = [queues.mine[0], queues.theirs[0]];
  const first = mine === undefined || (theirs !== undefined && isBefore(theirs, mine)) ? theirs : mine;
  if (first === undefined) return null;
  const start = first.oldStart;
  let end = start;
  const regions: Record<MergeSide, DiffRegion[]> = { mine: [], theirs: [] };
  const takeFrom = (side: MergeSide): boolean => {
    const region = queues[side][0];
    if (region === undefined || (region !== first && !overlaps(region, start, end, openEnd))) return false;
    regions[side].push(region);
    queues[side].shift();
    end = Math.max(end, region.oldEnd);
    return true;
  };
  takeFrom(first === mine ? "mine" : "theirs");
  while (takeFrom("mine") || takeFrom("theirs"));
  return { start, end, regions };
}

const isBefore = (one: DiffRegion, other: DiffRegion): boolean =>
  one.oldStart < other.oldStart || (one.oldStart === other.oldStart && one.oldEnd < other.oldEnd);

/** The last line of a text may have no line end, so that at the end of the text no other line can follow. */
const overlaps = ({ oldStart, oldEnd }: DiffRegion, start: number, end: number, openEnd: number | null): boolean =>
  (oldStart < end && oldEnd > start) ||
  (oldStart === start && oldEnd === oldStart && start === end) ||
  (end === openEnd && oldStart === end);

/** Adds the lines both have as text, and each run of lines that differ as one conflict. */
function pushConflict(collect: PartCollector, mine: readonly string[], theirs: readonly string[]): void {
  let at = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of diffRegionsOf(theirs, mine)) {
    collect.text(theirs.slice(at, oldStart));
    collect.conflict(mine.slice(newStart, newEnd).join(""), theirs.slice(oldStart, oldEnd).join(""));
    at = oldEnd;
  }
  collect.text(theirs.slice(at));
}

interface PartCollector {
  text(lines: readonly string[]): void;
  conflict(mine: string, theirs: string): void;
  parts(): readonly MergePart[];
}

/** Collects parts; neighbouring texts become one. */
function makePartCollector(): PartCollector {
  const parts: MergePart[] = [];
  let pending: string[] = [];
  const flush = (): void => {
    if (pending.length > 0) parts.push({ kind: "text", text: pending.join("") });
    pending = [];
  };
  return {
    text: (lines) => {
      for (const line of lines) pending.push(line);
    },
    conflict: (mine, theirs) => {
      flush();
      parts.push({ kind: "conflict", mine, theirs });
    },
    parts: () => {
      flush();
      return parts;
    },
  };
}
