/** How long a share link still works, in one figure: the largest unit that says enough. Used by the dialog and the viewer's header. */
import type { OutsideWords } from "../words/outside-words";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Below two days the hours say more. */
const daysFromMs = 2 * dayMs;

/** `leftMs` may be negative: clocks differ. */
export function timeLeft(leftMs: number, { share }: Pick<OutsideWords, "share">): string {
  if (leftMs >= daysFromMs) return share.left.days(Math.floor(leftMs / dayMs));
  if (leftMs >= hourMs) return share.left.hours(Math.floor(leftMs / hourMs));
  if (leftMs >= minuteMs) return share.left.minutes(Math.floor(leftMs / minuteMs));
  return share.left.moments;
}
