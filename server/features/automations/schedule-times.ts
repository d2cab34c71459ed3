/** Due times of cron expressions. The library is used for times only; what runs when is decided in decide-due.ts. */
import { automationMinMinutes, type CronSchedule } from "@/lib/automations/automation";
import { fail, ok, type Result } from "@/lib/events/error";

/** The due times of one schedule, ms epoch. */
export interface DueTimes {
  /** The first one after `after`; null = there is none any more. */
  next(after: number): number | null;
}

export interface Schedules {
  /** Fails with bad_input; facts: `why` = cron (detail: what is wrong), zone, or never. Results are kept. */
  read(schedule: CronSchedule): Result<DueTimes>;
  /** Also fails with bad_input for a schedule that comes too often; facts: `why` = too_often, `minutes` and `least`. */
  check(schedule: CronSchedule, leastMinutes?: number): Result<DueTimes>;
}

/** Any day at which no clock is changed. */
const referenceDay = Date.UTC(2026, 0, 5);
/** Due times that show the least interval: a whole hour of minutes, and its border to the next. */
const comparedTimes = 62;
/** Longest change of a clock, ms; a time and its repetition are closer than twice this. */
const clockChangeMaxMs = 3 * 3_600_000;

/** Loads the library, which most starts do not need. */
export async function loadSchedules(): Promise<Schedules> {
  const { Cron } = await import("croner");
  const parsed = new Map<string, Result<DueTimes>>();
  const iterate = ({ cron, zone }: CronSchedule): DueTimes => {
    const job = new Cron(cron, { timezone: zone, paused: true, mode: "5-part" });
    return { next: (after) => job.nextRun(new Date(after))?.getTime() ?? null };
  };
  const read = (schedule: CronSchedule): Result<DueTimes> => {
    const zone = checkZone(schedule.zone);
    if (!zone.ok) return zone;
    try {
      const times = iterate(schedule);
      if (times.next(referenceDay) === null) return fail("bad_input", undefined, { why: "never" });
      return ok(hasFixedHours(schedule) ? withoutRepeats(times, schedule.zone) : times);
    } catch (error) {
      const detail = error instanceof Error ? error.message.replace(/^\w+: /, "") : String(error);
      return fail("bad_input", detail, { why: "cron" });
    }
  };
  const readOnce = (schedule: CronSchedule): Result<DueTimes> => {
    const key = `${schedule.zone} ${schedule.cron}`;
    const found = parsed.get(key) ?? read(schedule);
    parsed.set(key, found);
    return found;
  };
  return {
    read: readOnce,
    check(schedule, least = automationMinMinutes) {
      const found = readOnce(schedule);
      const minutes = found.ok ? shortestInterval(iterate({ ...schedule, zone: "UTC" })) : Infinity;
      return minutes < least ? fail("bad_input", undefined, { why: "too_often", minutes, least }) : found;
    },
  };
}

function checkZone(zone: string): Result<null> {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return ok(null);
  } catch {
    return fail("bad_input", zone, { why: "zone" });
  }
}

function shortestInterval(times: DueTimes): number {
  let least = Infinity;
  let last = times.next(referenceDay);
  for (let index = 0; index < comparedTimes && last !== null; index += 1) {
    const next = times.next(last);
    if (next !== null) least = Math.min(least, (next - last) / 60_000);
    last = next;
  }
  return least;
}

/** Whether it names hours: such a time of the wall clock is due once, also on the day whose clock shows it twice. */
const hasFixedHours = ({ cron }: CronSchedule): boolean => cron.trim().split(/\s+/)[1] !== "*";

/** Leaves out the second of two times that the wall clock shows alike. */
function withoutRepeats(times: DueTimes, zone: string): DueTimes {
  const format = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
  const offsetMs = (at: number): number => {
    const name = format.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours = "0", minutes = "0"] = /([+-])(\d+):?(\d*)/.exec(name) ?? [];
    return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
  };
  const isRepeated = (at: number): boolean => {
    const backMs = offsetMs(at - clockChangeMaxMs) - offsetMs(at);
    return backMs > 0 && offsetMs(at - backMs) === offsetMs(at) + backMs;
  };
  return {
    next(after) {
      let at = times.next(after);
      while (at !== null && isRepeated(at)) at = times.next(at);
      return at;
    },
  };
}
