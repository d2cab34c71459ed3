import { expect, onTestFinished, test, vi } from "vitest";
import { dayMs } from "@/lib/time/duration";
import { createLongTimer } from "./long-timer";

test.each([1, 24, 24.855, 25, 49.71, 60, 400])("a timer of %d days fires once, at its end", (days) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let runs = 0;
  createLongTimer(() => (runs += 1)).start(days * dayMs);
  vi.advanceTimersByTime(days * dayMs - 1_000);
  expect(runs).toBe(0);
  vi.advanceTimersByTime(2_000);
  expect(runs).toBe(1);
  vi.advanceTimersByTime(500 * dayMs);
  expect(runs).toBe(1);
});

test("does not fire when stopped after the first part", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let runs = 0;
  const timer = createLongTimer(() => (runs += 1));
  timer.start(60 * dayMs);
  vi.advanceTimersByTime(30 * dayMs);
  expect(timer.isRunning()).toBe(true);
  timer.stop();
  vi.advanceTimersByTime(60 * dayMs);
  expect(runs).toBe(0);
});
