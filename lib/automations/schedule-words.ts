/** Recognizes the cron expressions that can be said in words. */

/** A schedule that has words; `hour`, `minute` are of the wall clock, `weekday` 0 = Sunday. */
export type ScheduleWords =
  | { readonly kind: "minutes"; readonly every: number }
  | { readonly kind: "hourly"; readonly minute: number }
  | { readonly kind: "daily"; readonly hour: number; readonly minute: number }
  | { readonly kind: "workdays"; readonly hour: number; readonly minute: number }
  | { readonly kind: "weekly"; readonly weekday: number; readonly hour: number; readonly minute: number }
  | { readonly kind: "monthly"; readonly day: number; readonly hour: number; readonly minute: number };

const parseNumber = (text: string, most: number): number | null => {
  const value = /^\d{1,2}$/.test(text) ? Number(text) : most + 1;
  return value <= most ? value : null;
};

/** Returns what the expression says; null = it has no short words. */
export function parseScheduleWords(cron: string): ScheduleWords | null {
  const [minuteText = "", hourText = "", day = "", month = "", weekday = "", ...more] = cron.trim().split(/\s+/);
  if (month !== "*" || more.length > 0) return null;
  const isEveryDay = day === "*" && weekday === "*";
  const every = parseNumber(/^\*\/(\d{1,2})$/.exec(minuteText)?.[1] ?? "", 30);
  if (every !== null) return isEveryDay && hourText === "*" && 60 % every === 0 ? { kind: "minutes", every } : null;
  const minute = parseNumber(minuteText, 59);
  if (minute === null) return null;
  if (hourText === "*") return isEveryDay ? { kind: "hourly", minute } : null;
  const hour = parseNumber(hourText, 23);
  if (hour === null) return null;
  if (isEveryDay) return { kind: "daily", hour, minute };
  if (day === "*") return weekdayWords(weekday, hour, minute);
  const dayNumber = weekday === "*" ? parseNumber(day, 31) : null;
  return dayNumber === null || dayNumber === 0 ? null : { kind: "monthly", day: dayNumber, hour, minute };
}

function weekdayWords(weekday: string, hour: number, minute: number): ScheduleWords | null {
  if (weekday === "1-5") return { kind: "workdays", hour, minute };
  const number = parseNumber(weekday, 7);
  return number === null ? null : { kind: "weekly", weekday: number % 7, hour, minute };
}

/** Returns the cron expression of the words. */
export function formatScheduleCron(words: ScheduleWords): string {
  switch (words.kind) {
    case "minutes":
      return `*/${words.every} * * * *`;
    case "hourly":
      return `${words.minute} * * * *`;
    case "daily":
      return `${words.minute} ${words.hour} * * *`;
    case "workdays":
      return `${words.minute} ${words.hour} * * 1-5`;
    case "weekly":
      return `${words.minute} ${words.hour} * * ${words.weekday}`;
    case "monthly":
      return `${words.minute} ${words.hour} ${words.day} * *`;
  }
}
