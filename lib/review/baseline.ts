/**
 * Computes the baseline of a file, the text the user agreed to, from what the agent wrote and what the file had
 * between: changes by the user and other programs become part of the baseline. Pure.
 */
import type { Steps } from "../async/steps";
import type { BaselineMark } from "./baseline-marks";
import { mergeBaselineSteps } from "./merge-baseline";

/** Content that has no lines to compare. `why` = the reason; `id` tells whether two are the same. */
export interface OpaqueContent {
  readonly id: string;
  readonly why: "binary" | "too_large" | "not_kept";
}

/** null = there is no file. */
export type ReviewContent = string | null | OpaqueContent;

/** A baseline, and how far it can be compared. */
export interface Baseline {
  readonly content: ReviewContent;
  readonly marks: readonly BaselineMark[];
  /** Lines that others wrote in place of the agent's, at most `maxOtherLines`; a hunk with one of them collides, too. */
  readonly otherLines: readonly string[];
  /** Why the file can only be accepted or rejected as a whole; absent = by lines. */
  readonly whole?: OpaqueContent["why"];
  /** Others changed a file of which only the whole can be compared. */
  readonly collides?: true;
}

/** A change of a file; a list of them is in order of time. */
export type ReviewedStep =
  /** The agent wrote; `after` undefined = unknown, since the call did not end. */
  | { readonly kind: "write"; readonly before: ReviewContent; readonly after: ReviewContent | undefined }
  /** The user decided, which set the baseline; `before` and `after` differ where something was rejected. */
  | {
      readonly kind: "decision";
      readonly before: ReviewContent;
      readonly after: ReviewContent;
      readonly baseline: Baseline;
    }
  /** The file was set back to what it was before the step with the index `to`. */
  | { readonly kind: "restore"; readonly before: ReviewContent; readonly after: ReviewContent; readonly to: number };

export const isSameContent = (left: ReviewContent, right: ReviewContent): boolean =>
  left === right || (isOpaque(left) && isOpaque(right) && left.id === right.id);

export const isOpaque = (content: ReviewContent): content is OpaqueContent =>
  content !== null && typeof content !== "string";

/** Returns the baseline of a file that has `now`. Without a step it is `now`. */
export function* computeBaselineSteps(steps: readonly ReviewedStep[], now: ReviewContent): Steps<Baseline> {
  const earlier: Baseline[] = [];
  let baseline: Baseline | null = null;
  let left: ReviewContent = null;
  for (const [index, step] of steps.entries()) {
    yield;
    baseline = baseline === null ? plainBaseline(step.before) : yield* foldOthersSteps(baseline, left, step.before);
    earlier.push(baseline);
    if (step.kind === "decision") ({ baseline } = step);
    if (step.kind === "restore") baseline = earlier[step.to] ?? baseline;
    const next = steps[index + 1];
    const following = next === undefined ? now : next.before;
    // A restore that was not written, since the program ended, has changed nothing.
    const isUnwritten = step.kind === "restore" && isSameContent(following, step.before);
    left = step.after === undefined || isUnwritten ? following : step.after;
  }
  return baseline === null ? plainBaseline(now) : yield* foldOthersSteps(baseline, left, now);
}

export const plainBaseline = (content: ReviewContent): Baseline => ({ content, marks: [], otherLines: [] });

/** More are left to the places of `marks`. */
const maxOtherLines = 1_000;

/** Adds to the baseline what others changed in the file, from `left` to `now`. */
function* foldOthersSteps(baseline: Baseline, left: ReviewContent, now: ReviewContent): Steps<Baseline> {
  if (isSameContent(left, now)) return baseline;
  // Without the agent's changes, or without a file, nothing is left to decide.
  if (isSameContent(left, baseline.content) || isSameContent(now, baseline.content) || now === null)
    return plainBaseline(now);
  const { content, marks } = baseline;
  const opaque = [content, left, now].find(isOpaque);
  if (opaque !== undefined) return { ...plainBaseline(content), whole: opaque.why, collides: true };
  const merged = yield* mergeBaselineSteps(
    { left: contentText(left), baseline: contentText(content), now: contentText(now) },
    marks,
  );
  if (merged === null) return { ...plainBaseline(content), whole: "too_large", collides: true };
  return {
    content: merged.text === "" && content === null ? null : merged.text,
    marks: merged.marks,
    otherLines: [...new Set([...baseline.otherLines, ...merged.otherLines])].slice(0, maxOtherLines),
    ...(baseline.whole === undefined ? {} : { whole: baseline.whole }),
    ...(baseline.collides === undefined ? {} : { collides: true }),
  };
}

export const contentText = (content: ReviewContent): string => (typeof content === "string" ? content : "");

/**
 * Repeats the change from `from` to `to` in the text `now`. Returns undefined if `now` has other changes in the same
 * lines, or if these have no lines.
 */
export function* repeatChangeSteps(
  from: ReviewContent,
  to: ReviewContent,
  now: ReviewContent,
): Steps<ReviewContent | undefined> {
  if (isSameContent(from, now)) return to;
  if (isSameContent(from, to) || isSameContent(to, now)) return now;
  if (isOpaque(from) || isOpaque(to) || isOpaque(now) || from === null || to === null || now === null) return undefined;
  const merged = yield* mergeBaselineSteps({ left: from, baseline: to, now }, []);
  return merged === null || merged.marks.length > 0 ? undefined : merged.text;
}
