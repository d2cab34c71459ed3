import { expect, test } from "vitest";
import { makeTransferRateMeter } from "./transfer-rate";

function start() {
  let at = 0;
  const meter = makeTransferRateMeter(() => at);
  /** So many bytes arrive after this time. */
  const receive = (received: number, ms: number, isRetrying = false): void => {
    at += ms;
    meter.add({ received, isRetrying });
  };
  return { meter, receive };
}

test("the remaining time is what is missing at the speed of the last seconds, and unknown without one", () => {
  const { meter, receive } = start();
  expect(meter.rate(10_000)).toEqual({});
  receive(4_000, 2_000);
  expect(meter.rate(5_001)).toEqual({ bytesPerSecond: 2_000, secondsLeft: 3 });
  receive(0, 10_000);
  expect(meter.rate(5_001)).toEqual({});
});

test("the time without a connection does not count", () => {
  const { meter, receive } = start();
  receive(4_000, 2_000);
  receive(0, 5_000, true);
  expect(meter.rate(5_001)).toEqual({});
  receive(4_000, 1_000);
  expect(meter.rate(4_000)).toEqual({ bytesPerSecond: 4_000, secondsLeft: 1 });
});
