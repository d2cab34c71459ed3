import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { abortable, pause } from "./abort";

const forever = new Promise<never>(() => {});

test("orAborted settles with the promise, or rejects with the signal's reason, whichever is first", async () => {
  const controller = new AbortController();
  expect(await abortable(Promise.resolve("value"), controller.signal)).toBe("value");
  await expect(abortable(Promise.reject(new Error("broken")), controller.signal)).rejects.toThrow("broken");
  const waiting = abortable(forever, controller.signal);
  controller.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
});

test("an already aborted signal rejects first, and a later failure is not an unhandled rejection", async () => {
  const fired = AbortSignal.abort(new Error("before"));
  await expect(abortable(Promise.resolve("value"), fired)).rejects.toThrow("before");
  await expect(abortable(Promise.reject(new Error("broken")), fired)).rejects.toThrow("before");
});

test("pause resolves true after the delay, false on abort", async () => {
  const controller = new AbortController();
  expect(await pause(1, controller.signal)).toBe(true);
  const long = pause(3_600_000, controller.signal);
  controller.abort();
  expect(await long).toBe(false);
  expect(await pause(1, controller.signal)).toBe(false);
});

test("no listener remains", async () => {
  const { signal } = new AbortController();
  await abortable(Promise.resolve(), signal);
  await pause(1, signal);
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});
