/** Waits in tests for a state that no event reports. */
import { vi } from "vitest";

/** How much slower this machine is now than a quiet one, as for the limits of `vitest.config.ts`. */
const slowness = Number(process.env.GOPI_SLOWNESS ?? 4);

/** Repeats `check` until it does not throw; only a check that never passes reaches the limit. */
export const eventually = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 30_000 * slowness, interval: 10 });
