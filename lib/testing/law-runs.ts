/** Computes how many cases of a law run. */

/** The share of the cases that `npm test` runs, with new random values each time. */
const usualShare = 0.2;
const usualMin = 20;

/** Returns `all`, the full number of cases, where GOPI_FULL is set (`npm run test:full`); otherwise a fifth, at least 20. */
export const lawRuns = (all: number): number =>
  process.env.GOPI_FULL ? all : Math.min(all, Math.max(usualMin, Math.ceil(all * usualShare)));

/** Returns `all` cases where GOPI_FULL is set, otherwise a fifth of them, one at least, chosen at random. */
export function lawCases<T>(all: readonly T[]): readonly T[] {
  if (process.env.GOPI_FULL) return all;
  const first = Math.floor(Math.random() * all.length);
  return [...all, ...all].slice(first, first + Math.ceil(all.length * usualShare));
}
