/** A log that is read before it is asked for: the same session as ever, whatever happened in between. */
import { expect, test } from "vitest";
import { asId, type SessionId } from "@/lib/id";
import { limits } from "@/lib/settings";
import type { Session } from "./session";
import { ask, type House, makeHouse, says } from "./test-services";

/** So many more events in the log of a session that no process has in memory. */
function grow(house: House, session: Session, count: number): void {
  const from = house.store.events.read(session.id).length;
  const rows = Array.from({ length: count }, (_, index) => ({
    seq: from + index + 1,
    at: 1_000 + index,
    event: { type: "session_update", title: `Title ${from + index + 1}` } as const,
  }));
  house.store.events.commit({ sessionId: session.id, rows });
}

/** A long log, and a process that has just started. */
async function longLog(): Promise<{ readonly house: House; readonly session: Session; readonly events: number }> {
  const house = await makeHouse();
  const session = house.session();
  house.script(says("Hello."));
  await ask(session, "go");
  house.restart();
  grow(house, session, 3 * limits.loadEvents);
  return { house, session, events: house.store.events.read(session.id).length };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const turns = async (count: number): Promise<void> => {
  for (let done = 0; done < count; done += 1) await turn();
};

test.each([
  ["before anything was read", 0],
  ["in the middle", 2],
  ["after all of it was read", 20],
])("opened %s it is what its log says", async (_when, waited) => {
  const { house, session, events } = await longLog();
  house.registry().prepare(session.id);
  await turns(waited);
  const { view } = house.again(session);
  expect([view.seq, view.title]).toEqual([events, `Title ${events}`]);
  house.restart();
  expect(house.again(session).view).toEqual(view);
});

test.each([
  ["while it is read", 2],
  ["after it was read", 20],
])("what is written to the log %s is there", async (_when, waited) => {
  const { house, session, events } = await longLog();
  house.registry().prepare(session.id);
  await turns(waited);
  grow(house, session, 1);
  expect(house.again(session).view.seq).toBe(events + 1);
});

test("a run goes on in it as in any other", async () => {
  const { house, session, events } = await longLog();
  house.registry().prepare(session.id);
  await turns(20);
  const now = house.again(session);
  house.script(says("Again."));
  expect(await ask(now, "go on")).toBe("done");
  expect(house.store.events.read(session.id).map((row) => row.seq)).toEqual(
    Array.from({ length: now.view.seq }, (_, index) => index + 1),
  );
  expect(now.view.seq).toBeGreaterThan(events);
});

test("a session in memory is left alone, and one that is not there is none", async () => {
  const { house, session } = await longLog();
  const now = house.again(session);
  const nobody = asId<SessionId>("nobody");
  house.registry().prepare(session.id);
  house.registry().prepare(nobody);
  await turns(20);
  expect(house.again(session)).toBe(now);
  expect(house.registry().get(nobody)).toBeUndefined();
});

test("a log that cannot be read is told to who opens it", async () => {
  const { house, session, events } = await longLog();
  const rows = [{ seq: events + 1, at: 1, event: JSON.parse('{"type":"phase"}') }];
  house.store.events.commit({ sessionId: session.id, rows });
  house.registry().prepare(session.id);
  await turns(20);
  expect(() => house.again(session)).toThrow("not an event");
});
