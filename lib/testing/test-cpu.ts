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
