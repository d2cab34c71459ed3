import { expect, test } from "vitest";
import { runSteps, type Steps } from "@/lib/async/steps";
import { runStepsInSlices } from "./steps";

function* count(steps: number, each: () => void = () => {}): Steps<number> {
  for (let step = 0; step < steps; step++) {
    each();
    yield;
  }
  return steps;
}

test("finish and finishInTurns give the same result", async () => {
  expect(runSteps(count(5))).toBe(5);
  expect(await runStepsInSlices(count(5), new AbortController().signal)).toBe(5);
});

test("the event loop runs between long steps, and an abort ends the computation", async () => {
  const stop = new AbortController();
  const busy = (): void => {
    for (const end = performance.now() + 11; performance.now() < end; );
  };
  setImmediate(() => stop.abort(new Error("stopped")));
  await expect(runStepsInSlices(count(1_000_000, busy), stop.signal)).rejects.toThrow("stopped");
});

test("the caller continues after a turn of the event loop when the last step was long", async () => {
  let turns = 0;
  setImmediate(() => (turns += 1));
  await runStepsInSlices(
    count(1, () => {
      for (const end = performance.now() + 11; performance.now() < end; );
    }),
    new AbortController().signal,
  );
  expect(turns).toBe(1);
});
