/** Keeps at most one engine process, with the model that was requested last, and ends it when it is no longer requested. */
import { type AgentError, fail, type Result, thrownText } from "@/lib/events/error";
import { abortable, pause } from "@/server/base/abort";
import type { EngineLoad, EngineProcess } from "./engine-process";

/** failed = it ended by itself, or could not be started. */
export type EngineRun =
  | { readonly status: "stopped" }
  | { readonly status: "loading"; readonly load: EngineLoad }
  | { readonly status: "ready"; readonly load: EngineLoad; readonly process: EngineProcess }
  | { readonly status: "failed"; readonly load: EngineLoad; readonly error: AgentError };

interface EngineFailure {
  readonly error: AgentError;
  /** false = it was unloaded, or ended twice in a row while it answered. */
  readonly retryable: boolean;
}

export interface EngineHost {
  run(): EngineRun;
  /**
   * Begins a request, which calls `ensure` and then the returned function when it has ended. The process is kept meanwhile. After
   * the last request it is ended when these minutes have passed without another one; 0 = at once, -1 = never.
   */
  hold(keepAliveMinutes: number): () => void;
  /** Resolves when no request is held. */
  untilIdle(): Promise<void>;
  /** The model is loaded with this window. */
  isReady(load: EngineLoad): boolean;
  /**
   * Resolves when the model is loaded; ends a process with another model or window first. After an abort the loading
   * continues. Fails with the error of `startEngine`.
   */
  ensure(load: EngineLoad, signal: AbortSignal): Promise<Result<EngineProcess>>;
  /** A request was answered: the next end counts as the first one. */
  answered(): void;
  /** To be called when an answer broke off: why the process ended; null = it is still running. */
  findFailure(process: EngineProcess): Promise<EngineFailure | null>;
  /** Ends the process, also while it loads. */
  unload(): Promise<void>;
}

interface EngineHostOptions {
  start(load: EngineLoad, signal: AbortSignal): Promise<Result<EngineProcess>>;
  onChange(run: EngineRun): void;
}

/** Ends in a row, each while it answered, after which a request is not repeated. */
const maxEnds = 2;
/** Time between a broken connection and the report of the exit, ms. */
const exitReportMs = 1_000;
/** The next request of the same run, or one that has waited for this one, arrives within this time, ms. */
const minIdleMs = 1_000;
const minuteMs = 60_000;

const isSameLoad = (first: EngineLoad, second: EngineLoad): boolean =>
  first.file === second.file &&
  first.digest === second.digest &&
  first.window === second.window &&
  first.projector === second.projector;

interface Current {
  readonly load: EngineLoad;
  readonly cancel: AbortController;
  readonly started: Promise<Result<EngineProcess>>;
}

async function stop({ cancel, started }: Current): Promise<void> {
  cancel.abort();
  const result = await started;
  if (result.ok) await result.value.stop();
}

/** Calls `end` when the time after the last request has passed. */
function makeHolds(end: () => void): Pick<EngineHost, "hold" | "untilIdle"> {
  let requests = 0;
  let idle: NodeJS.Timeout | undefined;
  let waiting: (() => void)[] = [];
  return {
    hold(keepAliveMinutes) {
      requests += 1;
      clearTimeout(idle);
      return () => {
        requests -= 1;
        if (requests > 0) return;
        for (const resolve of waiting) resolve();
        waiting = [];
        if (keepAliveMinutes < 0) return;
        idle = setTimeout(end, Math.max(minIdleMs, keepAliveMinutes * minuteMs));
        idle.unref();
      };
    },
    untilIdle: () => (requests === 0 ? Promise.resolve() : new Promise((resolve) => void waiting.push(resolve))),
  };
}

export function makeEngineHost({ start, onChange }: EngineHostOptions): EngineHost {
  let run: EngineRun = { status: "stopped" };
  let current: Current | null = null;
  /** Resolves when every process ended from here has exited. */
  let stopping: Promise<void> = Promise.resolve();
  let endsInRow = 0;

  function change(next: EngineRun): void {
    run = next;
    onChange(next);
  }

  async function load(wanted: EngineLoad, cancel: AbortController): Promise<Result<EngineProcess>> {
    const isCurrent = (): boolean => current?.cancel === cancel;
    const failed = (error: AgentError): void => {
      if (!isCurrent()) return;
      current = null;
      change({ status: "failed", load: wanted, error });
    };
    await stopping;
    if (cancel.signal.aborted) return fail("aborted");
    change({ status: "loading", load: wanted });
    const result = await start(wanted, cancel.signal).catch(
      (error: unknown): Result<never> => fail("internal", thrownText(error)),
    );
    if (!result.ok) failed(result.error);
    if (!result.ok || !isCurrent()) return result;
    const process = result.value;
    change({ status: "ready", load: wanted, process });
    void process.ended.then((error) => error !== null && failed(error));
    return result;
  }

  function begin(wanted: EngineLoad): Current {
    const cancel = new AbortController();
    return { load: wanted, cancel, started: load(wanted, cancel) };
  }

  function end(): Promise<void> {
    const last = current;
    current = null;
    if (last !== null) {
      const before = stopping;
      stopping = Promise.all([before, stop(last)]).then(() => {});
      change({ status: "stopped" });
    }
    return stopping;
  }

  return {
    run: () => run,
    ...makeHolds(() => void end()),
    isReady: (load) => run.status === "ready" && isSameLoad(run.load, load),
    async ensure(wanted, signal) {
      if (current !== null && !isSameLoad(current.load, wanted)) void end();
      current ??= begin(wanted);
      return abortable(current.started, signal);
    },
    answered() {
      endsInRow = 0;
    },
    async findFailure(process) {
      const reported = new AbortController();
      const ended = process.ended.finally(() => reported.abort());
      if (await pause(exitReportMs, reported.signal)) return null;
      const error = await ended;
      // Repeated, the request would load again what the user has unloaded.
      if (error === null) return { error: { code: "aborted" }, retryable: false };
      endsInRow += 1;
      const retryable = endsInRow < maxEnds;
      if (!retryable) endsInRow = 0;
      return { error, retryable };
    },
    unload: end,
  };
}
