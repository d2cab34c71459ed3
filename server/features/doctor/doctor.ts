/** Tests a model on this machine in steps with progress reports; one test at a time. */
import { isSameModelName } from "@/lib/models/model-names";
import { fail, ok, type Result } from "@/lib/events/error";
import {
  type DoctorReport,
  type DoctorRun,
  type DoctorStep,
  type DoctorStepName,
  doctorSteps,
} from "@/lib/models/models";
import { answerStep, editStep, loadStep, toolsStep, windowStep } from "./doctor-steps";
import type { DoctorSubject, StepResult } from "./doctor-subject";
import { nestedStep } from "./nested-step";
import { conversationsStep, templateStep } from "./reading-steps";
import { rateModel } from "@/server/models/doctor-verdict";

/** A model under test, and where its report is stored. */
export interface ModelUnderTest {
  /** Name on its server. */
  readonly name: string;
  readonly subject: DoctorSubject;
  saveReport(report: DoctorReport): void;
  /** Releases the resources of the test. */
  close(): Promise<void>;
}

export interface Doctor {
  /**
   * Starts the test, or joins the running one. Fails with busy while another model is tested, and as `prepare` does.
   */
  start(provider: string, model: string): Promise<Result<DoctorRun>>;
  cancel(): void;
  /** The running test. */
  current(): DoctorRun | null;
  close(): Promise<void>;
}

interface DoctorOptions {
  /** Fails with model_missing, server_unreachable. */
  readonly prepare: (provider: string, model: string, signal: AbortSignal) => Promise<Result<ModelUnderTest>>;
  readonly onRun: (run: DoctorRun) => void;
  /** Receives unexpected errors. */
  readonly onBug: (error: unknown) => void;
  /** ms epoch */
  readonly now: () => number;
}

interface RunningTest {
  readonly provider: string;
  readonly requestedModel: string;
  readonly stop: AbortController;
  readonly started: Promise<Result<DoctorRun>>;
  run: DoctorRun | null;
  done: Promise<void>;
}

export function makeDoctor(options: DoctorOptions): Doctor {
  let running: RunningTest | null = null;

  function begin(provider: string, model: string): RunningTest {
    const stop = new AbortController();
    let test = Promise.resolve();
    const notify = (run: DoctorRun): void => {
      begun.run = run;
      options.onRun(run);
    };
    /** The next test may have begun already. */
    const over = (): void => {
      if (running === begun) running = null;
    };
    const started = options.prepare(provider, model, stop.signal).then(
      (subject): Result<DoctorRun> => {
        if (!subject.ok) over();
        if (!subject.ok) return subject;
        const run = { model: subject.value.name, steps: listSteps(new Map()) };
        begun.run = run;
        test = runTest(subject.value, options, notify, stop.signal);
        return ok(run);
      },
      (cause: unknown): Result<DoctorRun> => {
        over();
        if (stop.signal.aborted) return fail("aborted");
        options.onBug(cause);
        return fail("internal");
      },
    );
    const done = started.then(() => test).finally(over);
    const begun: RunningTest = { provider, requestedModel: model, stop, started, run: null, done };
    return begun;
  }

  return {
    async start(provider, model) {
      if (running === null) {
        running = begin(provider, model);
        return running.started;
      }
      const { run, requestedModel } = running;
      const isSame =
        running.provider === provider &&
        (isSameModelName(requestedModel, model) || isSameModelName(run?.model ?? requestedModel, model));
      if (!isSame) return fail("busy", undefined, { model: run?.model ?? requestedModel });
      return run === null ? running.started : ok(run);
    },
    cancel: () => running?.stop.abort(),
    current: () => running?.run ?? null,
    async close() {
      running?.stop.abort();
      await running?.done;
    },
  };
}

const listSteps = (steps: ReadonlyMap<DoctorStepName, DoctorStep>): readonly DoctorStep[] =>
  doctorSteps.map((step) => steps.get(step) ?? { step, state: "waiting" });

/** Never rejects: a stopped test, or one with an unexpected error, is reported as cancelled. */
async function runTest(
  subject: ModelUnderTest,
  { now, onBug }: DoctorOptions,
  notify: (run: DoctorRun) => void,
  signal: AbortSignal,
): Promise<void> {
  const model = subject.name;
  const startedAt = now();
  const steps = new Map<DoctorStepName, DoctorStep>();
  const runStep = async <T extends { readonly seen: StepResult }>(
    step: DoctorStepName,
    work: () => Promise<T>,
  ): Promise<T> => {
    signal.throwIfAborted();
    const at = now();
    steps.set(step, { step, state: "running" });
    notify({ model, steps: listSteps(steps) });
    const result = await work();
    steps.set(step, { step, ...result.seen, ms: now() - at });
    notify({ model, steps: listSteps(steps) });
    return result;
  };
  try {
    const found = await runAllSteps(subject.subject, runStep, signal);
    for (const step of doctorSteps) if (!steps.has(step)) steps.set(step, { step, state: "skipped" });
    const seen = { steps: listSteps(steps), ...found };
    const report = { model, at: now(), tookMs: now() - startedAt, ...seen, verdict: rateModel(seen) };
    // It says nothing about a model that was not there.
    if (!report.steps.some(({ error }) => error?.code === "model_missing")) subject.saveReport(report);
    notify({ model, steps: report.steps, report });
  } catch (cause) {
    if (!signal.aborted) onBug(cause);
    notify({ model, steps: listSteps(steps), cancelled: true });
  } finally {
    await subject.close().catch(onBug);
  }
}

type RunStep = <T extends { readonly seen: StepResult }>(step: DoctorStepName, work: () => Promise<T>) => Promise<T>;
type TestFindings = Pick<DoctorReport, "toolMode" | "numCtx" | "readPerSecond" | "writePerSecond">;

type RunSimpleStep = (step: DoctorStepName, work: () => Promise<StepResult>) => Promise<StepResult>;

/** A service on the internet caches by rules of its own, and bills each request. `mode` null = no mode works. */
async function runReadingSteps(
  subject: DoctorSubject,
  { numCtx, mode }: { readonly numCtx: number; readonly mode: DoctorReport["toolMode"] | null },
  step: RunSimpleStep,
  signal: AbortSignal,
): Promise<void> {
  if (subject.cloud) return;
  const { facts } = await step("conversations", () => conversationsStep(subject, numCtx, signal));
  // In the text modes the list of tools is part of the system message.
  if (mode === "native")
    await step("template", () => templateStep(subject, { numCtx, keepsTwo: facts?.keeps === "yes" }, signal));
}

/** Skips later steps whose failure follows from an earlier one. */
async function runAllSteps(subject: DoctorSubject, runStep: RunStep, signal: AbortSignal): Promise<TestFindings> {
  const speeds = { readPerSecond: 0, writePerSecond: 0 };
  const { seen: load, numCtx } = await runStep("load", () => loadStep(subject, signal));
  const nothing = { toolMode: "native", numCtx, ...speeds } as const;
  if (load.state === "failed") return nothing;
  const step = async (name: DoctorStepName, work: () => Promise<StepResult>): Promise<StepResult> =>
    (await runStep(name, async () => ({ seen: await work() }))).seen;
  const answer = await step("answer", () => answerStep(subject, numCtx, signal));
  if (answer.state === "failed") return nothing;
  const writes = answer.facts?.writePerSecond;
  const { seen: tools, mode } = await runStep("tools", () => toolsStep(subject, numCtx, signal));
  const callsTools = tools.state !== "failed";
  if (callsTools) await step("edit", () => editStep(subject, mode, numCtx, signal));
  if (callsTools) await step("nested", () => nestedStep(subject, mode, numCtx, signal));
  const window = await step("window", () => windowStep(subject, numCtx, signal));
  await runReadingSteps(subject, { numCtx, mode: callsTools ? mode : null }, step, signal);
  const reads = window.facts?.readPerSecond;
  return {
    toolMode: mode,
    numCtx,
    readPerSecond: typeof reads === "number" ? reads : 0,
    writePerSecond: typeof writes === "number" ? writes : 0,
  };
}
