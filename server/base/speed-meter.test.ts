import { expect, test } from "vitest";
import { makeSpeedMeter } from "./speed-meter";

/** A transfer with a manual clock. */
function start() {
  let at = 5_000;
  const meter = makeSpeedMeter(() => at);
  /** Receives `bytes` each `ms`, `times` times. */
  const receive = (bytes: number, ms: number, times = 1): void => {
    for (let count = 0; count < times; count += 1) {
      at += ms;
      meter.add(bytes);
    }
  };
  return { meter, receive };
}

test("the speed is that of the last seconds", () => {
  const { meter, receive } = start();
  receive(1_000_000, 1_000);
  expect(meter.bytesPerSecond()).toBe(1_000_000);
  receive(100, 1_000, 20);
  expect(meter.bytesPerSecond()).toBe(100);
});

test("many small pieces count as much as a few large ones", () => {
  const { meter, receive } = start();
  receive(10, 1, 30_000);
  expect(meter.bytesPerSecond()).toBeGreaterThan(9_800);
  expect(meter.bytesPerSecond()).toBeLessThan(10_200);
});

test("the speed decreases while nothing arrives, and is unknown after a while", () => {
  const { meter, receive } = start();
  receive(50, 10, 100);
  const before = meter.bytesPerSecond();
  receive(0, 4_000);
  expect(meter.bytesPerSecond()).toBe(before / 5);
  receive(0, 6_000);
  expect(meter.bytesPerSecond()).toBe(0);
});

test("it is unknown when the transfer has just begun", () => {
  const { meter, receive } = start();
  expect(meter.bytesPerSecond()).toBe(0);
  receive(1_000_000, 1);
  expect(meter.bytesPerSecond()).toBe(0);
});
