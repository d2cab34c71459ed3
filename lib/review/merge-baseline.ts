/** Merges what others changed in a file into its baseline, line by line. Pure. */
import type { Steps } from "../async/steps";
import { splitIntoLinesSteps } from "../text/diff";
import { type MergeGroup, takeMergeGroup } from "../text/merge-texts";
import type { DiffRegion, StepBudget } from "../text/myers";
import { anchoredRegionsSteps } from "./anchored-regions";
import { type BaselineMark, type MovedLines, moveMarks } from "./baseline-marks";

/** Files with more lines are reviewed as a whole. */
export const reviewMaxLines = 20_000;
/** Step budget of one comparison, about 40 ms; files that need more are reviewed as a whole. */
const comparisonSteps = 4_000_000;

interface MergedBaseline {
  readonly text: string;
  /** Where others changed lines of the agent: there the baseline stayed as it was. */
  readonly marks: readonly BaselineMark[];
  /** Lines that others wrote in place of the agent's. */
  readonly otherLines: readonly string[];
}

/** Texts of a merge: what the writer left, the baseline, and the text now. */
interface MergedTexts {
  readonly left: string;
  readonly baseline: string;
  readonly now: string;
}

/** Returns the baseline with the changes from `left` to `now`; null = the texts are too large to compare. */
export function* mergeBaselineSteps(texts: MergedTexts, marks: readonly BaselineMark[]): Steps<MergedBaseline | null> {
  const base = yield* splitIntoLinesSteps(texts.left);
  const mine = yield* splitIntoLinesSteps(texts.baseline);
  const theirs = yield* splitIntoLinesSteps(texts.now);
  const mineRegions = yield* compareLinesSteps(base, mine);
  const theirRegions = yield* compareLinesSteps(base, theirs);
  if (mineRegions === null || theirRegions === null) return null;
  const isOpen = [texts.left, texts.baseline, texts.now].some((text) => text !== "" && !text.endsWith("\n"));
  const queues = { mine: [...mineRegions], theirs: [...theirRegions] };
  const merged: string[] = [];
  const moved: MovedLines[] = [];
  const added: BaselineMark[] = [];
  const otherLines: string[] = [];
  let at = 0;
  let shift = 0;
  const next = (): MergeGroup | null => takeMergeGroup(queues, isOpen ? base.length : null);
  for (let group = next(); group !== null; group = next()) {
    yield;
    for (; at < group.start; at += 1) merged.push(base[at] ?? "");
    const from = group.start + shift;
    shift += group.regions.mine.reduce((sum, region) => sum + growth(region), 0);
    const own = mine.slice(from, group.end + shift);
    const { lines, marks: places, inPlace } = mergeGroup(group, base, own, theirs);
    const { length } = merged;
    moved.push({ from: [from, group.end + shift], to: [length, length + lines.length] });
    for (const { newStart, newEnd } of inPlace) otherLines.push(...theirs.slice(newStart, newEnd));
    for (const [start, end] of places) added.push([length + start, length + end]);
    for (const line of lines) merged.push(line);
    at = group.end;
  }
  for (; at < base.length; at += 1) merged.push(base[at] ?? "");
  return { text: merged.join(""), marks: [...moveMarks(marks, moved), ...added], otherLines };
}

/** Returns the changed regions; null = the lists are too long or differ too much. */
export function* compareLinesSteps(
  before: readonly string[],
  after: readonly string[],
): Steps<readonly DiffRegion[] | null> {
  if (Math.max(before.length, after.length) > reviewMaxLines) return null;
  const budget: StepBudget = { steps: comparisonSteps };
  const regions = yield* anchoredRegionsSteps(before, after, budget);
  return budget.steps < 0 ? null : regions;
}

const growth = ({ oldStart, oldEnd, newStart, newEnd }: DiffRegion): number => newEnd - newStart - (oldEnd - oldStart);

interface MergedGroup {
  readonly lines: readonly string[];
  /** Places in these lines. */
  readonly marks: readonly BaselineMark[];
  /** Changes of others that are not part of the lines. */
  readonly inPlace: readonly DiffRegion[];
}

/** Returns the lines of the baseline for a group of regions. */
function mergeGroup(
  group: MergeGroup,
  base: readonly string[],
  own: readonly string[],
  theirs: readonly string[],
): MergedGroup {
  const { regions } = group;
  if (regions.theirs.length === 0) return { lines: own, marks: [], inPlace: [] };
  if (regions.mine.every(isRemoval)) return mergeAmongAdded(group, base, theirs);
  const isOnlyRemoved = regions.theirs.every(
    (region) =>
      isRemoval(region) &&
      regions.mine.some(({ oldStart, oldEnd }) => oldStart <= region.oldStart && region.oldEnd <= oldEnd),
  );
  const isClean = isOnlyRemoved || isSameChange(group, base, own, theirs);
  return { lines: own, marks: isClean ? [] : [[0, own.length]], inPlace: isClean ? [] : regions.theirs };
}

/**
 * Merges what others did among lines that the agent added: what they wrote between these is part of the baseline; a line
 * that they wrote in place of one of the agent's is not, and marks its place.
 */
function mergeAmongAdded(
  { start, end, regions }: MergeGroup,
  base: readonly string[],
  theirs: readonly string[],
): MergedGroup {
  const dropped = new Set<number>();
  for (const { oldStart, oldEnd } of [...regions.mine, ...regions.theirs])
    for (let at = oldStart; at < oldEnd; at += 1) dropped.add(at);
  const lines: string[] = [];
  const marks: BaselineMark[] = [];
  const inPlace: DiffRegion[] = [];
  let at = start;
  const keepUntil = (line: number): void => {
    for (; at < line; at += 1) if (!dropped.has(at)) lines.push(base[at] ?? "");
  };
  for (const region of regions.theirs) {
    keepUntil(region.oldStart);
    const replaces =
      !isRemoval(region) &&
      regions.mine.some(({ oldStart, oldEnd }) => oldStart < region.oldEnd && region.oldStart < oldEnd);
    if (replaces && region.oldStart < region.oldEnd) {
      marks.push([lines.length, lines.length]);
      inPlace.push(region);
    } else for (const line of theirs.slice(region.newStart, region.newEnd)) lines.push(line);
  }
  keepUntil(end);
  return { lines, marks, inPlace };
}

const isRemoval = ({ newStart, newEnd }: DiffRegion): boolean => newStart === newEnd;

/** Whether both sides have the same lines. */
function isSameChange(
  { start, end, regions }: MergeGroup,
  base: readonly string[],
  own: readonly string[],
  theirs: readonly string[],
): boolean {
  const lines: string[] = [];
  let at = start;
  for (const region of regions.theirs) {
    lines.push(...base.slice(at, region.oldStart), ...theirs.slice(region.newStart, region.newEnd));
    at = region.oldEnd;
  }
  lines.push(...base.slice(at, end));
  return lines.length === own.length && lines.every((line, index) => line === own[index]);
}
