import { describe, expect, test } from "vitest";
import type { EvalResult, EvalRun } from "@/lib/evals/evals";
import { evalProblemLine, evalResultLine, evalTable } from "./eval-lines";

const result: EvalResult = {
  model: { name: "m:8b" },
  task: "off-by-one",
  at: 1,
  steps: 3,
  promptTokens: 4_000,
  outputTokens: 120,
  tookMs: 2_340,
  slips: { textCalls: 1, repairedCalls: 0, looseEdits: 1, retries: 0 },
};

describe("lines of evals", () => {
  test.each<[EvalResult, string]>([
    [result, "  off-by-one              solved  2.3 s, 3 steps, 120 tokens written"],
    [
      { ...result, failure: { why: "steps" } },
      "  off-by-one              failed  2.3 s, 3 steps, 120 tokens written (step limit)",
    ],
    [
      { ...result, failure: { why: "error", error: { code: "model_missing" } } },
      "  off-by-one              failed  2.3 s, 3 steps, 120 tokens written (error: this model isn't installed)",
    ],
  ])("%j is one line", (one, line) => expect(evalResultLine(one)).toBe(line));

  test("the table has the totals of each model over the tasks that ran, aligned", () => {
    const other = { name: "x", connection: "c1" };
    const run: EvalRun = {
      models: [{ name: "m:8b" }, other],
      tasks: ["off-by-one", "edit-json"],
      results: [result, { ...result, task: "edit-json", failure: { why: "check" } }],
      problems: [],
      current: null,
      isStopped: false,
    };
    expect(evalTable(run)).toEqual([
      "model  solved  steps  tokens read  written   time  slips",
      "m:8b      1/2      6         8000      240  4.7 s      4",
      "c1/x      0/0      0            0        0  0.0 s      0",
    ]);
    expect(evalProblemLine({ model: other, error: { code: "model_missing" } })).toBe(
      "c1/x was left out: this model isn't installed",
    );
  });
});
