/** CPU time measurement for tests, independent of other load on the machine. */
import { existsSync, readFileSync } from "node:fs";

/** Linux: run time of the calling thread in ns, waiting time and number of slices. */
const threadTimes = "/proc/thread-self/schedstat";
const hasThreadTimes = existsSync(threadTimes);

/** Returns the CPU time of this thread so far, ms; where it cannot be read, that of all threads of the process. */
function threadCpuMs(): number {
  if (hasThreadTimes) return Number(readFileSync(threadTimes, "utf8").split(" ")[0]) / 1e6;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Returns the CPU time of `work`, ms. */
export function measureCpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Returns the longest CPU time of this thread between two turns of the event loop while `work` runs, ms. */
async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = threadCpuMs();
  let isDone = false;
  const measure = (): void => {
    const now = threadCpuMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setImmediate(measure);
  };
  measure();
  await work();
  isDone = true;
  return longest;
}

/**
 * Returns how long the work that `prepare` returns holds the event loop, CPU time in ms: the least of at most 5 runs, which
 * end when one is below `limitMs`. Compilation and garbage collection only add time.
 */
export async function longestHoldMs(prepare: () => Promise<() => Promise<unknown>>, limitMs: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5 && least >= limitMs; round += 1)
    least = Math.min(least, await longestTurnMs(await prepare()));
  return least;
}

/** Measurements below this are noise. */
const minMeasuredMs = 20;

const minRounds = 3;
const maxRounds = 12;

/**
 * Returns the ratio of the CPU times of `large` and `small`, each the minimum of its rounds: other work of the process
 * (compilation, garbage collection) only adds time. Both are measured in turn, until the ratio is below `limit`, at most
 * 12 times.
 */
export function cpuRatio(large: () => void, small: () => void, limit: number): number {
  let [largeMs, smallMs] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 1; ; round += 1) {
    smallMs = Math.min(smallMs, measureCpuMs(small));
    largeMs = Math.min(largeMs, measureCpuMs(large));
    const ratio = largeMs / Math.max(smallMs, minMeasuredMs);
    if (round === maxRounds || (round >= minRounds && ratio < limit)) return ratio;
  }
}
