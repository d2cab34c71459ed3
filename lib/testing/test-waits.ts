/** Waits in tests for a state that no event reports. */
import { expect } from "vitest";

/** Repeats `check` until it does not throw; only a check that never passes reaches the limit of `vitest.config.ts`. */
export const eventually = (check: () => unknown): Promise<void> =>
  expect
    .poll(async () => {
      await check();
      return true;
    })
    .toBe(true);
