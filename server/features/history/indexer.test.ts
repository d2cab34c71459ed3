import { expect, onTestFinished, test, vi } from "vitest";
import type { DurableEvent } from "@/lib/event";
import { asId, type MessageId, type SessionId } from "@/lib/id";
import { openedStore, session } from "../../store/__fixtures__/home";
import { type IndexerOptions, makeIndexer } from "./indexer";

vi.setConfig({ testTimeout: 30_000 });

const never = 1_000_000;
/** However busy the machine is. */
const soon = <T>(look: () => T) => expect.poll(look, { interval: 5 });

/** A real store with one session, and an indexer of it; `said` adds a message. */
function rig(options: Partial<IndexerOptions> = {}) {
  const store = openedStore();
  const project = store.projects.open({ path: "/p", name: "p" }, 1);
  const sessionId = asId<SessionId>("s1");
  store.events.create({ session: session("s1", project.id), rows: [] });
  let opened = 0;
  const told: unknown[] = [];
  const indexer = makeIndexer({
    open() {
      opened += 1;
      return store.history();
    },
    isBusy: () => false,
    bug: (error) => void told.push(error),
    startMs: never,
    retryMs: never,
    waitMs: never,
    ...options,
  });
  onTestFinished(() => indexer.close());
  const said = (text: string): void => {
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
    indexer.touch();
  };
  const found = async (query: string): Promise<number> => (await indexer.fresh()).search({ query }).hits.length;
  return { store, indexer, said, found, told, opened: () => opened };
}

test("begins by itself some time after the start, and goes on to the end", async () => {
  const { store, said, told } = rig({ startMs: 1 });
  for (let count = 0; count < 200; count += 1) said(`walrus ${count}`);
  const history = await store.history();
  await soon(() => history.search({ query: "walrus 199" }).hits.length).toBe(1);
  await soon(() => history.isComplete()).toBe(true);
  expect(history.share()).toBe(1);
  expect(told).toEqual([]);
});

test("opens nothing before its time or the first question; the question waits for what is left to do", async () => {
  const { said, found, opened } = rig();
  said("a walrus");
  expect(opened()).toBe(0);
  expect(await found("walrus")).toBe(1);
  expect(await found("walrus")).toBe(1);
  expect(opened()).toBe(1);
});

test("what was said since the last question is in the answer to the next, also while something runs", async () => {
  const { said, found } = rig({ isBusy: () => true });
  expect(await found("walrus")).toBe(0);
  said("a walrus");
  expect(await found("walrus")).toBe(1);
});

test("a question before the time of the first step begins it, however much there is", async () => {
  const { store, said, indexer } = rig({ waitMs: 1 });
  for (let count = 0; count < 1_500; count += 1) said(`walrus ${count} ${"word ".repeat(200)}${count}`);
  const history = await indexer.fresh();
  await soon(() => history.isComplete()).toBe(true);
  expect(history.search({ query: '"walrus 0"' }).hits).toHaveLength(1);
  expect(store.sessions.get(asId<SessionId>("s1"))?.lastSeq).toBe(3_000);
});

test("what was said is looked for by itself once somebody has asked", async () => {
  const { store, said, found } = rig();
  await found("walrus");
  said("a walrus");
  const history = await store.history();
  await soon(() => history.search({ query: "walrus" }).hits.length).toBe(1);
});

test("a step that fails is told once however much is said, keeps nobody from asking, and is tried again", async () => {
  const { store, indexer, said, found, told } = rig();
  const again = rig({ retryMs: 1 });
  await found("walrus");
  (await store.history()).close();
  said("a walrus");
  await soon(() => told.length).toBe(1);
  for (let count = 0; count < 50; count += 1) said("more");
  expect(told).toHaveLength(1);
  await expect(indexer.fresh()).resolves.toBeDefined();
  expect(told).toHaveLength(2);
  await again.found("walrus");
  (await again.store.history()).close();
  again.said("a walrus");
  await soon(() => again.told.length).toBeGreaterThan(3);
});
