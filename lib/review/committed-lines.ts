/** Accepts what a commit has of the agent's changes, line by line. Pure. */
import type { Steps } from "../async/steps";
import { splitIntoLinesSteps } from "../text/diff";
import type { DiffRegion } from "../text/myers";
import { type Baseline, contentText, isOpaque, isSameContent, plainBaseline, type ReviewContent } from "./baseline";
import { compareLinesSteps } from "./merge-baseline";
import { joinLines, moveBaselineSteps } from "./review-hunks";

/**
 * Returns the baseline with those changes between it and `now` that `committed` has, too. The rest of a file that was changed
 * after it was staged, and of one of which only some lines were staged, is still to be decided.
 */
export function* acceptCommittedSteps(
  baseline: Baseline,
  now: ReviewContent,
  committed: ReviewContent,
): Steps<Baseline> {
  const { content } = baseline;
  if (isSameContent(committed, now)) return plainBaseline(now);
  if (committed === null || isOpaque(committed) || isOpaque(content) || isOpaque(now)) return baseline;
  const agreed = yield* splitIntoLinesSteps(contentText(content));
  const lines = yield* splitIntoLinesSteps(contentText(now));
  const stored = yield* splitIntoLinesSteps(committed);
  const regions = baseline.whole === undefined ? yield* compareLinesSteps(agreed, lines) : null;
  const all = regions === null ? [] : listBoth(agreed, lines, regions);
  const left = yield* compareLinesSteps(all.map(lineOnly), stored.map(lineOnly));
  if (regions === null || left === null) return baseline;
  const isAgreed = all.map(() => true);
  for (const { oldStart, oldEnd, newStart, newEnd } of left)
    for (let at = oldStart; at < oldEnd; at += 1) {
      const kind = all[at]?.kind;
      // Where the commit has other lines, nothing of the agent's is in it.
      isAgreed[at] = kind === "both" || (kind === "old" && newStart < newEnd);
    }
  const text = joinLines(all.flatMap(({ line }, at) => (isAgreed[at] === true ? [line] : [])));
  return text === contentText(content) ? baseline : yield* moveBaselineSteps(baseline, text);
}

interface LineOfBoth {
  readonly line: string;
  readonly kind: "both" | "old" | "new";
}

/** Lists the lines of two lists as in a diff. */
function listBoth(old: readonly string[], now: readonly string[], regions: readonly DiffRegion[]): LineOfBoth[] {
  const all: LineOfBoth[] = [];
  const add = (list: readonly string[], kind: LineOfBoth["kind"]): void => {
    for (const line of list) all.push({ line, kind });
  };
  let at = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of regions) {
    add(now.slice(at, newStart), "both");
    add(old.slice(oldStart, oldEnd), "old");
    add(now.slice(newStart, newEnd), "new");
    at = newEnd;
  }
  add(now.slice(at), "both");
  return all;
}

/** Returns the line without its end, which the last line of a text may lack. */
const lineOnly = (one: LineOfBoth | string): string => (typeof one === "string" ? one : one.line).replace(/\n$/, "");
