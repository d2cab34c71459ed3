import { expect, test } from "vitest";
import { makeReconnectDelay, noRequestedDelay } from "./http-transport";

test("a server that ends its streams at once is asked less and less often", () => {
  let now = 0;
  const delay = makeReconnectDelay(() => now);
  const delays = Array.from({ length: 8 }, () => {
    const ms = delay(noRequestedDelay);
    now += ms;
    return ms;
  });
  expect(delays.slice(0, 6)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
  // The last minute counts.
  expect(Math.min(...delays.slice(6))).toBeGreaterThanOrEqual(4_000);
});

test("a stream that lasted is opened again soon", () => {
  let now = 0;
  const delay = makeReconnectDelay(() => now);
  expect(delay(noRequestedDelay)).toBe(1_000);
  now += 60_000;
  expect(delay(noRequestedDelay)).toBe(1_000);
});

test.each([
  [0, 100],
  [99, 100],
  [100, 100],
  [200, 200],
  [1_000, 1_000],
  [5_000, 5_000],
  [30_000, 30_000],
  [3_600_000, 30_000],
])("a server that requests %i ms is asked after %i ms, each time", (requested, obeyed) => {
  const delay = makeReconnectDelay(() => 0);
  expect(Array.from({ length: 20 }, () => delay(requested))).toEqual(Array.from({ length: 20 }, () => obeyed));
  expect(delay(noRequestedDelay)).toBe(1_000);
});
