/** Tests a model on this machine in five steps with progress reports; one test at a time. */
import { fail, ok, type Result } from "@/lib/error";
import { type DoctorReport, type DoctorRun, type DoctorStep, type DoctorStepName, doctorSteps } from "@/lib/models";
import { answerStep, type DoctorSubject, editStep, loadStep, type Seen, toolsStep, windowStep } from "./doctor-steps";
import { verdictOf } from "./doctor-verdict";

/** A model under test, and where its report is stored. */
export interface Patient {
  /** Name on its server. */
  readonly name: string;
  readonly subject: DoctorSubject;
  keep(report: DoctorReport): void;
  /** Releases the resources of the test. */
  close(): Promise<void>;
}

export interface Doctor {
  /**
   * Starts the test, or joins the running one. Fails with busy while another model is tested, and as `patient` does.
   */
  start(provider: string, model: string): Promise<Result<DoctorRun>>;
  cancel(): void;
  /** The running test. */
  current(): DoctorRun | null;
  close(): Promise<void>;
}

export interface DoctorOptions {
  /** Fails with model_missing, server_unreachable. */
  readonly patient: (provider: string, model: string, signal: AbortSignal) => Promise<Result<Patient>>;
  readonly onRun: (run: DoctorRun) => void;
  /** Receives unexpected errors. */
  readonly onBug: (error: unknown) => void;
  /** ms epoch */
  readonly now: () => number;
}

interface Running {
  readonly provider: string;
  readonly asked: string;
  readonly stop: AbortController;
  readonly started: Promise<Result<DoctorRun>>;
  run: DoctorRun | null;
  done: Promise<void>;
}

export function makeDoctor(options: DoctorOptions): Doctor {
  let running: Running | null = null;

  function begin(provider: string, model: string): Running {
    const stop = new AbortController();
    let test = Promise.resolve();
    const notify = (run: DoctorRun): void => {
      made.run = run;
      options.onRun(run);
    };
    /** The next test may have begun already. */
    const over = (): void => {
      if (running === made) running = null;
    };
    const started = options.patient(provider, model, stop.signal).then(
      (patient): Result<DoctorRun> => {
        if (!patient.ok) over();
        if (!patient.ok) return patient;
        const run = { model: patient.value.name, steps: stepsOf(new Map()) };
        made.run = run;
        test = examine(patient.value, options, notify, stop.signal);
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
    const made: Running = { provider, asked: model, stop, started, run: null, done };
    return made;
  }

  return {
    async start(provider, model) {
      if (running === null) {
        running = begin(provider, model);
        return running.started;
      }
      const { run, asked } = running;
      const isSame = running.provider === provider && (asked === model || run?.model === model);
      if (!isSame) return fail("busy", undefined, { model: run?.model ?? asked });
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

const stepsOf = (steps: ReadonlyMap<DoctorStepName, DoctorStep>): readonly DoctorStep[] =>
  doctorSteps.map((step) => steps.get(step) ?? { step, state: "waiting" });

/** Never rejects: a stopped test, or one with an unexpected error, is reported as cancelled. */
async function examine(
  patient: Patient,
  { now, onBug }: DoctorOptions,
  notify: (run: DoctorRun) => void,
  signal: AbortSignal,
): Promise<void> {
  const model = patient.name;
  const startedAt = now();
  const steps = new Map<DoctorStepName, DoctorStep>();
  const does = async <T extends { readonly seen: Seen }>(step: DoctorStepName, work: () => Promise<T>): Promise<T> => {
    signal.throwIfAborted();
    const at = now();
    steps.set(step, { step, state: "running" });
    notify({ model, steps: stepsOf(steps) });
    const result = await work();
    steps.set(step, { step, ...result.seen, ms: now() - at });
    notify({ model, steps: stepsOf(steps) });
    return result;
  };
  try {
    const found = await allSteps(patient.subject, does, signal);
    for (const step of doctorSteps) if (!steps.has(step)) steps.set(step, { step, state: "skipped" });
    const seen = { steps: stepsOf(steps), ...found };
    const report = { model, at: now(), tookMs: now() - startedAt, ...seen, verdict: verdictOf(seen) };
    patient.keep(report);
    notify({ model, steps: report.steps, report });
  } catch (cause) {
    if (!signal.aborted) onBug(cause);
    notify({ model, steps: stepsOf(steps), cancelled: true });
  } finally {
    await patient.close().catch(onBug);
  }
}

type Does = <T extends { readonly seen: Seen }>(step: DoctorStepName, work: () => Promise<T>) => Promise<T>;
type Found = Pick<DoctorReport, "toolMode" | "numCtx" | "readPerSecond" | "writePerSecond">;

/** Skips later steps whose failure follows from an earlier one. */
async function allSteps(subject: DoctorSubject, does: Does, signal: AbortSignal): Promise<Found> {
  const speeds = { readPerSecond: 0, writePerSecond: 0 };
  const { seen: load, numCtx } = await does("load", () => loadStep(subject, signal));
  const nothing = { toolMode: "native", numCtx, ...speeds } as const;
  if (load.state === "failed") return nothing;
  const { seen: answer } = await does("answer", async () => ({ seen: await answerStep(subject, numCtx, signal) }));
  if (answer.state === "failed") return nothing;
  const writes = answer.facts?.writePerSecond;
  const { seen: tools, mode } = await does("tools", () => toolsStep(subject, numCtx, signal));
  if (tools.state !== "failed")
    await does("edit", async () => ({ seen: await editStep(subject, mode, numCtx, signal) }));
  const { seen: window } = await does("window", async () => ({ seen: await windowStep(subject, numCtx, signal) }));
  const reads = window.facts?.readPerSecond;
  return {
    toolMode: mode,
    numCtx,
    readPerSecond: typeof reads === "number" ? reads : 0,
    writePerSecond: typeof writes === "number" ? writes : 0,
  };
}
