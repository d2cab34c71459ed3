import { describe, expect, test } from "vitest";
import type { DoctorReport, DoctorStep, DoctorStepName, LoadedModel, ModelInfo, WindowPlan } from "@/lib/models/models";
import { type DoctorAdvice, doctorAdvice } from "./doctor-advice";
import { doctorView, stepFacts, verdictReason } from "./doctor-view";

type Change = { readonly [S in DoctorStepName]?: Omit<DoctorStep, "step"> };

const stepsWith = (change: Change): readonly DoctorStep[] => [
  { step: "load", state: "ok", ...change.load },
  { step: "answer", state: "ok", ...change.answer },
  { step: "tools", state: "ok", ...change.tools },
  { step: "edit", state: "ok", ...change.edit },
  { step: "window", state: "ok", ...change.window },
  ...(["nested", "conversations", "template"] as const).flatMap((step) =>
    change[step] === undefined ? [] : [{ step, ...change[step] }],
  ),
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

describe("doctorView", () => {
  const note = { doctor: report() };
  test("has no steps for an untested model", () => {
    expect(doctorView("qwen3:8b", undefined, null)).toEqual({ state: "never", steps: [], report: null, other: null });
  });
  test("returns the note's report until a test of this model runs", () => {
    expect(doctorView("qwen3:8b", note, null)).toMatchObject({ state: "done", report: note.doctor });
    const run = { model: "qwen3:8b", steps: [{ step: "load", state: "running" }] } as const;
    const view = doctorView("qwen3:8b", note, run);
    expect(view.state).toBe("running");
    expect(view.steps.map((step) => step.state)).toEqual(["running", ...Array.from({ length: 7 }, () => "waiting")]);
  });
  test("shows the steps that an older report has", () => {
    expect(doctorView("qwen3:8b", note, null).steps).toHaveLength(5);
  });
  test("returns the newer of the stored and the pushed report", () => {
    const newer = report({}, { at: 2_000 });
    const run = { model: "qwen3:8b", steps: newer.steps, report: newer };
    expect(doctorView("qwen3:8b", note, run).report).toBe(newer);
    expect(doctorView("qwen3:8b", { doctor: report({}, { at: 3_000 }) }, run).report?.at).toBe(3_000);
  });
  test("keeps the previous report when a test is stopped", () => {
    const run = { model: "qwen3:8b", steps: [], cancelled: true };
    expect(doctorView("qwen3:8b", note, run)).toMatchObject({ state: "stopped", report: note.doctor });
    expect(doctorView("qwen3:8b", undefined, run)).toMatchObject({ state: "stopped", report: null });
  });
  test("names another model's test only while it runs", () => {
    const running = { model: "qwen3:4b", steps: [] };
    expect(doctorView("qwen3:8b", note, running)).toMatchObject({ state: "done", other: "qwen3:4b" });
    expect(doctorView("qwen3:8b", note, { ...running, cancelled: true }).other).toBeNull();
    expect(doctorView("qwen3:8b", note, { ...running, report: report() }).other).toBeNull();
  });
});

describe("verdictReason", () => {
  test.each<[string, DoctorReport, ReturnType<typeof verdictReason>]>([
    ["null for the best verdict", report({ tools: { state: "weak" } }), null],
    ["the first step that failed", report({ edit: failed, window: failed }, { verdict: "helper" }), "edit"],
    [
      "null when a step failed that does not decide it",
      report({ nested: failed, conversations: failed, template: failed }),
      null,
    ],
    ["the speed", report({}, { verdict: "helper", writePerSecond: 3.9 }), "slow"],
    ["the window", report({}, { verdict: "helper", numCtx: 4_096 }), "small"],
    [
      "the window when no speed was measured",
      report({}, { verdict: "helper", numCtx: 4_096, writePerSecond: 0 }),
      "small",
    ],
  ])("returns %s", (_name, report, reason) => expect(verdictReason(report)).toBe(reason));
});

describe("stepFacts", () => {
  const cases: readonly [string, DoctorStep, DoctorReport | null, ReturnType<typeof stepFacts>][] = [
    ["no facts before the step has finished", { step: "load", state: "running", facts: { vramShare: 1 } }, null, []],
    [
      "the share on the GPU",
      { step: "load", state: "ok", facts: { vramShare: 0.62, numCtx: 8 } },
      null,
      [{ fact: "gpu", share: 0.62 }],
    ],
    [
      "the smaller window that fits",
      { step: "load", state: "weak", facts: { numCtx: 8_192 } },
      null,
      [{ fact: "smaller", tokens: 8_192 }],
    ],
    [
      "the writing speed immediately, the reading speed with the report",
      { step: "answer", state: "ok", facts: { writePerSecond: 9.4, tokens: 210 } },
      null,
      [{ fact: "writes", perSecond: 9.4 }],
    ],
    [
      "both speeds from the report",
      { step: "answer", state: "ok" },
      report(),
      [
        { fact: "reads", perSecond: 412 },
        { fact: "writes", perSecond: 31 },
      ],
    ],
    ["no unmeasured speed", { step: "answer", state: "ok" }, report({}, { readPerSecond: 0, writePerSecond: 0 }), []],
    [
      "the tool mode, that calls were repaired, and the number of attempts",
      { step: "tools", state: "weak", facts: { mode: "xml", repaired: true, tries: 2 } },
      null,
      [{ fact: "calls", mode: "xml" }, { fact: "repaired" }, { fact: "tries", count: 2 }],
    ],
    [
      "no attempt count for a first attempt",
      { step: "edit", state: "ok", facts: { tries: 1 } },
      null,
      [{ fact: "edited" }],
    ],
    ["no facts for a failed edit", { step: "edit", state: "failed", facts: { tries: 2 } }, null, []],
    [
      "a nested call that was repaired",
      { step: "nested", state: "weak", facts: { repaired: true, tries: 2 } },
      null,
      [{ fact: "nested" }, { fact: "rewritten" }, { fact: "tries", count: 2 }],
    ],
    ["no facts for a missed nested call", { step: "nested", state: "failed", facts: { tries: 2 } }, null, []],
    [
      "one conversation, and the times",
      { step: "conversations", state: "weak", facts: { keeps: "no", firstMs: 900, againMs: 870 } },
      null,
      [{ fact: "keepsOne" }, { fact: "readAgain", firstMs: 900, againMs: 870 }],
    ],
    [
      "two conversations, and the cached tokens before the times",
      {
        step: "conversations",
        state: "ok",
        facts: { keeps: "yes", cached: 1_480, prompt: 1_500, firstMs: 900, againMs: 20 },
      },
      null,
      [{ fact: "keepsTwo" }, { fact: "cached", cached: 1_480, prompt: 1_500 }],
    ],
    [
      "an outcome that the server does not tell",
      { step: "conversations", state: "skipped", facts: { keeps: "unknown" } },
      null,
      [{ fact: "keepsUnknown" }],
    ],
    ["no outcome of a skipped step", { step: "template", state: "skipped" }, null, []],
    ["tools that move", { step: "template", state: "weak", facts: { moves: "yes" } }, null, [{ fact: "toolsMove" }]],
    ["tools that stay", { step: "template", state: "ok", facts: { moves: "no" } }, null, [{ fact: "toolsStay" }]],
    [
      "a window that was retained",
      { step: "window", state: "ok", facts: { numCtx: 16_384, sent: 12_000, read: 9_000 } },
      report(),
      [{ fact: "held", tokens: 16_384 }],
    ],
    [
      "a window whose start was lost",
      { step: "window", state: "failed", facts: { numCtx: 16_384, readPerSecond: 300 } },
      null,
      [
        { fact: "lost", tokens: 16_384 },
        { fact: "reads", perSecond: 300 },
      ],
    ],
    [
      "the size of a truncated prompt, without a lost window",
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
      "no facts for a window step that timed out",
      { step: "window", state: "failed", error: { code: "timeout" } },
      report(),
      [],
    ],
  ];
  test.each(cases)("%s", (_name, step, report, facts) => expect(stepFacts(step, report)).toEqual(facts));
});

describe("doctorAdvice", () => {
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
  const cases: readonly [string, Parameters<typeof doctorAdvice>[0], readonly DoctorAdvice[]][] = [
    ["none for a model that passes everything", { report: report(), model, loaded: { ...half, vramShare: 1 } }, []],
    [
      "partly on the CPU: the next smaller window, and KV cache quantization",
      { report: report(), model, loaded: half },
      [{ advice: "smallerWindow", tokens: 8_192 }, { advice: "kvCache" }],
    ],
    [
      "the share measured by the test overrides the currently loaded one",
      { report: report({ load: { state: "ok", facts: { vramShare: 1 } } }), model, loaded: half },
      [],
    ],
    [
      "the largest window that fits rather than the next one",
      { report: report({}, { numCtx: 32_768 }), model, loaded: half, plan },
      [{ advice: "smallerWindow", tokens: 8_192 }, { advice: "kvCache" }],
    ],
    [
      "a large quantization: a smaller one",
      { report: report({}, { numCtx: 8_192 }), model: { ...model, quantization: "Q8_0" }, loaded: half },
      [{ advice: "smallerQuantization" }, { advice: "kvCache" }],
    ],
    [
      "out of memory: the same advice, and no other model",
      { report: report({ load: outOfMemory }, { verdict: "unusable", writePerSecond: 0 }), model },
      [{ advice: "smallerWindow", tokens: 8_192 }, { advice: "kvCache" }],
    ],
    [
      "loaded only with half the window: that window",
      {
        report: report({ load: { state: "weak", error: { code: "out_of_memory" } } }, { numCtx: 16_384 }),
        model,
        plan,
      },
      [{ advice: "smallerWindow", tokens: 16_384 }, { advice: "kvCache" }],
    ],
    [
      "a lost long prompt: a shorter window",
      { report: report({ window: failed }, { verdict: "helper" }), model },
      [{ advice: "shorterWindow", tokens: 8_192 }],
    ],
    [
      "no window below the minimum for agent work",
      { report: report({ window: failed }, { verdict: "helper", numCtx: 8_192 }), model },
      [],
    ],
    [
      "slow: a smaller model",
      { report: report({}, { verdict: "helper", writePerSecond: 3 }), model },
      [{ advice: "fasterModel" }],
    ],
    [
      "no tool calls: the first suggested model that is another one",
      {
        report: report({ tools: failed }, { verdict: "chat", model: "qwen3.5:9b" }),
        model: { ...model, name: "qwen3.5:9b" },
      },
      [{ advice: "otherModel", name: "qwen3.5:4b" }],
    ],
    [
      "no Ollama model for a connection",
      { report: report({ edit: failed }, { verdict: "helper" }), model, isElsewhere: true },
      [],
    ],
    [
      "a template that moves the tools: the text mode that works",
      { report: report({ template: { state: "weak", facts: { moves: "yes", proposed: "xml" } } }), model },
      [{ advice: "textTools", mode: "xml" }],
    ],
    [
      "no text mode that works: what it costs",
      { report: report({ template: { state: "weak", facts: { moves: "yes" } } }), model },
      [{ advice: "rereads" }],
    ],
    [
      "nothing of it when calls are in text already",
      {
        report: report({ template: { state: "weak", facts: { moves: "yes", proposed: "xml" } } }),
        model: { ...model, note: { toolMode: { mode: "xml", by: "user" } } },
      },
      [],
    ],
    [
      "a missed nested call and a server with one conversation",
      {
        report: report({ nested: failed, conversations: { state: "weak", facts: { keeps: "no" } } }),
        model,
      },
      [{ advice: "fewTools" }, { advice: "oneConversation" }],
    ],
    [
      "no advice on memory or speed for a cloud model",
      { report: report({}, { writePerSecond: 2 }), model: { ...model, cloud: true }, loaded: half },
      [],
    ],
  ];
  test.each(cases)("%s", (_name, input, advice) => expect(doctorAdvice(input)).toEqual(advice));
});
