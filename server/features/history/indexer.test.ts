import { expect, test } from "vitest";
import type { HistoryStore } from "../../store/history";
import { makeIndexer } from "./indexer";

/** A store with so many steps of work; resolves `done` when there is none left. */
const worked = (work: number) => {
  let left = work;
  let looks = 0;
  let finish = (): void => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const store: HistoryStore = {
    search: () => ({ hits: [], next: null }),
    statistics: () => ({ days: [], models: [], tools: [], sessions: 0 }),
    step() {
      if (left > 0) left -= 1;
      if (left === 0) finish();
      return left > 0;
    },
    look: () => void (looks += 1),
    isComplete: () => left === 0,
    share: () => 1,
    close: () => {},
  };
  return { store, done, left: () => left, looks: () => looks, more: (steps: number) => (left += steps) };
};
const bug = (error: unknown): never => {
  throw error;
};

test("begins by itself some time after the start, and goes on to the end", async () => {
  const { store, done, left } = worked(50);
  const indexer = makeIndexer({ open: async () => store, isBusy: () => false, bug, startMs: 1 });
  await done;
  expect(left()).toBe(0);
  indexer.close();
});

test("opens nothing before its time or the first question; the question waits for what is left to do", async () => {
  const { store, left } = worked(20);
  let opened = 0;
  const open = async () => {
    opened += 1;
    return store;
  };
  const indexer = makeIndexer({ open, isBusy: () => false, bug, startMs: 1_000_000 });
  indexer.touch();
  expect(opened).toBe(0);
  await indexer.fresh();
  expect(left()).toBe(0);
  await indexer.fresh();
  expect(opened).toBe(1);
  indexer.close();
});

test("what was touched is looked for again", async () => {
  const { store, looks, left, more } = worked(1);
  const indexer = makeIndexer({ open: async () => store, isBusy: () => false, bug, startMs: 1_000_000 });
  await indexer.fresh();
  const before = looks();
  more(3);
  indexer.touch();
  await indexer.fresh();
  expect(looks()).toBeGreaterThan(before);
  expect(left()).toBe(0);
  indexer.close();
});

test("a step that fails is told and keeps nobody from asking", async () => {
  const { store } = worked(5);
  const told: unknown[] = [];
  const broken: HistoryStore = {
    ...store,
    step() {
      throw new Error("disk full");
    },
  };
  const indexer = makeIndexer({
    open: async () => broken,
    isBusy: () => false,
    bug: (error) => told.push(error),
    startMs: 1_000_000,
  });
  expect(await indexer.fresh()).toBe(broken);
  expect(told).toHaveLength(1);
  indexer.close();
});
