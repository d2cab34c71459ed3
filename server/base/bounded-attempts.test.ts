import { expect, test } from "vitest";
import { makeBoundedAttempts } from "./bounded-attempts";

test("after a time-out the work is skipped until that attempt has ended; other work is not", async () => {
  const run = makeBoundedAttempts(20);
  let answer = (_value: string): void => {};
  let attempts = 0;
  const work = (): Promise<string> => {
    attempts += 1;
    return attempts > 1 ? Promise.resolve("again") : new Promise((resolve) => (answer = resolve));
  };
  expect(await run("folder", work)).toMatchObject({ kind: "failed", error: { name: "TimeoutError" } });
  expect(await run("folder", work)).toEqual({ kind: "skipped" });
  expect(await run("folder", work)).toEqual({ kind: "skipped" });
  expect(await run("other", async () => 1)).toEqual({ kind: "done", value: 1 });
  expect(attempts).toBe(1);
  answer("late");
  await new Promise((resolve) => setImmediate(resolve));
  expect(await run("folder", work)).toEqual({ kind: "done", value: "again" });
});

test("work that fails in time, also before it waits, is tried again", async () => {
  const run = makeBoundedAttempts(1_000);
  const error = new Error("no folder");
  expect(await run("folder", () => Promise.reject(error))).toEqual({ kind: "failed", error });
  expect(
    await run("folder", () => {
      throw error;
    }),
  ).toEqual({ kind: "failed", error });
  expect(await run("folder", async () => "here")).toEqual({ kind: "done", value: "here" });
});
