import { describe, expect, test } from "vitest";
import type { EvalOverview, EvalResult, EvalRun } from "@/lib/evals/evals";
import type { Connection, ModelInfo, ModelServerState } from "@/lib/models/models";
import { evalCell, evalCsv, listColumns, listEvalModels, mergeEvalResults } from "./eval-view";

const result = (name: string, task: string, more: Partial<EvalResult> = {}): EvalResult => ({
  model: { name },
  task,
  at: 0,
  steps: 2,
  promptTokens: 10,
  outputTokens: 5,
  tookMs: 1_500,
  slips: { textCalls: 1, repairedCalls: 0, looseEdits: 0, retries: 1 },
  ...more,
});
const run: EvalRun = {
  models: [{ name: "a" }, { name: "b" }],
  tasks: ["x", "y"],
  results: [result("a", "x")],
  problems: [],
  current: { model: { name: "a" }, task: "y", startedAt: 0 },
  isStopped: false,
};
const overview: EvalOverview = {
  tasks: [],
  problems: [],
  folder: "/home/evals",
  isSandboxed: true,
  results: [result("a", "x", { failure: { why: "check" } }), result("b", "z"), result("b", "y")],
  run,
};

describe("the cells of a comparison", () => {
  const results = mergeEvalResults(overview);
  test("a result of the run replaces the stored one", () => {
    expect(results.map(({ model, task, failure }) => [model.name, task, failure?.why])).toEqual([
      ["b", "z", undefined],
      ["b", "y", undefined],
      ["a", "x", undefined],
    ]);
  });

  test.each([
    ["a", "x", "solved"],
    ["a", "y", "running"],
    ["b", "x", "waiting"],
    ["b", "y", "waiting"],
    ["b", "z", "solved"],
    ["a", "z", "none"],
    ["c", "x", "none"],
  ])("%s, %s: %s", (name, task, state) => {
    expect(evalCell(overview, results, { name }, task).state).toBe(state);
  });

  test("nothing waits after the run, nor for a model that was left out", () => {
    const ended = { ...overview, run: { ...run, current: null } };
    expect(evalCell(ended, results, { name: "b" }, "y").state).toBe("solved");
    const problems = [{ model: { name: "b" }, error: { code: "out_of_memory" as const } }];
    expect(evalCell({ ...overview, run: { ...run, problems } }, results, { name: "b" }, "x").state).toBe("none");
  });

  test("columns are the chosen models, then the others with results", () => {
    expect(listColumns([{ name: "c" }], overview, results).map(({ name }) => name)).toEqual(["c", "a", "b"]);
  });
});

test("models that can chat are offered, and the model of a connection without a list", () => {
  const model = (name: string, capabilities: string[]): ModelInfo => ({ name, capabilities, cloud: false });
  const models = [model("a:8b", ["completion"]), model("e:1b", ["embedding"])];
  const server: ModelServerState = { status: "ready", host: "h", models, loaded: [], canStart: false };
  const connection: Connection = {
    id: "c1",
    name: "LM Studio",
    preset: "custom",
    baseUrl: "http://x",
    model: "q",
    numCtx: 0,
    key: { from: "none" },
    local: true,
  };
  expect(listEvalModels(server, [connection, { ...connection, id: "c2", server }])).toEqual([
    { name: "a:8b" },
    { name: "q", connection: "c1" },
    { name: "a:8b", connection: "c2" },
  ]);
});

test("the CSV has a row per result and no formula", () => {
  const rows = evalCsv([result("=m,1", "x", { failure: { why: "steps" } })]).split("\n");
  expect(rows).toEqual([
    "model,task,solved,reason,steps,prompt_tokens,output_tokens,seconds,slips,at",
    `"'=m,1",x,no,steps,2,10,5,1.5,2,1970-01-01T00:00:00.000Z`,
    "",
  ]);
});
