/** Line diff of two texts as hunks with marks of changed words. */
import { runSteps, type Steps } from "../async/steps";
import { type StepBudget, diffFileLinesSteps, type DiffRegion } from "./myers";
import { lineSimilarity, diffWords, splitWords } from "./word-marks";

/**
 * One line of a hunk. `text` excludes "\n" but includes "\r", so that changed line ends are visible. Line numbers are
 * 1-based.
 */
export interface HunkLine {
  readonly kind: "same" | "add" | "remove";
  readonly text: string;
  readonly oldLine?: number;
  readonly newLine?: number;
  /** Changed words of a line that has a counterpart: UTF-16 offsets, ordered, not overlapping. */
  readonly marks?: readonly (readonly [start: number, end: number])[];
  /** The line has no final "\n" (last line of a text). */
  readonly noNewline?: true;
}

/**
 * As in a unified diff: on a side with 0 lines, the start is the line after which the hunk is located (0 = before line
 * 1).
 */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly HunkLine[];
}

interface LineDiff {
  readonly added: number;
  readonly removed: number;
  /** null = the hunks have more than `maxLines` lines in total. Empty = no difference. */
  readonly hunks: readonly Hunk[] | null;
}

/** Step budget of the line comparison, about 40 ms; texts that differ more are reported as larger replacements. */
const lineSteps = 4_000_000;
const wordSteps = 1_000_000;
/** Maximum pairs of removed and added lines compared to find counterparts. */
const maxPairs = 2_500;
/** Larger regions with equally many removed and added lines are not paired one to one either. */
const maxPairedLines = 400;
/** Minimum similarity of a removed and an added line for them to be counterparts. */
const minSimilarity = 0.5;

/** Lines, and regions, after which a computation yields. */
const linesPerSlice = 4_096;
const regionsPerSlice = 32;

/** Splits into lines including their "\n"; the last one may lack it. An empty text has no lines. */
export function* splitIntoLinesSteps(text: string): Steps<string[]> {
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf("\n", start);
    const next = end < 0 ? text.length : end + 1;
    lines.push(text.slice(start, next));
    start = next;
    if (lines.length % linesPerSlice === 0) yield;
  }
  return lines;
}

/**
 * Shifts each pure insertion or removal, which often has several equivalent positions, to the most readable one: after
 * an empty line if possible, otherwise as far down as possible.
 */
export function* slideRegions(
  regions: readonly DiffRegion[],
  before: readonly string[],
  after: readonly string[],
): Steps<readonly DiffRegion[]> {
  const moved: DiffRegion[] = [];
  for (const [index, region] of regions.entries()) {
    if (index % regionsPerSlice === regionsPerSlice - 1) yield;
    const inserted = region.oldStart === region.oldEnd;
    if (!inserted && region.newStart !== region.newEnd) {
      moved.push(region);
      continue;
    }
    const [lines, start, end] = inserted
      ? [after, region.newStart, region.newEnd]
      : [before, region.oldStart, region.oldEnd];
    const roomAbove = region.oldStart - (moved.at(-1)?.oldEnd ?? 0) - (moved.length === 0 ? 0 : 1);
    const roomBelow =
      (regions[index + 1]?.oldStart ?? before.length) - region.oldEnd - (index === regions.length - 1 ? 0 : 1);
    let up = 0;
    while (up < roomAbove && lines[start - up - 1] === lines[end - up - 1]) up++;
    let down = 0;
    while (down < roomBelow && lines[start + down] === lines[end + down]) down++;
    let shift = down;
    for (let at = down; at >= -up; at--) {
      if (lines[start + at - 1]?.trim() === "" && lines[start + at]?.trim() !== "") {
        shift = at;
        break;
      }
    }
    moved.push({
      oldStart: region.oldStart + shift,
      oldEnd: region.oldEnd + shift,
      newStart: region.newStart + shift,
      newEnd: region.newEnd + shift,
    });
  }
  return moved;
}

/**
 * For each removed line the index of its added counterpart, or -1: the order-preserving pairing with maximum total
 * similarity.
 */
function pairLines(removed: readonly string[], added: readonly string[]): readonly number[] {
  if (removed.length * added.length > maxPairs) {
    return removed.length === added.length && removed.length <= maxPairedLines ? [...removed.keys()] : [];
  }
  const oldWords = removed.map(splitWords);
  const newWords = added.map(splitWords);
  const columns = added.length + 1;
  const best = new Float64Array((removed.length + 1) * columns);
  const alike = oldWords.map((words) => newWords.map((otherWords) => lineSimilarity(words, otherWords)));
  const gain = (row: number, column: number): number => {
    const value = alike[row]?.[column] ?? 0;
    return value >= minSimilarity ? value : -1;
  };
  const bestAt = (row: number, column: number): number => best[row * columns + column] ?? 0;
  for (let row = removed.length - 1; row >= 0; row--) {
    for (let column = added.length - 1; column >= 0; column--) {
      best[row * columns + column] = Math.max(
        bestAt(row + 1, column),
        bestAt(row, column + 1),
        bestAt(row + 1, column + 1) + gain(row, column),
      );
    }
  }
  const pairs = removed.map(() => -1);
  for (let row = 0, column = 0; row < removed.length && column < added.length; ) {
    if (gain(row, column) > 0 && bestAt(row, column) === bestAt(row + 1, column + 1) + gain(row, column))
      pairs[row++] = column++;
    else if (bestAt(row, column) === bestAt(row + 1, column)) row++;
    else column++;
  }
  return pairs;
}

type Marks = HunkLine["marks"];

const withoutNewline = (line: string): string => (line.endsWith("\n") ? line.slice(0, -1) : line);

/**
 * Creates a hunk line; number 0 = not on that side. Fields are assigned individually for speed, since this runs per
 * line.
 */
function hunkLine(kind: HunkLine["kind"], line: string, oldLine: number, newLine: number, marks?: Marks): HunkLine {
  const hunkLine: { -readonly [K in keyof HunkLine]: HunkLine[K] } = { kind, text: withoutNewline(line) };
  if (oldLine > 0) hunkLine.oldLine = oldLine;
  if (newLine > 0) hunkLine.newLine = newLine;
  if (marks !== undefined && marks.length > 0) hunkLine.marks = marks;
  if (!line.endsWith("\n")) hunkLine.noNewline = true;
  return hunkLine;
}

/** Appends the lines of one region, removed before added, with word marks for lines that have a counterpart. */
function* pushRegion(
  lines: HunkLine[],
  region: DiffRegion,
  before: readonly string[],
  after: readonly string[],
  budget: StepBudget,
): Steps<void> {
  const removed = before.slice(region.oldStart, region.oldEnd);
  const added = after.slice(region.newStart, region.newEnd);
  const oldMarks: Marks[] = [];
  const newMarks: Marks[] = [];
  const pairs = budget.steps < 0 ? [] : pairLines(removed, added);
  for (const [row, column] of pairs.entries()) {
    const old = removed[row];
    const now = added[column];
    const marks =
      old === undefined || now === undefined ? null : diffWords(withoutNewline(old), withoutNewline(now), budget);
    if (marks === null) continue;
    oldMarks[row] = marks.before;
    newMarks[column] = marks.after;
  }
  for (const [index, line] of removed.entries()) {
    if (lines.push(hunkLine("remove", line, region.oldStart + index + 1, 0, oldMarks[index])) % linesPerSlice === 0)
      yield;
  }
  for (const [index, line] of added.entries()) {
    if (lines.push(hunkLine("add", line, 0, region.newStart + index + 1, newMarks[index])) % linesPerSlice === 0) yield;
  }
}

/** Groups regions whose contexts touch. */
function groupRegions(regions: readonly DiffRegion[], context: number): readonly DiffRegion[][] {
  const groups: DiffRegion[][] = [];
  for (const region of regions) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && region.oldStart - last.oldEnd <= 2 * context) groups.at(-1)?.push(region);
    else groups.push([region]);
  }
  return groups;
}

interface HunkRange extends DiffRegion {
  readonly regions: readonly DiffRegion[];
}

/** Extends a group by its context lines, equally many in both texts. */
function toHunkRange(regions: readonly DiffRegion[], context: number, oldTotal: number): HunkRange {
  const first = regions[0] ?? { oldStart: 0, oldEnd: 0, newStart: 0, newEnd: 0 };
  const last = regions.at(-1) ?? first;
  const above = Math.min(context, first.oldStart);
  const below = Math.min(context, oldTotal - last.oldEnd);
  return {
    regions,
    oldStart: first.oldStart - above,
    oldEnd: last.oldEnd + below,
    newStart: first.newStart - above,
    newEnd: last.newEnd + below,
  };
}

function* buildHunk(
  span: HunkRange,
  before: readonly string[],
  after: readonly string[],
  budget: StepBudget,
): Steps<Hunk> {
  const lines: HunkLine[] = [];
  let oldAt = span.oldStart;
  let newAt = span.newStart;
  const sameUntil = (end: number): void => {
    for (; oldAt < end; oldAt++, newAt++) lines.push(hunkLine("same", before[oldAt] ?? "", oldAt + 1, newAt + 1));
  };
  for (const [index, region] of span.regions.entries()) {
    if (index % regionsPerSlice === regionsPerSlice - 1) yield;
    sameUntil(region.oldStart);
    yield* pushRegion(lines, region, before, after, budget);
    oldAt = region.oldEnd;
    newAt = region.newEnd;
  }
  sameUntil(span.oldEnd);
  const oldLines = span.oldEnd - span.oldStart;
  const newLines = span.newEnd - span.newStart;
  return {
    oldStart: span.oldStart + (oldLines === 0 ? 0 : 1),
    oldLines,
    newStart: span.newStart + (newLines === 0 ? 0 : 1),
    newLines,
    lines,
  };
}

/**
 * Compares two texts line by line (see myers.ts for the algorithm). `context` = unchanged lines around a change,
 * default 3; `maxLines` = maximum total lines of all hunks. Line ends and a missing final newline are differences. Time
 * is bounded: texts that differ nearly everywhere give a coarse, still correct result.
 */
export const diffLines = (before: string, after: string, options: DiffOptions = {}): LineDiff =>
  runSteps(diffLinesSteps(before, after, options));

interface DiffOptions {
  readonly context?: number;
  readonly maxLines?: number;
}

/** `diffLines` in steps, so that large texts do not block the event loop. */
export function* diffLinesSteps(before: string, after: string, options: DiffOptions = {}): Steps<LineDiff> {
  if (before === after) return { added: 0, removed: 0, hunks: [] };
  const oldLines = yield* splitIntoLinesSteps(before);
  const newLines = yield* splitIntoLinesSteps(after);
  const regions = yield* slideRegions(
    yield* diffFileLinesSteps(oldLines, newLines, { steps: lineSteps }),
    oldLines,
    newLines,
  );
  yield;
  return yield* buildHunksSteps(oldLines, newLines, regions, options);
}

/** Builds the hunks of two lists of lines that differ in `regions`, in steps. */
export function* buildHunksSteps(
  oldLines: readonly string[],
  newLines: readonly string[],
  regions: readonly DiffRegion[],
  options: DiffOptions = {},
): Steps<LineDiff> {
  const context = options.context ?? 3;
  const removed = regions.reduce((sum, region) => sum + region.oldEnd - region.oldStart, 0);
  const added = regions.reduce((sum, region) => sum + region.newEnd - region.newStart, 0);
  const spans = groupRegions(regions, context).map((regionsOfHunk) =>
    toHunkRange(regionsOfHunk, context, oldLines.length),
  );
  const total = spans.reduce((sum, span) => sum + span.oldEnd - span.oldStart, added);
  if (total > (options.maxLines ?? Number.POSITIVE_INFINITY)) return { added, removed, hunks: null };
  const budget: StepBudget = { steps: wordSteps };
  const hunks: Hunk[] = [];
  for (const span of spans) {
    if (hunks.length % regionsPerSlice === 0) yield;
    hunks.push(yield* buildHunk(span, oldLines, newLines, budget));
  }
  return { added, removed, hunks };
}

/** Splits into lines including their "\n"; the last one may lack it. */
export const splitTextIntoLines = (text: string): readonly string[] => runSteps(splitIntoLinesSteps(text));

/** Returns the changed regions of two lists of lines. Time is bounded as in `diffLines`. */
export const diffRegionsOf = (before: readonly string[], after: readonly string[]): readonly DiffRegion[] =>
  runSteps(diffFileLinesSteps(before, after, { steps: lineSteps }));
