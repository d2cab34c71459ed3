import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { abortable, neverAborted, pause, timeLimit, untilAborted } from "./abort";

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

test("many concurrent waits that are never cancelled cause no warning", async () => {
  const warnings: string[] = [];
  const record = ({ name }: Error): void => void warnings.push(name);
  process.on("warning", record);
  let resolve = (): void => {};
  const opened = new Promise<void>((done) => {
    resolve = done;
  });
  const waits = Array.from({ length: 20 }, () => abortable(opened, neverAborted));
  // A warning is emitted on the next tick.
  await pause(1, neverAborted);
  resolve();
  await Promise.all(waits);
  process.off("warning", record);
  expect(warnings).toEqual([]);
});

test("timeLimit fires after its time, although only the composite signal refers to it and memory is collected", async () => {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect !== "function") throw new Error("gc is not available");
  const over = new AbortController();
  const fired = Array.from({ length: 50 }, () => untilAborted(timeLimit(50, over.signal)));
  for (let round = 0; round < 3; round += 1) {
    collect();
    await pause(1, neverAborted);
  }
  await Promise.all(fired);
});

test("timeLimit fires with the reason of the signal, or with a TimeoutError", async () => {
  const over = new AbortController();
  const limit = timeLimit(3_600_000, over.signal);
  over.abort(new Error("stopped"));
  expect(limit.reason).toEqual(new Error("stopped"));
  const late = timeLimit(1, neverAborted);
  await untilAborted(late);
  expect(late.reason).toMatchObject({ name: "TimeoutError" });
});
