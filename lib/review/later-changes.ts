/** Finds what others changed in the agent's lines after it wrote them. Pure. */
import type { Steps } from "../async/steps";
import { buildHunksSteps, type Hunk, slideRegions, splitIntoLinesSteps } from "../text/diff";
import { compareLinesSteps } from "./merge-baseline";
import type { ReviewDifference, ReviewedHunk } from "./review-hunks";

/** Returns the difference whose colliding hunks have the changes from `written`, the agent's last version, to `now` in their lines. */
export function* addLaterChangesSteps(found: ReviewDifference, written: string, now: string): Steps<ReviewDifference> {
  if (!found.hunks.some(({ collides }) => collides === true)) return found;
  const old = yield* splitIntoLinesSteps(written);
  const lines = yield* splitIntoLinesSteps(now);
  const compared = yield* compareLinesSteps(old, lines);
  if (compared === null) return found;
  const later = (yield* buildHunksSteps(old, lines, yield* slideRegions(compared, old, lines))).hunks ?? [];
  const add = (hunk: ReviewedHunk): ReviewedHunk => {
    const own = hunk.collides === true ? later.filter((one) => areJoined(one, hunk)) : [];
    return own.length === 0 ? hunk : { ...hunk, later: own };
  };
  return { ...found, hunks: found.hunks.map(add) };
}

/** Whether two hunks have lines of the new text in common. */
const areJoined = (left: Hunk, right: Hunk): boolean =>
  left.newStart < right.newStart + Math.max(1, right.newLines) &&
  right.newStart < left.newStart + Math.max(1, left.newLines);
