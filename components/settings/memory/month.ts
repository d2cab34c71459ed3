/** The days of a month as weeks. Pure. */

/** A month; `month` is 0 for January. */
export interface Month {
  readonly year: number;
  readonly month: number;
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** Returns the month of a day `yyyy-mm-dd`. */
export const monthOfDay = (day: string): Month => ({
  year: Number(day.slice(0, 4)),
  month: Number(day.slice(5, 7)) - 1,
});

export function addMonths({ year, month }: Month, count: number): Month {
  const index = year * 12 + month + count;
  return { year: Math.floor(index / 12), month: index - Math.floor(index / 12) * 12 };
}

/**
 * Returns the weeks of a month, each with seven days `yyyy-mm-dd`; null = the day is in another month. `firstWeekday` 0
 * = weeks begin on Sunday, 1 = on Monday.
 */
export function weeksOfMonth({ year, month }: Month, firstWeekday: number): readonly (readonly (string | null)[])[] {
  const count = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const before = (new Date(Date.UTC(year, month, 1)).getUTCDay() - firstWeekday + 7) % 7;
  const cells = Array.from({ length: Math.ceil((before + count) / 7) * 7 }, (_, index) => {
    const day = index - before + 1;
    return day < 1 || day > count ? null : `${year}-${twoDigits(month + 1)}-${twoDigits(day)}`;
  });
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}
