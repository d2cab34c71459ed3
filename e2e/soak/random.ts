/** Reproducible randomness: the same seed gives the same plan of kills and cuts. */

export interface Random {
  /** 0 ≤ x < 1 */
  next(): number;
  /** A whole number, both ends included. */
  between(from: number, to: number): number;
  chance(share: number): boolean;
  shuffled<T>(items: readonly T[]): readonly T[];
}

/** Mulberry32: small, evenly distributed, and the same on every machine. */
export function makeRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    between,
    chance: (share) => next() < share,
    shuffled(items) {
      const rest = [...items];
      return items.flatMap(() => rest.splice(between(0, rest.length - 1), 1));
    },
  };
}

/** Waits; the timing of a kill is its random part. */
export const waitMs = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Polls until the result is not undefined; rejects with `description` after `limitMs`, which is long because machines of
 * any speed run this.
 */
export async function pollUntil<T>(
  description: string,
  probe: () => Promise<T | undefined> | T | undefined,
  limitMs = 60_000,
) {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new Error(`timed out waiting for ${description}`);
    await waitMs(pollMs);
  }
}

const pollMs = 5;
