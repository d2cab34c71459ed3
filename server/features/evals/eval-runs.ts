/** Runs evals: all tasks with the first model, then with the next; one run at a time. */
import { fail, ok, type AgentError, type Result } from "@/lib/events/error";
import type { EvalModel, EvalResult, EvalRun } from "@/lib/evals/evals";
import type { EvalTask } from "./eval-task";
import type { EvalTaskRun } from "./run-eval-task";

/** A model that a run uses. */
interface PreparedEvalModel {
  readonly model: EvalModel;
  /** Rejects with the signal's reason. Fails with the error of a server that cannot be used any more. */
  runTask(task: EvalTask, signal: AbortSignal): Promise<Result<EvalTaskRun>>;
  save(result: EvalResult, transcript: string): void;
}

interface EvalRuns {
  /** Fails with busy during another run, and as `prepare` does. */
  start(models: readonly EvalModel[], tasks: readonly EvalTask[]): Promise<Result<EvalRun>>;
  stop(): void;
  /** The active run, or the last one of this process; null = none. */
  current(): EvalRun | null;
  isRunning(): boolean;
  close(): Promise<void>;
}

interface EvalRunsOptions {
  /** Fails with not_found, model_missing, server_unreachable. */
  prepare(model: EvalModel, signal: AbortSignal): Promise<Result<PreparedEvalModel>>;
  onRun(run: EvalRun): void;
  /** Receives unexpected errors. */
  onBug(error: unknown): void;
  now(): number;
}

/** The state of a run; `update` also reports it. */
interface RunState {
  get(): EvalRun;
  update(change: Partial<EvalRun>): void;
}

export function makeEvalRuns(options: EvalRunsOptions): EvalRuns {
  let active: { readonly stop: AbortController; done: Promise<void> } | null = null;
  let run: EvalRun | null = null;

  /** Returns the run that was started. */
  function begin(models: readonly PreparedEvalModel[], tasks: readonly EvalTask[], stop: AbortController): EvalRun {
    let current: EvalRun = {
      models: models.map(({ model }) => model),
      tasks: tasks.map(({ id }) => id),
      results: [],
      problems: [],
      current: null,
      isStopped: false,
    };
    const [model] = models;
    const [task] = tasks;
    if (model !== undefined && task !== undefined)
      current = { ...current, current: { model: model.model, task: task.id, startedAt: options.now() } };
    run = current;
    const state: RunState = {
      get: () => current,
      update(change) {
        current = { ...current, ...change };
        run = current;
        options.onRun(current);
      },
    };
    const done = runAll(models, tasks, state, options, stop.signal).then(() => {
      active = null;
      state.update({ current: null, isStopped: stop.signal.aborted });
    });
    active = { stop, done };
    return current;
  }

  return {
    async start(models, tasks) {
      if (active !== null) return fail("busy");
      if (tasks.length === 0) return fail("not_found");
      const stop = new AbortController();
      active = { stop, done: Promise.resolve() };
      try {
        const prepared = await prepareAll(models, options.prepare, stop.signal);
        if (prepared.ok) return ok(begin(prepared.value, tasks, stop));
        active = null;
        return prepared;
      } catch (error) {
        active = null;
        if (stop.signal.aborted) return fail("aborted");
        throw error;
      }
    },
    stop: () => active?.stop.abort(),
    current: () => run,
    isRunning: () => active !== null,
    async close() {
      const closing = active;
      closing?.stop.abort();
      await closing?.done;
    },
  };
}

async function prepareAll(
  models: readonly EvalModel[],
  prepare: EvalRunsOptions["prepare"],
  signal: AbortSignal,
): Promise<Result<readonly PreparedEvalModel[]>> {
  const prepared: PreparedEvalModel[] = [];
  for (const model of models) {
    const one = await prepare(model, signal);
    if (!one.ok) return one;
    prepared.push(one.value);
  }
  signal.throwIfAborted();
  return ok(prepared);
}

/** Never rejects: an unexpected error ends the run and is a problem of its model. */
async function runAll(
  models: readonly PreparedEvalModel[],
  tasks: readonly EvalTask[],
  state: RunState,
  { now, onBug }: Pick<EvalRunsOptions, "now" | "onBug">,
  signal: AbortSignal,
): Promise<void> {
  try {
    for (const model of models) {
      const error = await runModel(model, tasks, state, now, signal);
      if (error !== null) state.update({ problems: [...state.get().problems, { model: model.model, error }] });
    }
  } catch (error) {
    if (signal.aborted) return;
    onBug(error);
    const model = state.get().current?.model;
    if (model !== undefined)
      state.update({ problems: [...state.get().problems, { model, error: { code: "internal" } }] });
  }
}

/** Returns the error because of which the remaining tasks were left out; null = all ran. */
async function runModel(
  { model, runTask, save }: PreparedEvalModel,
  tasks: readonly EvalTask[],
  state: RunState,
  now: () => number,
  signal: AbortSignal,
): Promise<AgentError | null> {
  for (const task of tasks) {
    signal.throwIfAborted();
    state.update({ current: { model, task: task.id, startedAt: now() } });
    const ran = await runTask(task, signal);
    if (!ran.ok) return ran.error;
    const { result, transcript, serverError } = ran.value;
    if (serverError !== null) return serverError;
    const full = { model, ...result };
    save(full, transcript);
    state.update({ results: [...state.get().results, full] });
  }
  return null;
}
