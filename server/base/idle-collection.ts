/**
 * Collects garbage when nothing is running. V8 keeps the memory of a finished run (about 50 MB after some long answers) until
 * it needs it again, and on the same machine the model needs it.
 */
import { getHeapStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Time without activity before a collection, ms. */
const idleMs = 2_000;
/**
 * A collection shrinks the young generation (up to 32 MB) only when little was allocated in the five seconds before it, and the
 * next one gives its pages back. V8's one call for all of it holds the event loop for 100 ms.
 */
const calmMs = 5_200;
const collectionsMax = 5;
/** The heap has to grow by this since the last collection; with less room than this it is small. */
const minGrowthBytes = 8_388_608;
/** A collection holds the event loop for about half a millisecond for each megabyte in use; larger heaps are left to V8. */
const maxUsedBytes = 67_108_864;

interface IdleCollectionOptions {
  /** A run is active. */
  isBusy(): boolean;
  now(): number;
  /** Bytes that the heap has, and those in use. */
  readonly heap?: () => { readonly totalBytes: number; readonly usedBytes: number };
  readonly collect?: () => void;
}

interface IdleCollection {
  /** Reports activity: a collection follows when there was none for some seconds. */
  active(): void;
  close(): void;
}

export function makeIdleCollection({
  isBusy,
  now,
  heap = readHeap,
  collect = collectGarbage,
}: IdleCollectionOptions): IdleCollection {
  let timer: NodeJS.Timeout | null = null;
  let activeAt = 0;
  let sizeBefore = heap().totalBytes;
  let left = 0;
  const look = (): void => {
    timer = null;
    const waitMs = activeAt + idleMs - now();
    if (waitMs > 0 || isBusy()) return wait(Math.max(waitMs, idleMs / 2));
    const before = heap();
    if (before.totalBytes - sizeBefore >= minGrowthBytes) left = collectionsMax;
    if (left === 0 || before.usedBytes > maxUsedBytes) return;
    collect();
    const { totalBytes, usedBytes } = heap();
    sizeBefore = totalBytes;
    const isSmall = totalBytes - usedBytes < minGrowthBytes;
    left = isSmall ? Math.min(left - 1, 1) : left - 1;
    if (left > 0) wait(isSmall ? idleMs : calmMs);
  };
  const wait = (ms: number): void => {
    timer = setTimeout(look, ms).unref();
  };
  return {
    active() {
      activeAt = now();
      if (timer === null) wait(idleMs);
    },
    close() {
      if (timer !== null) clearTimeout(timer);
    },
  };
}

function readHeap() {
  const { total_heap_size: totalBytes, used_heap_size: usedBytes } = getHeapStatistics();
  return { totalBytes, usedBytes };
}

/** `gc` exists in contexts that are made after its flag was set. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  const collectAll: unknown = runInNewContext("gc");
  if (typeof collectAll === "function") collectAll();
}
