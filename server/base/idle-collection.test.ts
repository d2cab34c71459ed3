import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eventually } from "@/lib/testing/test-waits";
import { makeIdleCollection } from "./idle-collection";

const megabytes = 1_048_576;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Each collection frees what is used beyond 20 MB; the heap keeps its size until the third one. */
function makeRig() {
  const heap = { totalBytes: 20 * megabytes, usedBytes: 16 * megabytes };
  const rig = { heap, isBusy: false, count: 0 };
  const collection = makeIdleCollection({
    isBusy: () => rig.isBusy,
    now: () => Date.now(),
    heap: () => ({ ...heap }),
    collect() {
      rig.count += 1;
      heap.usedBytes = Math.min(heap.usedBytes, 20 * megabytes);
      if (rig.count === 3) heap.totalBytes = 22 * megabytes;
    },
  });
  return { rig, collection };
}

test("a heap that grew is collected some seconds after the last activity, until it is small, and once more", async () => {
  const { rig, collection } = makeRig();
  rig.heap.totalBytes = 60 * megabytes;
  collection.active();
  await vi.advanceTimersByTimeAsync(1_500);
  collection.active();
  await vi.advanceTimersByTimeAsync(1_900);
  expect(rig.count).toBe(0);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(rig.count).toBe(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(rig.count).toBe(4);
  collection.active();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(rig.count).toBe(4);
});

test("a heap that stays large is collected five times", async () => {
  const { rig, collection } = makeRig();
  rig.heap.totalBytes = 60 * megabytes;
  rig.count = 3;
  collection.active();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(rig.count).toBe(8);
});

test("nothing is collected while a run is active, in a heap that did not grow, or in one with much in use", async () => {
  const { rig, collection } = makeRig();
  collection.active();
  await vi.advanceTimersByTimeAsync(10_000);
  rig.heap.totalBytes = 60 * megabytes;
  rig.isBusy = true;
  collection.active();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(rig.count).toBe(0);
  rig.isBusy = false;
  rig.heap.usedBytes = 100 * megabytes;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(rig.count).toBe(0);
});

test("the collection of V8 frees what nothing refers to", async () => {
  let collected = 0;
  const registry = new FinalizationRegistry(() => (collected += 1));
  registry.register({ big: new Array(1_000) }, null);
  const sizes = [0, 100 * megabytes];
  const collection = makeIdleCollection({
    isBusy: () => false,
    now: () => Date.now(),
    heap: () => ({ totalBytes: sizes.shift() ?? 0, usedBytes: 0 }),
  });
  collection.active();
  await vi.advanceTimersByTimeAsync(10_000);
  vi.useRealTimers();
  await eventually(() => expect(collected).toBe(1));
});
