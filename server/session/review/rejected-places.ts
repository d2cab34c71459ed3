/** Lists the places of a file that a rejection changed, for the model. */
import type { RejectedPlace } from "@/lib/events/review-events";
import { contentText, isOpaque, type ReviewContent } from "@/lib/review/baseline";
import { diffLinesSteps } from "@/lib/text/diff";
import { neverAborted } from "@/server/base/abort";
import { runStepsInSlices } from "@/server/base/steps";

/** Lines of one place that the model is shown, and characters of each. */
const placeLines = 6;
const lineChars = 200;
/** Places of one file. */
const filePlaces = 50;

/** Returns the places with what was taken out, at most `filePlaces`. */
export async function listPlaces(before: ReviewContent, after: ReviewContent): Promise<readonly RejectedPlace[]> {
  if (isOpaque(before) || isOpaque(after)) return [{ line: 1, taken: [], more: 0 }];
  const { hunks } = await runStepsInSlices(
    diffLinesSteps(contentText(before), contentText(after), { context: 0 }),
    neverAborted,
  );
  return (hunks ?? []).slice(0, filePlaces).map(({ newStart, lines }) => {
    const taken = lines.flatMap(({ kind, text }) => (kind === "remove" ? [text.slice(0, lineChars)] : []));
    return {
      line: Math.max(1, newStart),
      taken: taken.slice(0, placeLines),
      more: Math.max(0, taken.length - placeLines),
    };
  });
}
