/** How much work something is, in CPU time of this process: what else the machine does does not count. For tests alone. */

/** CPU milliseconds that `work` takes. */
export function cpuMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Below this a measurement is noise. */
const leastMs = 20;

/** How many times the work of `small` the work of `large` is; the best of three each, since garbage collection comes when it wants. */
export function cpuRatio(large: () => void, small: () => void): number {
  const best = (work: () => void): number => Math.min(...[1, 2, 3].map(() => cpuMsOf(work)));
  return best(large) / Math.max(best(small), leastMs);
}
