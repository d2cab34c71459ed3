import { expect, test } from "vitest";
import { makeReconnectDelay } from "./reconnect-delay";

test("a server that ends its streams at once is asked less and less often", () => {
  let now = 0;
  const delay = makeReconnectDelay(() => now);
  const delays = Array.from({ length: 8 }, () => {
    const ms = delay(0);
    now += ms;
    return ms;
  });
  expect(delays.slice(0, 6)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
  // The last minute counts.
  expect(Math.min(...delays.slice(6))).toBeGreaterThanOrEqual(4_000);
});

test("a stream that lasted is opened again soon, or when the server asks for it", () => {
  let now = 0;
  const delay = makeReconnectDelay(() => now);
  expect(delay(1_000)).toBe(1_000);
  now += 60_000;
  expect(delay(1_000)).toBe(1_000);
  now += 60_000;
  expect(delay(5_000)).toBe(5_000);
  expect(delay(3_600_000)).toBe(30_000);
});
