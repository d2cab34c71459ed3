/** CPU time measurement for tests, independent of other load on the machine. */

/** Returns the CPU time of `work`, ms. */
export function measureCpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** Measurements below this are noise. */
const minMeasuredMs = 20;

/** Ratio of the CPU times of `large` and `small`; minimum of three runs each, to exclude garbage collection. */
export function cpuRatio(large: () => void, small: () => void): number {
  const best = (work: () => void): number => Math.min(...[1, 2, 3].map(() => measureCpuMs(work)));
  return best(large) / Math.max(best(small), minMeasuredMs);
}
