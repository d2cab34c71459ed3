import { expect, onTestFinished, test, vi } from "vitest";
import type { DurableEvent } from "@/lib/events/event";
import { asId, type MessageId, type SessionId } from "@/lib/events/id";
import { openTestStore, newSessionRow } from "@/server/store/__fixtures__/home";
import { type IndexerOptions, makeIndexer } from "./indexer";

vi.setConfig({ testTimeout: 30_000 });

const never = 1_000_000;
/** Polls without a time limit of its own, for slow machines. */
const soon = <T>(probe: () => T) => expect.poll(probe, { interval: 5 });

/** A real store with one session, and an indexer over it; `addMessage` adds a message. */
function rig(options: Partial<IndexerOptions> = {}) {
  const store = openTestStore();
  const project = store.projects.open({ path: "/p", name: "p" }, 1);
  const sessionId = asId<SessionId>("s1");
  store.events.create({ session: newSessionRow("s1", project.id), rows: [] });
  let opened = 0;
  const errors: unknown[] = [];
  const indexer = makeIndexer({
    open() {
      opened += 1;
      return store.history();
    },
    isBusy: () => false,
    reportBug: (error) => void errors.push(error),
    startMs: never,
    retryMs: never,
    waitMs: never,
    ...options,
  });
  onTestFinished(() => indexer.close());
  const addMessage = (text: string): void => {
    const last = store.sessions.get(sessionId)?.lastSeq ?? 0;
    const messageId = asId<MessageId>(`m${last}`);
    const events: readonly DurableEvent[] = [
      { type: "message_start", messageId, role: "user" },
      { type: "message_end", messageId, blocks: [{ type: "text", text }], stop: "done" },
    ];
    store.events.commit({
      sessionId,
      rows: events.map((event, index) => ({ seq: last + 1 + index, at: 1_000, event })),
    });
    indexer.notifyLogChange();
  };
  const found = async (query: string): Promise<number> => (await indexer.upToDateStore()).search({ query }).hits.length;
  return { store, indexer, addMessage, found, errors, opened: () => opened };
}

test("starts by itself after the start delay, and indexes everything", async () => {
  const { store, addMessage, errors } = rig({ startMs: 1 });
  for (let count = 0; count < 200; count += 1) addMessage(`walrus ${count}`);
  const history = await store.history();
  await soon(() => history.search({ query: "walrus 199" }).hits.length).toBe(1);
  await soon(() => history.isComplete()).toBe(true);
  expect(history.indexedShare()).toBe(1);
  expect(errors).toEqual([]);
});

test("opens nothing before its delay or the first query; the query waits for the remaining work", async () => {
  const { addMessage, found, opened } = rig();
  addMessage("a walrus");
  expect(opened()).toBe(0);
  expect(await found("walrus")).toBe(1);
  expect(await found("walrus")).toBe(1);
  expect(opened()).toBe(1);
});

test("events since the last query are in the next result, also during a run", async () => {
  const { addMessage, found } = rig({ isBusy: () => true });
  expect(await found("walrus")).toBe(0);
  addMessage("a walrus");
  expect(await found("walrus")).toBe(1);
});

test("a query before the first scheduled step starts indexing, whatever the amount", async () => {
  const { store, addMessage, indexer } = rig({ waitMs: 1 });
  for (let count = 0; count < 1_500; count += 1) addMessage(`walrus ${count} ${"word ".repeat(200)}${count}`);
  const history = await indexer.upToDateStore();
  await soon(() => history.isComplete()).toBe(true);
  expect(history.search({ query: '"walrus 0"' }).hits).toHaveLength(1);
  expect(store.sessions.get(asId<SessionId>("s1"))?.lastSeq).toBe(3_000);
});

test("new events are indexed without a query once one was made", async () => {
  const { store, addMessage, found } = rig();
  await found("walrus");
  addMessage("a walrus");
  const history = await store.history();
  await soon(() => history.search({ query: "walrus" }).hits.length).toBe(1);
});

test("a failing step is reported once regardless of new events, blocks no query, and is retried", async () => {
  const { store, indexer, addMessage, found, errors } = rig();
  const again = rig({ retryMs: 1 });
  await found("walrus");
  (await store.history()).close();
  addMessage("a walrus");
  await soon(() => errors.length).toBe(1);
  for (let count = 0; count < 50; count += 1) addMessage("more");
  expect(errors).toHaveLength(1);
  await expect(indexer.upToDateStore()).resolves.toBeDefined();
  expect(errors).toHaveLength(2);
  await again.found("walrus");
  (await again.store.history()).close();
  again.addMessage("a walrus");
  await soon(() => again.errors.length).toBeGreaterThan(3);
});
