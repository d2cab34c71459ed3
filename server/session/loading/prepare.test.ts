/** Tests of a log read ahead of its opening: the same session, whatever happened in between. */
import { expect, test } from "vitest";
import { asId, type SessionId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import type { Session } from "../core/session-types";
import { promptAndWait, type TestHarness, makeTestHarness, textAnswer } from "../testing/test-harness";

/** Appends events to the log of a session that no process has in memory. */
function appendEvents(harness: TestHarness, session: Session, count: number): void {
  const from = harness.store.events.read(session.id).length;
  const rows = Array.from({ length: count }, (_, index) => ({
    seq: from + index + 1,
    at: 1_000 + index,
    event: { type: "session_update", title: `Title ${from + index + 1}` } as const,
  }));
  harness.store.events.commit({ sessionId: session.id, rows });
}

/** A long log, and a process that has just started. */
async function longLog(): Promise<{
  readonly harness: TestHarness;
  readonly session: Session;
  readonly events: number;
}> {
  const harness = await makeTestHarness();
  const session = harness.session();
  harness.script(textAnswer("Hello."));
  await promptAndWait(session, "go");
  await harness.restart();
  appendEvents(harness, session, 3 * serverLimits.loadEvents);
  return { harness, session, events: harness.store.events.read(session.id).length };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const turns = async (count: number): Promise<void> => {
  for (let done = 0; done < count; done += 1) await turn();
};

test.each([
  ["before anything was read", 0],
  ["in the middle", 2],
  ["after all of it was read", 20],
])("opened %s it equals the fold of its log", async (_when, waited) => {
  const { harness, session, events } = await longLog();
  harness.registry().prepare(session.id);
  await turns(waited);
  const { view } = harness.reload(session);
  expect([view.seq, view.title]).toEqual([events, `Title ${events}`]);
  await harness.restart();
  expect(harness.reload(session).view).toEqual(view);
});

test.each([
  ["while it is read", 2],
  ["after it was read", 20],
])("an event written %s is in the view", async (_when, waited) => {
  const { harness, session, events } = await longLog();
  harness.registry().prepare(session.id);
  await turns(waited);
  appendEvents(harness, session, 1);
  expect(harness.reload(session).view.seq).toBe(events + 1);
});

test("a run continues in it as in any other", async () => {
  const { harness, session, events } = await longLog();
  harness.registry().prepare(session.id);
  await turns(20);
  const now = harness.reload(session);
  harness.script(textAnswer("Again."));
  expect(await promptAndWait(now, "go on")).toBe("done");
  expect(harness.store.events.read(session.id).map((row) => row.seq)).toEqual(
    Array.from({ length: now.view.seq }, (_, index) => index + 1),
  );
  expect(now.view.seq).toBeGreaterThan(events);
});

test("a session in memory is not reloaded, and an unknown one does not exist", async () => {
  const { harness, session } = await longLog();
  const now = harness.reload(session);
  const unknownId = asId<SessionId>("nobody");
  harness.registry().prepare(session.id);
  harness.registry().prepare(unknownId);
  await turns(20);
  expect(harness.reload(session)).toBe(now);
  expect(harness.registry().get(unknownId)).toBeUndefined();
});

test("an unreadable log throws when it is opened", async () => {
  const { harness, session, events } = await longLog();
  const rows = [{ seq: events + 1, at: 1, event: JSON.parse('{"type":"phase"}') }];
  harness.store.events.commit({ sessionId: session.id, rows });
  harness.registry().prepare(session.id);
  await turns(20);
  expect(() => harness.reload(session)).toThrow("not an event");
});
