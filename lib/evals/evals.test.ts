import { describe, expect, test } from "vitest";
import { applyEvalProgress, type EvalProgress, type EvalResult, type EvalRun, joinEvalProgress } from "./evals";

const result = (task: string): EvalResult => ({
  model: { name: "m:8b" },
  task,
  at: 1,
  steps: 1,
  promptTokens: 1,
  outputTokens: 1,
  tookMs: 1,
  slips: { textCalls: 0, repairedCalls: 0, looseEdits: 0, retries: 0 },
});
const runOf = (...tasks: readonly string[]): EvalRun => ({
  models: [{ name: "m:8b" }],
  tasks: ["a", "b", "c"],
  results: tasks.map(result),
  problems: [],
  current: null,
  isStopped: false,
});
const changeFrom = (from: number, ...tasks: readonly string[]): EvalProgress => ({ ...runOf(...tasks), from });

describe("the progress of a run", () => {
  test.each<[title: string, run: EvalRun | null, change: EvalProgress, expected: EvalRun | null]>([
    ["begins a run", null, changeFrom(0), runOf()],
    ["replaces the run before", runOf("a", "b"), changeFrom(0, "c"), runOf("c")],
    ["adds a result", runOf("a"), changeFrom(1, "b"), runOf("a", "b")],
    ["adds no result twice", runOf("a", "b"), changeFrom(1, "b"), runOf("a", "b")],
    ["does not apply after a gap", runOf("a"), changeFrom(2, "c"), null],
    ["does not apply without a run", null, changeFrom(1, "b"), null],
  ])("%s", (_title, run, change, expected) => expect(applyEvalProgress(run, change)).toEqual(expected));

  test("is the same when changes are joined", () => {
    expect(joinEvalProgress(changeFrom(1, "b"), changeFrom(2, "c"))).toEqual(changeFrom(1, "b", "c"));
    expect(joinEvalProgress(changeFrom(1, "b"), changeFrom(0))).toEqual(changeFrom(0));
  });
});
