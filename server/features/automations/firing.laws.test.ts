import Database from "better-sqlite3";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { automationLateHours, type CronSchedule } from "@/lib/automations/automation";
import { asId, type ProjectId } from "@/lib/events/id";
import { lawRuns } from "@/lib/testing/law-runs";
import { createAutomations, type DueRow, type StoredAutomation } from "@/server/store/automations";
import { onTimeMs } from "./decide-due";
import { makeFiring } from "./firing";
import { type AutomationEnd, makeRunQueue } from "./run-queue";
import { loadSchedules } from "./schedule-times";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const begin = Date.UTC(2026, 1, 1);
/** Both changes of the clocks; two years where GOPI_FULL is set. */
const end = process.env.GOPI_FULL ? Date.UTC(2028, 1, 1) : Date.UTC(2026, 11, 1);
const kills = lawRuns(200);

const zones = ["UTC", "Europe/Berlin", "America/New_York", "America/Santiago", "Australia/Lord_Howe", "Asia/Kathmandu"];
/** `single` = it has one time on each of its days. */
const schedules: readonly (Pick<CronSchedule, "cron"> & {
  readonly missed: "run" | "skip";
  readonly single: boolean;
  matches(wall: Wall): boolean;
})[] = [
  { cron: "30 2 * * *", missed: "run", single: true, matches: ({ hour, minute }) => hour === 2 && minute === 30 },
  {
    cron: "0 9 * * 1-5",
    missed: "skip",
    single: true,
    matches: ({ hour, minute, weekday }) => hour === 9 && minute === 0 && weekday >= 1 && weekday <= 5,
  },
  {
    cron: "0 */12 * * *",
    missed: "run",
    single: false,
    matches: ({ hour, minute }) => hour % 12 === 0 && minute === 0,
  },
  {
    cron: "45 1 * * 0",
    missed: "run",
    single: true,
    matches: ({ hour, minute, weekday }) => hour === 1 && minute === 45 && weekday === 0,
  },
];

interface Wall {
  readonly day: string;
  readonly hour: number;
  readonly minute: number;
  readonly weekday: number;
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** Lists the wall-clock times of a zone at each quarter of an hour. */
function wallTimes(zone: string): readonly (Wall & { readonly at: number })[] {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    weekday: "short",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
  });
  const walls: (Wall & { readonly at: number })[] = [];
  for (let at = begin; at <= end; at += 15 * minuteMs) {
    const [, weekday = "", day = "", hour, minute] = /^(\w+), ([\d/]+), (\d+):(\d+)$/.exec(format.format(at)) ?? [];
    walls.push({ at, day, hour: Number(hour), minute: Number(minute), weekday: weekdays.indexOf(weekday) });
  }
  return walls;
}

/**
 * The requirement, without the library: a time of the wall clock is due once, at its first occurrence. One that the clock jumps over
 * is due at the end of the jump if the schedule has no other time on that day.
 */
function expectedTimes(walls: ReturnType<typeof wallTimes>, { matches, single }: (typeof schedules)[number]): number[] {
  const seen = new Set<string>();
  const due: number[] = [];
  walls.forEach((wall, index) => {
    const before = walls[index - 1];
    const key = `${wall.day} ${wall.hour}:${wall.minute}`;
    const minutes = wall.hour * 60 + wall.minute;
    const previous =
      before === undefined ? minutes - 15 : before.hour * 60 + before.minute - (before.day === wall.day ? 0 : 24 * 60);
    let isDue = matches(wall) && !seen.has(key);
    for (let skipped = previous + 15; single && skipped < minutes; skipped += 15)
      isDue ||= matches({ ...wall, hour: Math.floor(skipped / 60), minute: skipped % 60 });
    seen.add(key);
    if (isDue && wall.at > begin) due.push(wall.at);
  });
  return due;
}

/** Returns numbers from 0 to 1 that are the same in every run. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function openTables() {
  const database = new Database(":memory:");
  const sql = readFileSync(new URL("../../store/migrations/0015_automations.sql", import.meta.url), "utf8");
  database.exec(sql.replaceAll("--> statement-breakpoint", ""));
  return createAutomations(database);
}

interface Look {
  readonly at: number;
  /** The rows that were added at it, and those of one look that belong to the same automation. */
  readonly due: readonly DueRow[];
  readonly busy: ReadonlySet<string>;
}

test("over years in six zones, with sleeps, clock changes and kills, every due time has one row and runs at most once", async () => {
  const random = makeRandom(20_261_129);
  const store = openTables();
  const expected = new Map<string, readonly number[]>();
  for (const zone of zones) {
    const walls = wallTimes(zone);
    schedules.forEach((schedule, index) => {
      const id = `${zone.replaceAll(/\W/g, "-")}-${index}`;
      expected.set(id, expectedTimes(walls, schedule));
      const automation: StoredAutomation = {
        id,
        name: id,
        projectId: asId<ProjectId>("p"),
        prompt: "Look",
        mode: "ask",
        cardMinutes: 15,
        trigger: { kind: "time", zone, cron: schedule.cron, missed: schedule.missed },
        isOn: true,
        rules: [],
        failures: 0,
        checkedUntil: begin,
      };
      store.save(automation, begin);
    });
  }
  const policy = (id: string): "run" | "skip" => (id.endsWith("-1") ? "skip" : "run");
  const allTimes = [...new Set([...expected.values()].flat())].toSorted((a, b) => a - b);
  const read = await loadSchedules();

  let now = begin;
  const looks: Look[] = [];
  const effects: { readonly key: string; readonly at: number }[] = [];
  const hostOf = (id: string): string => id.slice(0, -2);

  /** A process: everything in memory goes with it. */
  const startProcess = () => {
    let isAlive = true;
    const automations = new Map(store.list().map((one) => [one.id, one]));
    const active = new Map<string, { readonly endAt: number; finish(end: AutomationEnd): void }>();
    const queue = makeRunQueue({
      store,
      hostOf,
      now: () => now,
      missedPolicy: policy,
      ended: () => {},
      reportBug(error) {
        throw error;
      },
      run: ({ automationId, scheduledFor }) => {
        expect([...active.keys()].map(hostOf)).not.toContain(hostOf(automationId));
        effects.push({ key: `${automationId} ${scheduledFor}`, at: now });
        return new Promise((finish) => active.set(automationId, { endAt: now + random() * 90 * minuteMs, finish }));
      },
    });
    queue.recover();
    const firing = makeFiring({
      store: {
        addDue(rows, checked) {
          const busy = new Set([...automations.keys()].filter(queue.isBusy));
          const added = store.addDue(rows, checked);
          looks.push({ at: now, due: added, busy });
          return added;
        },
      },
      schedules: read,
      automations: () => [...automations.values()],
      isBusy: queue.isBusy,
      checked(id, checkedUntil) {
        const automation = automations.get(id);
        if (automation !== undefined) automations.set(id, { ...automation, checkedUntil });
      },
      start(rows) {
        if (isAlive && !diesBeforeEffect) for (const row of rows) queue.add(row);
      },
      now: () => now,
    });
    return {
      look: firing.look,
      active,
      nextEnd: () => Math.min(Infinity, ...[...active.values()].map(({ endAt }) => endAt)),
      endDue() {
        for (const [id, { endAt, finish }] of active)
          if (endAt <= now) {
            active.delete(id);
            finish({ outcome: "done" });
          }
      },
      die: () => void (isAlive = false),
    };
  };

  let diesBeforeEffect = false;
  let killed = 0;
  let life = startProcess();
  const restart = (): void => {
    life.die();
    killed += 1;
    diesBeforeEffect = false;
    now += random() < 0.5 ? random() * 10 * minuteMs : random() * 40 * hourMs;
    life = startProcess();
  };
  let steps = 0;
  while (now < end) {
    steps += 1;
    diesBeforeEffect = killed < kills && random() < 0.01;
    const sleepMs = (await life.look()) ?? minuteMs;
    // A run begins in a microtask.
    await new Promise((resolve) => setImmediate(resolve));
    const dice = random();
    if (diesBeforeEffect || (killed < kills && (dice < 0.02 || (life.active.size > 0 && dice < 0.03)))) restart();
    else if (dice > 0.995) now -= random() * 5 * hourMs;
    else if (dice > 0.985) now += random() * 60 * hourMs;
    else {
      const nextDue = allTimes.find((at) => at > now) ?? end;
      const wake = sleepMs < minuteMs ? now + sleepMs : Math.max(now + minuteMs, nextDue - random() * minuteMs);
      now = Math.max(now + 1, Math.min(wake, life.nextEnd()));
    }
    life.endDue();
    await new Promise((resolve) => setImmediate(resolve));
  }
  now = end;
  await life.look();

  expect(killed).toBe(kills);
  const counts = new Map<string, number>();
  for (const { key } of effects) counts.set(key, (counts.get(key) ?? 0) + 1);
  expect([...counts.values()].every((count) => count === 1)).toBe(true);

  const lookOf = new Map<string, Look>();
  for (const look of looks) for (const row of look.due) lookOf.set(`${row.automationId} ${row.scheduledFor}`, look);
  const seen = { ran: 0, missed: 0, overlap: 0, interrupted: 0, late: 0 };
  for (const [id, times] of expected) {
    const rows = store.runs(id, 100_000).toReversed();
    expect(
      rows.map(({ scheduledFor }) => scheduledFor),
      id,
    ).toEqual(times);
    for (const row of rows) {
      const key = `${id} ${row.scheduledFor}`;
      const look = lookOf.get(key);
      if (look === undefined) throw new Error(`no look added ${key}`);
      const isNewest = look.due.every((one) => one.automationId !== id || one.scheduledFor <= row.scheduledFor);
      const allowedMs = policy(id) === "run" ? automationLateHours * hourMs : onTimeMs;
      const couldStart = isNewest && look.at - row.scheduledFor <= allowedMs;
      const began = effects.find((effect) => effect.key === key);
      if (!couldStart) expect([row.outcome, began], key).toEqual(["missed", undefined]);
      else if (look.busy.has(id)) expect([row.outcome, began], key).toEqual(["overlap", undefined]);
      else if (began === undefined)
        // Only a kill before the effect, and a restart too late for it.
        expect(row.outcome === "missed" || row.outcome === undefined, key).toBe(true);
      else {
        expect(["done", "interrupted", undefined], key).toContain(row.outcome);
        seen.ran += 1;
        if (row.outcome === "interrupted") seen.interrupted += 1;
        if (began.at - row.scheduledFor > hourMs) seen.late += 1;
      }
      if (row.outcome === "missed") seen.missed += 1;
      if (row.outcome === "overlap") seen.overlap += 1;
    }
  }
  // The world was hard enough to mean something.
  expect(Math.min(...Object.values(seen)), JSON.stringify({ ...seen, steps })).toBeGreaterThan(5);
});
