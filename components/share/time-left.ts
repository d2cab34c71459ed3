/** How long a share link still works, in one figure, rounded up: the largest unit that says enough. Used by the dialog and the viewer's header. */
import type { OutsideWords } from "../words/outside-words";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** From here on days say more than hours. */
const hoursBelow = 48;

/** `leftMs` may be negative: clocks differ. */
export function timeLeft(leftMs: number, { share }: Pick<OutsideWords, "share">): string {
  if (leftMs < minuteMs) return share.left.moments;
  const minutes = Math.ceil(leftMs / minuteMs);
  if (minutes < 60) return share.left.minutes(minutes);
  const hours = Math.ceil(leftMs / hourMs);
  return hours < hoursBelow ? share.left.hours(hours) : share.left.days(Math.ceil(leftMs / dayMs));
}
