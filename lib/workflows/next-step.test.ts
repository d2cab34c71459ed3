/** Next step of a run, from its definition and its events alone: limits, and one step that runs again. */
import { describe, expect, test } from "vitest";
import { nextStep } from "./next-step";
import { resolveWorkflow, viewSteps } from "./resolve-workflow";
import type { WorkflowEntry, WorkflowEvent } from "./workflow-events";
import { workflowRun, type WorkflowRun } from "./workflow-run";
import { workflowOf, workflowSchema } from "./workflow-schema";

const make = (name: string, steps: readonly object[]) => workflowOf(name, workflowSchema.parse({ steps }));

const setOf = (steps: readonly object[], others: readonly ReturnType<typeof make>[] = []) => {
  const resolved = resolveWorkflow(make("root", steps), (name) => others.find((one) => one.name === name));
  return resolved.ok ? resolved.set : expect.fail(resolved.problem.kind);
};

const started: WorkflowEvent = { type: "workflow_start", name: "root", place: "home", hash: "", inputs: {}, steps: [] };

const done = (
  step: string,
  outcome: "ok" | "failed" | "skipped" = "ok",
  kind: "run" | "workflow" = "run",
): readonly WorkflowEvent[] => [
  { type: "step_start", step, kind, title: "", attempt: 1 },
  { type: "step_end", step, outcome, output: "", outputs: {} },
];

const runAfter = (events: readonly WorkflowEvent[]): WorkflowRun =>
  workflowRun(events.map((event, seq): WorkflowEntry => ({ ...event, seq, at: seq }))) ?? expect.fail("no run");

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);
const items = (id: string, outcome: "ok" | "failed"): readonly WorkflowEvent[] =>
  numbers(50).flatMap((index) => done(`${id}[${index}]`, outcome));

describe("a run has 200 steps at most", () => {
  const four = (more: object) =>
    ["a", "b", "c", "d"].map((id) => ({ id, run: "true", for_each: numbers(50), may_fail: true, ...more }));
  const full = ["a", "b", "c", "d"].flatMap((id) => items(id, "ok"));

  test.each([
    { run: "true", may_fail: true },
    { run: "true", may_fail: true, for_each: numbers(50), when: "false" },
  ])("another one ends it, also one that may fail", (last) => {
    const set = setOf([...four({}), { id: "e", ...last }]);
    expect(nextStep(set, runAfter([started, ...full]))).toEqual({
      kind: "end",
      reason: "failed",
      error: { code: "too_many", detail: "200" },
    });
  });

  test("another attempt of the last one is not another one", () => {
    const failedLast = [...full.slice(0, -2), ...done("d[49]", "failed")];
    expect(nextStep(setOf(four({ retry: 1 })), runAfter([started, ...failedLast]))).toMatchObject({
      kind: "start",
      key: "d[49]",
      attempt: 2,
    });
  });

  test("those of workflows inside each other are counted before it starts", () => {
    const inner = make(
      "inner",
      numbers(50).map(() => ({ run: "true" })),
    );
    const middle = make(
      "middle",
      numbers(50).map(() => ({ workflow: "inner" })),
    );
    const find = (name: string) => [inner, middle].find((one) => one.name === name);
    const steps = [{ run: "true" }, { workflow: "middle" }];
    expect(resolveWorkflow(make("root", steps), find)).toEqual({
      ok: false,
      problem: { kind: "too_many", step: 1, detail: "inner" },
    });
    const few = setOf(
      numbers(3).map(() => ({ workflow: "inner" })),
      [inner],
    );
    expect(viewSteps(few.root, few.workflows)).toHaveLength(3);
  });
});

describe("one step runs again", () => {
  const again = (step: string): WorkflowEvent => ({ ...started, again: [step], only: step });

  test("behind a step that failed, and the workflow stays failed", () => {
    const set = setOf(["a", "b"].map((id) => ({ id, run: "true" })));
    const events = [started, ...done("a", "failed"), ...done("b"), again("b")];
    expect(nextStep(set, runAfter(events))).toMatchObject({ kind: "start", key: "b" });
    expect(nextStep(set, runAfter([...events, ...done("b")]))).toEqual({ kind: "end", reason: "failed" });
  });

  test("in a workflow inside, which stays open while another of its steps has not run", () => {
    const set = setOf(
      [{ id: "in", workflow: "inner" }],
      [
        make(
          "inner",
          ["a", "b", "c"].map((id) => ({ id, run: "true" })),
        ),
      ],
    );
    const events = [
      started,
      ...done("in", "failed", "workflow"),
      ...done("in/a"),
      ...done("in/b", "failed"),
      again("in/a"),
    ];
    expect(nextStep(set, runAfter(events))).toMatchObject({ kind: "start", key: "in/a" });
    expect(nextStep(set, runAfter([...events, ...done("in/a")]))).toMatchObject({ kind: "close", outcome: "failed" });
  });
});

test("values that make a text too long, or are nested too deep, fail the step", () => {
  const first: readonly WorkflowEvent[] = [
    started,
    { type: "step_start", step: "a", kind: "run", title: "", attempt: 1 },
    { type: "step_end", step: "a", outcome: "ok", output: "[".repeat(8_000) + "]".repeat(8_000), outputs: {} },
  ];
  const next = (prompt: string) =>
    nextStep(
      setOf([
        { id: "a", run: "true" },
        { id: "b", prompt },
      ]),
      runAfter(first),
    );
  const long = "${{ steps.a.output }}".repeat(1_000);
  expect(next(long)).toMatchObject({ kind: "fail", error: { code: "too_large" } });
  expect(next("${{ json(steps.a.output) }}")).toMatchObject({
    kind: "fail",
    error: { code: "bad_input", detail: "json" },
  });
});
