import { expect, test } from "vitest";
import type { EvalResult } from "@/lib/evals/evals";
import { openTestStore } from "../__fixtures__/home";
import { keptResults } from "./eval-results";

const result = (at: number, change: Partial<EvalResult> = {}): EvalResult => ({
  model: { name: "m:8b" },
  task: "off-by-one",
  at,
  steps: 1,
  promptTokens: 1,
  outputTokens: 1,
  tookMs: 1,
  slips: { textCalls: 0, repairedCalls: 0, looseEdits: 0, retries: 0 },
  ...change,
});

test("of the digests that a model name had, only the newest keep their result of a task", () => {
  const { evalResults } = openTestStore();
  const others = [
    { key: "other-model", result: result(1, { model: { name: "n:8b" } }) },
    { key: "other-server", result: result(2, { model: { name: "m:8b", connection: "cellar" } }) },
    { key: "digest-0", result: result(3, { task: "edit-config" }) },
  ];
  for (const other of others) evalResults.write(other, "");
  const ofDigests = Array.from({ length: keptResults + 2 }, (_each, index) => ({
    key: `digest-${index}`,
    result: result(10 + index),
  }));
  for (const one of ofDigests) evalResults.write(one, "");
  expect(evalResults.list()).toEqual([...others, ...ofDigests.slice(-keptResults)]);
  const again = { key: "digest-4", result: result(20) };
  evalResults.write(again, "");
  expect(evalResults.list()).toEqual([...others, ...ofDigests.slice(-keptResults, -1), again]);
});
