import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import { longestHoldMs } from "@/lib/testing/test-cpu";
import { openTestStore } from "@/server/store/__fixtures__/home";
import { createAutomations, type DueRow, type StoredAutomation } from "@/server/store/automations";
import { lookBackMs } from "./decide-due";
import { makeFiring } from "./firing";
import { loadSchedules } from "./schedule-times";

const dayMs = 24 * 3_600_000;
const monday = Date.UTC(2026, 10, 30, 8, 0);

const automationAt = (id: string, cron: string, checkedUntil: number): StoredAutomation => ({
  id,
  name: id,
  projectId: asId<ProjectId>("p"),
  prompt: "Look",
  mode: "ask",
  cardMinutes: 15,
  trigger: { kind: "time", zone: "UTC", cron, missed: "run" },
  isOn: true,
  rules: [],
  failures: 0,
  checkedUntil,
});

async function makeWorld(list: readonly StoredAutomation[]) {
  const store = createAutomations(openTestStore().database);
  for (const automation of list) store.save(automation, 1);
  const automations = new Map(list.map((one) => [one.id, one]));
  const started: DueRow[] = [];
  const clock = { now: monday };
  const firing = makeFiring({
    store,
    schedules: await loadSchedules(),
    automations: () => [...automations.values()],
    isBusy: () => false,
    checked(id, checkedUntil) {
      const automation = automations.get(id);
      if (automation !== undefined) automations.set(id, { ...automation, checkedUntil });
    },
    start: (rows) => void started.push(...rows),
    now: () => clock.now,
  });
  return { store, automations, started, clock, firing };
}

test("after months away the times of a week get rows, and one run makes up for them", async () => {
  const { store, started, firing } = await makeWorld([automationAt("a", "*/30 * * * *", monday - 200 * dayMs)]);
  await firing.look();
  const rows = store.runs("a", 10_000);
  expect(rows).toHaveLength(lookBackMs / (30 * 60_000));
  expect(started.map(({ scheduledFor }) => scheduledFor)).toEqual([monday]);
  expect(rows.filter(({ outcome }) => outcome === undefined)).toHaveLength(1);
});

test("the timer waits until the next time, one minute at most, and not at all while nothing can be due", async () => {
  const { firing, automations, clock } = await makeWorld([automationAt("a", "0 9 * * *", monday)]);
  expect(await firing.look()).toBe(60_000);
  clock.now = monday + 3_600_000 - 20_000;
  expect(await firing.look()).toBe(20_000);
  automations.clear();
  expect(await firing.look()).toBe(null);
});

test("an automation that is removed while others are looked at gets no row", async () => {
  const list = Array.from({ length: 200 }, (_, index) =>
    automationAt(`a${index}`, `${index % 60} 7 * * *`, monday - dayMs),
  );
  const { firing, automations, store, started } = await makeWorld(list);
  const looking = firing.look();
  automations.delete("a199");
  store.remove("a199");
  await looking;
  expect(started).toHaveLength(199);
});

test("1,000 automations that are due at once do not hold the event loop", async () => {
  const list = Array.from({ length: 1_000 }, (_, index) =>
    automationAt(`a${index}`, `${index % 60} ${index % 7} * * *`, monday - dayMs),
  );
  const prepare = async () => {
    const { firing, started } = await makeWorld(list);
    return async (): Promise<void> => {
      await firing.look();
      expect(started).toHaveLength(1_000);
    };
  };
  expect(await longestHoldMs(prepare, 50)).toBeLessThan(50);
});
