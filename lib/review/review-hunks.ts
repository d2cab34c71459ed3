/** The hunks of a file under review, and the texts that follow from a decision about them. Pure. */
import type { Steps } from "../async/steps";
import { buildHunksSteps, type Hunk, type HunkLine, slideRegions, splitIntoLinesSteps } from "../text/diff";
import {
  type Baseline,
  isOpaque,
  isSameContent,
  type OpaqueContent,
  plainBaseline,
  type ReviewContent,
  contentText,
} from "./baseline";
import { type BaselineMark, isMarked, keepMarks } from "./baseline-marks";
import { compareLinesSteps } from "./merge-baseline";

/** A difference between the baseline and the file. */
export interface ReviewedHunk extends Hunk {
  /** Others changed these lines, too: it can be rejected only by lines. */
  readonly collides?: true;
  /** Changes of others since the agent wrote its last version; only where a hunk collides. */
  readonly later?: readonly Hunk[];
}

export interface ReviewDifference {
  readonly kind: "created" | "changed" | "deleted";
  readonly added: number;
  readonly removed: number;
  /** Empty if the file can only be decided as a whole. */
  readonly hunks: readonly ReviewedHunk[];
  readonly whole?: OpaqueContent["why"];
  /** As a whole: others changed it, too. */
  readonly collides?: true;
}

/** A hunk by its index; `lines` = indices of its lines, absent = all. */
export interface ChosenHunk {
  readonly hunk: number;
  readonly lines?: readonly number[];
}

/** Returns what differs; null = nothing. */
export function* findReviewSteps(baseline: Baseline, now: ReviewContent): Steps<ReviewDifference | null> {
  const { content, marks } = baseline;
  if (isSameContent(content, now)) return null;
  const kind = content === null ? "created" : now === null ? "deleted" : "changed";
  const whole = baseline.whole ?? [content, now].find(isOpaque)?.why;
  const asWhole = (cause: OpaqueContent["why"]): ReviewDifference => ({
    kind,
    added: 0,
    removed: 0,
    hunks: [],
    whole: cause,
    ...(baseline.collides === true || marks.length > 0 ? { collides: true } : {}),
  });
  if (whole !== undefined) return asWhole(whole);
  const old = yield* splitIntoLinesSteps(contentText(content));
  const lines = yield* splitIntoLinesSteps(contentText(now));
  const found = yield* compareLinesSteps(old, lines);
  if (found === null) return asWhole("too_large");
  const regions = yield* slideRegions(found, old, lines);
  const { added, removed, hunks } = yield* buildHunksSteps(old, lines, regions);
  const others = findSingleLines(baseline.otherLines, lines);
  const collides = (hunk: Hunk): boolean =>
    hunk.lines.some((line) => line.kind === "add" && others.has(lineText(line))) ||
    changedPlaces(hunk).some((place) => isMarked(marks, place));
  return {
    kind,
    added,
    removed,
    hunks: (hunks ?? []).map((hunk) => (collides(hunk) ? { ...hunk, collides: true } : hunk)),
  };
}

/** Returns those of the lines that a text has once. */
function findSingleLines(wanted: readonly string[], lines: readonly string[]): ReadonlySet<string> {
  const counts = new Map(wanted.map((line) => [line, 0]));
  if (counts.size > 0)
    for (const line of lines) {
      const count = counts.get(line);
      if (count !== undefined) counts.set(line, count + 1);
    }
  return new Set(wanted.filter((line) => counts.get(line) === 1));
}

/** Places of the old text that a hunk changes. */
function changedPlaces({ oldStart, oldLines, lines }: Hunk): readonly BaselineMark[] {
  const places: [number, number][] = [];
  let at = oldLines === 0 ? oldStart : oldStart - 1;
  let open = false;
  for (const { kind } of lines) {
    const last = places.at(-1);
    if (kind !== "same" && (!open || last === undefined)) places.push([at, at]);
    const place = places.at(-1);
    if (kind !== "add") at += 1;
    if (kind === "remove" && place !== undefined) place[1] = at;
    open = kind !== "same";
  }
  return places;
}

/** Returns the text in which the chosen changes are made (`accept`: in the baseline) or taken out (`reject`: in the file). */
function* decideHunksSteps(
  text: string,
  hunks: readonly Hunk[],
  chosen: readonly ChosenHunk[],
  verdict: "accept" | "reject",
): Steps<string> {
  const lines = yield* splitIntoLinesSteps(text);
  const chosenByHunk = new Map(
    chosen.map(({ hunk, lines: only }) => [hunk, only === undefined ? null : new Set(only)]),
  );
  const out: string[] = [];
  let at = 0;
  const unchosen = verdict === "accept" ? "remove" : "add";
  for (const [index, hunk] of hunks.entries()) {
    yield;
    const only = chosenByHunk.get(index);
    const [start, length] = verdict === "accept" ? [hunk.oldStart, hunk.oldLines] : [hunk.newStart, hunk.newLines];
    const from = length === 0 ? start : start - 1;
    for (; at < from; at += 1) out.push(lines[at] ?? "");
    for (const [position, line] of hunk.lines.entries()) {
      const isChosen = only === null || (only?.has(position) ?? false);
      if (line.kind === "same" || (line.kind === unchosen) !== isChosen) out.push(lineText(line));
    }
    at = from + length;
  }
  for (; at < lines.length; at += 1) out.push(lines[at] ?? "");
  return joinLines(out);
}

/** Returns the text of the lines; only its last one can be without a line end. */
export const joinLines = (lines: readonly string[]): string =>
  lines.map((line, at) => (at === lines.length - 1 || line.endsWith("\n") ? line : `${line}\n`)).join("");

const lineText = ({ text, noNewline }: HunkLine): string => (noNewline === true ? text : `${text}\n`);

/** Returns the baseline with the chosen changes of a file that has `now`. What was decided has no marks any more. */
export function* acceptHunksSteps(
  baseline: Baseline,
  now: ReviewContent,
  hunks: readonly Hunk[],
  chosen: readonly ChosenHunk[],
): Steps<Baseline> {
  const text = yield* decideHunksSteps(contentText(baseline.content), hunks, chosen, "accept");
  if (text === now) return plainBaseline(now);
  // A file that was deleted stays one until all of its lines are.
  return yield* moveBaselineSteps(baseline, text === "" && (now === null || baseline.content === null) ? null : text);
}

/** Returns the baseline with another content; what differs is decided, and has no marks any more. */
export function* moveBaselineSteps(baseline: Baseline, content: ReviewContent): Steps<Baseline> {
  if (baseline.marks.length === 0 && baseline.otherLines.length === 0) return plainBaseline(content);
  if (typeof content !== "string") return plainBaseline(content);
  const lines = yield* splitIntoLinesSteps(content);
  const regions = yield* compareLinesSteps(yield* splitIntoLinesSteps(contentText(baseline.content)), lines);
  const agreed = new Set(lines);
  const moved = (regions ?? []).map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    from: [oldStart, oldEnd] as const,
    to: [newStart, newEnd] as const,
  }));
  return {
    content,
    marks: keepMarks(baseline.marks, moved),
    otherLines: baseline.otherLines.filter((line) => !agreed.has(line)),
  };
}

/** Returns the content of the file without the chosen changes. */
export function* rejectHunksSteps(
  baseline: Baseline,
  now: ReviewContent,
  hunks: readonly Hunk[],
  chosen: readonly ChosenHunk[],
): Steps<ReviewContent> {
  const text = yield* decideHunksSteps(contentText(now), hunks, chosen, "reject");
  return text === contentText(baseline.content) ? baseline.content : text === "" && now === null ? null : text;
}
