/** Quiet hours: a daily time span without notifications and sounds, "22:00-07:00"; empty = none. Pure. */

const clockTime = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
/** Matches a time span; the end may be on the next day. */
export const quietHoursPattern = new RegExp(`^(${clockTime})-(${clockTime})$`);

/** Rewrites "22:00 – 7:00" as "22:00-07:00". Other text is returned unchanged. */
export function normalizeQuietHours(text: string): string {
  const hours = text
    .replace(/\s+/g, "")
    .replace(/[–—~〜至]/g, "-")
    .replace(/：/g, ":");
  const padded = hours.replace(/(^|-)(\d:)/g, "$10$2");
  return quietHoursPattern.test(padded) ? padded : text;
}

/** Whether the local time of `now` is within the span: start inclusive, end exclusive. */
export function isQuietTime(hours: string, now: Date): boolean {
  const [, start = "", end = ""] = quietHoursPattern.exec(hours) ?? [];
  const time = `${String(now.getHours()).padStart(2, "0")}:${String(now.getMinutes()).padStart(2, "0")}`;
  return start <= end ? start <= time && time < end : time >= start || time < end;
}
