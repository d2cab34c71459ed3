// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from "vitest";
import { watchWakes } from "./watch-wakes";

test("each event after which a connection may be lost is reported, and a jump of the clock once", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let wakes = 0;
  const stop = watchWakes(() => (wakes += 1));
  document.dispatchEvent(new Event("visibilitychange"));
  window.dispatchEvent(new Event("pageshow"));
  window.dispatchEvent(new Event("online"));
  expect(wakes).toBe(3);
  vi.advanceTimersByTime(60_000);
  expect(wakes).toBe(3);
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(10_000);
  expect(wakes).toBe(4);
  stop();
  window.dispatchEvent(new Event("online"));
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(10_000);
  expect(wakes).toBe(4);
});
