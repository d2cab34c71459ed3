/** Tests of loading: one read per session, however many callers join and leave; the view equals the fold of the log. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { foldLog } from "@/lib/view/fold";
import { asId, type ProjectId, type SessionId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { lawRuns } from "@/lib/testing/law-runs";
import { emptyView, type SessionView } from "@/lib/view/view";
import { openTestStore, newSessionRow } from "@/server/store/__fixtures__/home";
import type { Store } from "@/server/store/open-store";
import { type SessionLoads, makeSessionLoads } from "./session-loads";

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const longLog = 3 * serverLimits.loadEvents;

/** A store with one long log, and a count of its rows that were read. */
function scene() {
  const store = openTestStore();
  const projectId = store.projects.open({ path: "/here", name: "here" }, 1).id;
  let sessions = 0;
  let rows = 0;
  const events: Store["events"] = {
    ...store.events,
    read(...input) {
      const found = store.events.read(...input);
      rows += found.length;
      return found;
    },
  };
  return {
    store,
    loads: (): SessionLoads => makeSessionLoads({ store: { ...store, events } }),
    session(length: number = longLog): SessionId {
      const id = asId<SessionId>(`s${(sessions += 1)}`);
      create(store, projectId, id, length);
      return id;
    },
    rows: (): number => rows,
    folded: (id: SessionId): SessionView =>
      foldLog(
        emptyView(id),
        store.events.read(id).map(({ seq, at, event }) => ({ v: 1, sessionId: id, seq, at, event })),
      ),
  };
}

const titled = (seq: number) => ({
  seq,
  at: 1_000 + seq,
  event: { type: "session_update", title: `Title ${seq}` } as const,
});

const create = (store: Store, projectId: ProjectId, id: SessionId, length: number): void =>
  store.events.create({
    session: newSessionRow(id, projectId),
    rows: Array.from({ length }, (_, index) => titled(index + 1)),
  });

const append = (store: Store, id: SessionId): void =>
  store.events.commit({ sessionId: id, rows: [titled((store.sessions.get(id)?.lastSeq ?? 0) + 1)] });

const stay = (): AbortSignal => new AbortController().signal;

test("two callers share one read", async () => {
  const { loads: make, session: fresh, rows, folded } = scene();
  const loads = make();
  const id = fresh();
  await Promise.all([loads.begin(id, stay()), loads.begin(id, stay()), loads.wait(id, stay())]);
  expect(loads.take(id)).toEqual(folded(id));
  expect(rows()).toBe(longLog);
});

test("a read is cancelled when the last of its callers has left, and starts again for the next one", async () => {
  const { loads: make, session: fresh, rows, folded } = scene();
  const loads = make();
  const id = fresh();
  const [first, second] = [new AbortController(), new AbortController()];
  const left = Promise.allSettled([loads.begin(id, first.signal), loads.begin(id, second.signal)]);
  await turn();
  first.abort();
  await turn();
  second.abort();
  expect((await left).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  const read = rows();
  expect(read).toBeLessThan(longLog);
  for (let turns = 0; turns < 10; turns += 1) await turn();
  expect(rows()).toBe(read);
  await loads.begin(id, stay());
  expect(loads.take(id)).toEqual(folded(id));
});

test("several sessions are read in rotation, one step per turn of the event loop", async () => {
  const { loads: make, session: fresh, rows } = scene();
  const loads = make();
  const short = fresh(10);
  const ended: SessionId[] = [];
  const read = [fresh(), fresh(), short].map((id) => loads.begin(id, stay()).then(() => ended.push(id)));
  let before = rows();
  for (let turns = 0; turns < 20; turns += 1) {
    await turn();
    expect(rows() - before).toBeLessThanOrEqual(serverLimits.loadEvents);
    before = rows();
  }
  await Promise.all(read);
  expect(ended[0]).toBe(short);
});

test("a damaged log rejects each caller, and so does shutdown", async () => {
  const { store, loads: make, session: fresh } = scene();
  const loads = make();
  const id = fresh();
  const last = longLog + 1;
  store.events.commit({ sessionId: id, rows: [{ seq: last, at: 1, event: JSON.parse('{"type":"phase"}') }] });
  const results = await Promise.allSettled([loads.begin(id, stay()), loads.begin(id, stay())]);
  expect(results.map((one) => one.status === "rejected" && one.reason.message)).toEqual([
    "not an event",
    "not an event",
  ]);
  const stopped = loads.begin(fresh(), stay());
  loads.stop();
  await expect(stopped).rejects.toMatchObject({ name: "AbortError" });
});

type Step = "begin" | "wait" | "prepare" | "take" | "append" | "leave" | "turn";
const steps: readonly Step[] = ["begin", "wait", "prepare", "take", "append", "leave", "turn", "turn", "turn"];

test("for any operations between its steps, the view equals the fold of the log and callers resume in order", async () => {
  const { store, loads: make, session: fresh, folded } = scene();
  const id = fresh();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { maxLength: 25 }), async (order) => {
      const loads = make();
      const resumed: number[] = [];
      const left = new Set<number>();
      const callers: { readonly leave: AbortController; readonly end: Promise<unknown> }[] = [];
      const called = (ready: (signal: AbortSignal) => Promise<void> | null): void => {
        const index = callers.length;
        const leave = new AbortController();
        const end = ready(leave.signal)?.then(
          () => resumed.push(index),
          () => left.add(index),
        );
        if (end !== undefined) callers.push({ leave, end });
      };
      for (const step of order) {
        if (step === "begin") called((signal) => loads.wait(id, signal) ?? loads.begin(id, signal));
        if (step === "wait") called((signal) => loads.wait(id, signal));
        if (step === "prepare") loads.prepare(id);
        if (step === "take") expect(loads.take(id)).toEqual(folded(id));
        if (step === "append") append(store, id);
        if (step === "leave") callers.at(-1)?.leave.abort();
        if (step === "turn") await turn();
      }
      await Promise.all(callers.map(({ end }) => end));
      expect(resumed).toEqual(resumed.toSorted((a, b) => a - b));
      expect(resumed.length + left.size).toBe(callers.length);
      expect(loads.take(id)).toEqual(folded(id));
      loads.stop();
    }),
    { numRuns: lawRuns(60) },
  );
});
