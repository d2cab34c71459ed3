/** Tests of the cached view of a log: always equal to the fold of the log, with newer events and with damage. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import { isDurable } from "@/lib/events/event";
import { fold, foldLog } from "@/lib/view/fold";
import type { SessionId } from "@/lib/events/id";
import { lawRuns } from "@/lib/testing/law-runs";
import { arbitraryLog, durableEvents, testSessionId } from "@/lib/testing/test-log";
import { emptyView } from "@/lib/view/view";
import type { ViewPart } from "@/server/store/sessions/view-parts";
import { isCacheable, cacheViewSteps, cachedSeq, readCachedView } from "./cached-view";
import { programHash, finishLoad, loadSteps } from "./load";
import type { Session } from "../core/session-types";
import { promptAndWait, type TestHarness, makeTestHarness, textAnswer } from "../testing/test-harness";
import { keptViewEvents } from "./registry";

function drain<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** A store in memory with this log. */
function storeOf(events: ReturnType<typeof durableEvents>) {
  const parts = new Map<number, ViewPart>();
  const rows = events.map(({ seq, at, event }) => ({ v: 1, seq, at, event }));
  return {
    events: {
      read: (_id: SessionId, { afterSeq = 0, limit = rows.length }: { afterSeq?: number; limit?: number } = {}) =>
        rows.slice(afterSeq, afterSeq + limit),
    },
    viewParts: {
      read: (_id: SessionId, part: number) => parts.get(part),
      hash: (_id: SessionId, part: number) => parts.get(part)?.hash,
      write: (_id: SessionId, part: number, content: ViewPart) => void parts.set(part, content),
    },
  };
}

test("cached at any event of a random log and folded on from there, the view equals that of the whole log", () => {
  let reused = 0;
  fc.assert(
    fc.property(arbitraryLog(true), fc.nat(), (log, choice) => {
      const events = durableEvents(log);
      const cuts = events
        .map((_, index) => index + 1)
        .filter((cut) => isCacheable(foldLog(emptyView(testSessionId), events.slice(0, cut))));
      const cut = cuts[choice % Math.max(1, cuts.length)];
      fc.pre(cut !== undefined);
      reused += 1;
      const store = storeOf(events);
      // As in a running session: live events were folded in between.
      const end = log.envelopes.findIndex((one) => isDurable(one) && one.seq === cut);
      const before = log.envelopes.slice(0, end + 1).reduce(fold, emptyView(testSessionId));
      drain(cacheViewSteps(before, store, "code"));
      const restored = drain(readCachedView(testSessionId, store, "code"));
      expect(restored).toEqual(foldLog(emptyView(testSessionId), events.slice(0, cut)));
      const whole = foldLog(emptyView(testSessionId), events);
      expect(foldLog(restored ?? emptyView(testSessionId), events.slice(cut))).toEqual(whole);
    }),
    { numRuns: lawRuns(150) },
  );
  expect(reused).toBeGreaterThan(lawRuns(100));
});

test("entries of any length are stored in parts of limited length, and read back unchanged", () => {
  const bound = 256_000;
  const character = fc.constantFrom("a", "\n", '"', "\\", "的", "😀", "\u2028", "\0", "\ud83d", "\ude00");
  const run = fc.tuple(character, fc.constantFrom(1, 100, bound - 60, bound / 2, bound, 3 * bound));
  const text = fc.array(run, { maxLength: 3 }).map((runs) => runs.map(([one, count]) => one.repeat(count)).join(""));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), fc.constantFrom(1, 700), (texts, times) => {
      const details = [...texts, ...Array.from({ length: times }, () => "small")];
      const events = details.map((detail, index) => ({
        v: 1 as const,
        sessionId: testSessionId,
        seq: index + 1,
        at: 1_000 + index,
        event: { type: "error", error: { code: "internal", detail } } as const,
      }));
      const view = foldLog(emptyView(testSessionId), events);
      const store = storeOf(events);
      let steps = 0;
      for (const _step of cacheViewSteps(view, store, "code")) steps += 1;
      const parts = Array.from(
        { length: steps },
        (_, index) => store.viewParts.read(testSessionId, index + 1)?.body ?? "",
      );
      expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(bound);
      expect(Math.max(...parts.map((part) => part.split("\n").length - 1))).toBeLessThanOrEqual(512);
      // As in the database: half of a surrogate pair would be lost.
      for (const part of parts) expect(Buffer.from(part).toString()).toBe(part);
      expect(drain(readCachedView(testSessionId, store, "code"))).toEqual(view);
    }),
    { numRuns: lawRuns(12) },
  );
});

const addedEvents = keptViewEvents + 10;

/** A long session with a cached view, and a process that has just started. */
async function longSession(): Promise<{ readonly harness: TestHarness; readonly session: Session }> {
  const harness = await makeTestHarness();
  const session = harness.session();
  harness.script(textAnswer("Hello."));
  await promptAndWait(session, "go");
  await harness.restart();
  const from = harness.store.events.read(session.id).length;
  const rows = Array.from({ length: addedEvents }, (_, index) => ({
    seq: from + index + 1,
    at: 1_000 + index,
    event: { type: "error", error: { code: "internal", detail: `Trouble ${index}` } } as const,
  }));
  harness.store.events.commit({ sessionId: session.id, rows });
  harness.reload(session);
  await eventually(() => expect(cachedSeq(session.id, harness.store, programHash())).toBe(from + addedEvents));
  await harness.restart();
  return { harness, session };
}

/** Loads a session; returns the number of log rows read, and its view. */
function load(harness: TestHarness, id: SessionId) {
  let rows = 0;
  const read: TestHarness["store"]["events"]["read"] = (sessionId, options) => {
    const found = harness.store.events.read(sessionId, options);
    rows += found.length;
    return found;
  };
  const view = finishLoad(loadSteps({ store: { ...harness.store, events: { ...harness.store.events, read } } }, id));
  return { rows, view };
}

const foldStoredLog = (harness: TestHarness, id: SessionId) =>
  foldLog(
    emptyView(id),
    harness.store.events.read(id).map(({ seq, at, event }) => ({ v: 1, sessionId: id, seq, at, event })),
  );

test("a long session is opened without reading its log, and with newer events", async () => {
  const { harness, session } = await longSession();
  const first = load(harness, session.id);
  expect(first.view).toEqual(foldStoredLog(harness, session.id));
  // Only the last event of the cached view is checked.
  expect(first.rows).toBe(1);
  harness.script(textAnswer("Again."));
  await promptAndWait(harness.reload(session), "go on");
  await harness.restart();
  const second = load(harness, session.id);
  expect(second.view).toEqual(foldStoredLog(harness, session.id));
  expect(second.rows).toBeLessThan(50);
});

test.each<[string, (harness: TestHarness, id: SessionId) => void]>([
  ["the head is damaged", ({ store }, id) => store.viewParts.write(id, 0, { hash: "0", body: "{" })],
  [
    "a part is damaged",
    ({ store }, id) => {
      const part = store.viewParts.read(id, 2);
      if (part === undefined) throw new Error("no part");
      store.viewParts.write(id, 2, { ...part, body: part.body.replace("Trouble", "Double!") });
    },
  ],
  ["a part is of another time", ({ store }, id) => store.viewParts.write(id, 1, { hash: "1", body: "[]" })],
  [
    "another program kept it",
    ({ store }, id) => {
      const view = finishLoad(loadSteps({ store }, id));
      if (view !== null) drain(cacheViewSteps({ ...view, title: "Folded otherwise" }, store, "another"));
    },
  ],
  [
    "it is of another log",
    ({ store }, id) => {
      const view = finishLoad(loadSteps({ store }, id));
      if (view !== null)
        drain(
          cacheViewSteps({ ...view, title: "Another", seq: view.seq - 1 }, storeWithOtherTimes(store), programHash()),
        );
    },
  ],
])("when %s the log is folded", async (_case, damage) => {
  const { harness, session } = await longSession();
  damage(harness, session.id);
  const { view, rows } = load(harness, session.id);
  expect(view).toEqual(foldStoredLog(harness, session.id));
  expect(rows).toBeGreaterThan(addedEvents);
});

/** Returns events with other times. */
const storeWithOtherTimes = (store: TestHarness["store"]) => ({
  viewParts: store.viewParts,
  events: {
    read: (...args: Parameters<typeof store.events.read>) =>
      store.events.read(...args).map((row) => ({ ...row, at: row.at + 1 })),
  },
});
