/** Formats the remaining time of a share link in one unit, rounded up. */
import { dayMs, hourMs, minuteMs } from "@/lib/time/duration";
import type { SharingMessages } from "../messages/sharing-messages";

/** From this number of hours on the unit is days. */
const hoursUpTo = 48;

/** `leftMs` may be negative: the clocks of server and browser differ. */
export function timeLeft(leftMs: number, { share }: Pick<SharingMessages, "share">): string {
  if (leftMs < minuteMs) return share.left.moments;
  const minutes = Math.ceil(leftMs / minuteMs);
  if (minutes < 60) return share.left.minutes(minutes);
  const hours = Math.ceil(leftMs / hourMs);
  return hours < hoursUpTo ? share.left.hours(hours) : share.left.days(Math.ceil(leftMs / dayMs));
}
