import { expect, test } from "vitest";
import { makeTransferRateMeter } from "./transfer-rate";

test("the remaining time is what is missing at the speed of the last seconds, and unknown without one", () => {
  let at = 0;
  const meter = makeTransferRateMeter(() => at);
  expect(meter.rate(10_000)).toEqual({});
  at = 2_000;
  meter.add(4_000);
  expect(meter.rate(5_001)).toEqual({ bytesPerSecond: 2_000, secondsLeft: 3 });
  at = 12_000;
  expect(meter.rate(5_001)).toEqual({});
});
