import { describe, expect, test } from "vitest";
import type { DoctorReport, DoctorStep, DoctorStepName, LoadedModel, ModelInfo, WindowPlan } from "@/lib/models";
import { type Advice, doctorAdvice } from "./doctor-advice";
import { doctorView, factsOf, reasonOf } from "./doctor-view";

type Change = { readonly [S in DoctorStepName]?: Omit<DoctorStep, "step"> };

const stepsWith = (change: Change): readonly DoctorStep[] => [
  { step: "load", state: "ok", ...change.load },
  { step: "answer", state: "ok", ...change.answer },
  { step: "tools", state: "ok", ...change.tools },
  { step: "edit", state: "ok", ...change.edit },
  { step: "window", state: "ok", ...change.window },
];

const report = (change: Change = {}, more: Partial<DoctorReport> = {}): DoctorReport => ({
  model: "qwen3:8b",
  at: 1_000,
  tookMs: 48_000,
  steps: stepsWith(change),
  verdict: "agent",
  toolMode: "native",
  readPerSecond: 412,
  writePerSecond: 31,
  numCtx: 16_384,
  ...more,
});

const failed = { state: "failed" } as const;

describe("what is shown of a test", () => {
  const note = { doctor: report() };
  test("a model that was never tested has no steps", () => {
    expect(doctorView("qwen3:8b", undefined, null)).toEqual({ state: "never", steps: [], report: null, other: null });
  });
  test("the note's report is shown until a test of this model runs", () => {
    expect(doctorView("qwen3:8b", note, null)).toMatchObject({ state: "done", report: note.doctor });
    const run = { model: "qwen3:8b", steps: [{ step: "load", state: "running" }] } as const;
    const view = doctorView("qwen3:8b", note, run);
    expect(view.state).toBe("running");
    expect(view.steps.map((step) => step.state)).toEqual(["running", "waiting", "waiting", "waiting", "waiting"]);
  });
  test("of two reports the newer one counts, whichever came by push", () => {
    const newer = report({}, { at: 2_000 });
    const run = { model: "qwen3:8b", steps: newer.steps, report: newer };
    expect(doctorView("qwen3:8b", note, run).report).toBe(newer);
    expect(doctorView("qwen3:8b", { doctor: report({}, { at: 3_000 }) }, run).report?.at).toBe(3_000);
  });
  test("a stopped test leaves the report there was", () => {
    const run = { model: "qwen3:8b", steps: [], cancelled: true };
    expect(doctorView("qwen3:8b", note, run)).toMatchObject({ state: "stopped", report: note.doctor });
    expect(doctorView("qwen3:8b", undefined, run)).toMatchObject({ state: "stopped", report: null });
  });
  test("another model's test is named while it runs, and no longer", () => {
    const running = { model: "qwen3:4b", steps: [] };
    expect(doctorView("qwen3:8b", note, running)).toMatchObject({ state: "done", other: "qwen3:4b" });
    expect(doctorView("qwen3:8b", note, { ...running, cancelled: true }).other).toBeNull();
    expect(doctorView("qwen3:8b", note, { ...running, report: report() }).other).toBeNull();
  });
});

describe("why the verdict is no better", () => {
  test.each<[string, DoctorReport, ReturnType<typeof reasonOf>]>([
    ["nothing when it is the best", report({ tools: { state: "weak" } }), null],
    ["the first step that failed", report({ edit: failed, window: failed }, { verdict: "helper" }), "edit"],
    ["the speed", report({}, { verdict: "helper", writePerSecond: 3.9 }), "slow"],
    ["the window", report({}, { verdict: "helper", numCtx: 4_096 }), "small"],
    [
      "the window when no speed was measured",
      report({}, { verdict: "helper", numCtx: 4_096, writePerSecond: 0 }),
      "small",
    ],
  ])("is %s", (_name, of, reason) => expect(reasonOf(of)).toBe(reason));
});

describe("what a step measured", () => {
  const cases: readonly [string, DoctorStep, DoctorReport | null, ReturnType<typeof factsOf>][] = [
    ["nothing before it is over", { step: "load", state: "running", facts: { vramShare: 1 } }, null, []],
    [
      "where it lies",
      { step: "load", state: "ok", facts: { vramShare: 0.62, numCtx: 8 } },
      null,
      [{ fact: "gpu", share: 0.62 }],
    ],
    [
      "the window that did fit",
      { step: "load", state: "weak", facts: { numCtx: 8_192 } },
      null,
      [{ fact: "smaller", tokens: 8_192 }],
    ],
    [
      "the speed of writing at once, that of reading with the report",
      { step: "answer", state: "ok", facts: { writePerSecond: 9.4, tokens: 210 } },
      null,
      [{ fact: "writes", perSecond: 9.4 }],
    ],
    [
      "both speeds of the report",
      { step: "answer", state: "ok" },
      report(),
      [
        { fact: "reads", perSecond: 412 },
        { fact: "writes", perSecond: 31 },
      ],
    ],
    [
      "no speed that was not measured",
      { step: "answer", state: "ok" },
      report({}, { readPerSecond: 0, writePerSecond: 0 }),
      [],
    ],
    [
      "the form of the calls, that they were mended, and at which try",
      { step: "tools", state: "weak", facts: { mode: "xml", repaired: true, tries: 2 } },
      null,
      [{ fact: "calls", mode: "xml" }, { fact: "repaired" }, { fact: "tries", count: 2 }],
    ],
    ["a first try goes without saying", { step: "edit", state: "ok", facts: { tries: 1 } }, null, [{ fact: "edited" }]],
    ["a failed edit measured nothing", { step: "edit", state: "failed", facts: { tries: 2 } }, null, []],
    [
      "that the window held",
      { step: "window", state: "ok", facts: { numCtx: 16_384, sent: 12_000, read: 9_000 } },
      report(),
      [{ fact: "held", tokens: 16_384 }],
    ],
    [
      "that it was lost",
      { step: "window", state: "failed", facts: { numCtx: 16_384, readPerSecond: 300 } },
      null,
      [
        { fact: "lost", tokens: 16_384 },
        { fact: "reads", perSecond: 300 },
      ],
    ],
    [
      "how much was cut, not that it was lost",
      {
        step: "window",
        state: "failed",
        facts: { numCtx: 16_384, sent: 12_000, read: 4_096 },
        error: { code: "prompt_cut" },
      },
      report(),
      [{ fact: "cut", sent: 12_000, read: 4_096 }],
    ],
    [
      "nothing of a window step that ran out of time",
      { step: "window", state: "failed", error: { code: "timeout" } },
      report(),
      [],
    ],
  ];
  test.each(cases)("%s", (_name, step, of, facts) => expect(factsOf(step, of)).toEqual(facts));
});

describe("advice", () => {
  const model: ModelInfo = { name: "qwen3:8b", quantization: "Q4_K_M", capabilities: [], cloud: false };
  const half: LoadedModel = { name: "qwen3:8b", size: 9, vramShare: 0.5 };
  const plan: WindowPlan = {
    model: "qwen3:8b",
    chosen: 32_768,
    by: "memory",
    steps: [
      { tokens: 8_192, fits: true },
      { tokens: 16_384, fits: false },
      { tokens: 32_768, fits: false },
    ],
  };
  const outOfMemory = { state: "failed", error: { code: "out_of_memory" } } as const;
  const cases: readonly [string, Parameters<typeof doctorAdvice>[0], readonly Advice[]][] = [
    ["none for a model that does all", { report: report(), model, loaded: { ...half, vramShare: 1 } }, []],
    [
      "part on the CPU: the next smaller window, and the cache",
      { report: report(), model, loaded: half },
      [{ advice: "smallerWindow", tokens: 8_192 }, { advice: "kvCache" }],
    ],
    [
      "what the test saw counts more than what is in memory now",
      { report: report({ load: { state: "ok", facts: { vramShare: 1 } } }), model, loaded: half },
      [],
    ],
    [
      "the largest window that fits rather than the next one",
      { report: report({}, { numCtx: 32_768 }), model, loaded: half, plan },
      [{ advice: "smallerWindow", tokens: 8_192 }, { advice: "kvCache" }],
    ],
    [
      "a large quantisation could be smaller",
      { report: report({}, { numCtx: 8_192 }), model: { ...model, quantization: "Q8_0" }, loaded: half },
      [{ advice: "smallerQuantization" }, { advice: "kvCache" }],
    ],
    [
      "out of memory: the same, and no other model for its clumsiness",
      { report: report({ load: outOfMemory }, { verdict: "unusable", writePerSecond: 0 }), model },
      [{ advice: "smallerWindow", tokens: 8_192 }, { advice: "kvCache" }],
    ],
    [
      "loaded only with half the window: that one",
      {
        report: report({ load: { state: "weak", error: { code: "out_of_memory" } } }, { numCtx: 16_384 }),
        model,
        plan,
      },
      [{ advice: "smallerWindow", tokens: 16_384 }, { advice: "kvCache" }],
    ],
    [
      "a lost long prompt: a shorter one",
      { report: report({ window: failed }, { verdict: "helper" }), model },
      [{ advice: "shorterWindow", tokens: 8_192 }],
    ],
    [
      "no window below what work needs",
      { report: report({ window: failed }, { verdict: "helper", numCtx: 8_192 }), model },
      [],
    ],
    [
      "slow: a smaller model",
      { report: report({}, { verdict: "helper", writePerSecond: 3 }), model },
      [{ advice: "fasterModel" }],
    ],
    [
      "no tool calls: the first preferred model that is another",
      {
        report: report({ tools: failed }, { verdict: "chat", model: "qwen2.5-coder:7b" }),
        model: { ...model, name: "qwen2.5-coder:7b" },
      },
      [{ advice: "otherModel", name: "qwen3:8b" }],
    ],
    [
      "no model of Ollama in place of a connection's",
      { report: report({ edit: failed }, { verdict: "helper" }), model, isElsewhere: true },
      [],
    ],
    [
      "nothing about memory or speed for a cloud model",
      { report: report({}, { writePerSecond: 2 }), model: { ...model, cloud: true }, loaded: half },
      [],
    ],
  ];
  test.each(cases)("%s", (_name, input, advice) => expect(doctorAdvice(input)).toEqual(advice));
});
