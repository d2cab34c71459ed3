/** Runs the agent loop of one session from the current state of its log to a recorded end, one run at a time. */
import { type AgentError, thrownText } from "@/lib/events/error";
import type { DurableEvent, RunEnd } from "@/lib/events/event";
import type { RunId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import type { SessionView } from "@/lib/view/view";
import { closeCompactionOutsideRun, closeRun, type Interruption } from "@/server/agent/loop/close-run";
import { runLoop, type TakeQueued } from "@/server/agent/loop/loop";
import { contextBudget } from "@/server/agent/context/context-budget";
import { pause, processEnds } from "@/server/base/abort";
import { isPermanentError, StoreError } from "@/server/store/core/store-error";
import { openUserCommand, runUserCommand, type UserCommandHost } from "../user-commands/run-user-command";
import type { SessionLog } from "./session-log";

/** Maximum delay between attempts to write the end of a run, ms. */
const storeRetryMaxMs = 5_000;

export interface Driver {
  /** Resolves at the end of the current run; null = nothing runs. */
  running(): Promise<RunEnd> | null;
  /** Starts the open run of the log. The promise never rejects. */
  drive(): Promise<RunEnd>;
  /** Runs work outside a run, such as a compaction, that Stop and shutdown cancel like a run. Never rejects. */
  runExclusive(work: (signal: AbortSignal) => Promise<RunEnd>): Promise<RunEnd>;
  /**
   * Resolves when nothing runs; a run waiting since a restart is closed too. Throws StoreError when that cannot be
   * written.
   */
  abort(): Promise<void>;
  /** Stops the current work without writing its end; nothing runs afterwards. */
  shutdown(): Promise<void>;
}

interface CurrentWork {
  readonly controller: AbortController;
  readonly done: Promise<RunEnd>;
}

interface LoopEnd {
  readonly reason: RunEnd;
  /** Error that ended the loop; written to the log as soon as possible. */
  readonly error?: AgentError;
}

export function makeDriver(log: SessionLog, host: UserCommandHost, takeQueued: TakeQueued): Driver {
  const parked = new AbortController();
  let current: CurrentWork | null = null;

  /** For calls interrupted now: the window that limits their results, and the time of their end. */
  const cutOffNow = (): Pick<Interruption, "at" | "window"> => ({
    at: host.now(),
    ...(log.view().model === null ? {} : { window: contextBudget(host.modelFacts()).estimatedWindow }),
  });
  const runWork = (signal: AbortSignal): Promise<RunEnd> => {
    const command = openUserCommand(log.view());
    return command === null
      ? runLoop(host, takeQueued, signal)
      : runUserCommand(host, command, () => parked.signal.aborted, signal);
  };
  const runToEnd = async (runId: RunId | undefined, signal: AbortSignal): Promise<RunEnd> => {
    if (parked.signal.aborted || runId === undefined) return "interrupted";
    const end = await settleWork(() => runWork(signal), signal);
    await closeRunInLog(log, runId, end, cutOffNow(), parked.signal);
    return end.reason;
  };
  const start = (work: (signal: AbortSignal) => Promise<RunEnd>): Promise<RunEnd> => {
    const controller = new AbortController();
    // Starts in a microtask: a listener of the first event finds the run registered and can steer, answer or stop it.
    const done = Promise.resolve()
      .then(() => work(controller.signal))
      .finally(() => {
        // A listener of the end event may already have started the next run.
        if (current === running) current = null;
      });
    const running: CurrentWork = { controller, done };
    current = running;
    return done;
  };

  return {
    running: () => current?.done ?? null,
    drive() {
      const runId = log.view().run?.runId;
      return start((signal) => runToEnd(runId, signal));
    },
    runExclusive: (work) =>
      start(async (signal) => {
        const end = await settleWork(() => work(signal), signal);
        if (end.reason !== "done") await closeCompaction(log, end, parked.signal);
        return parked.signal.aborted ? "interrupted" : end.reason;
      }),
    async abort() {
      // Nothing has begun to read it.
      const ending = current === null ? host.endHeldAnswer() : null;
      if (ending !== null) await ending;
      if (current === null) {
        log.commit(closeRun(log.view(), { reason: "aborted", ...cutOffNow() }));
        return;
      }
      current.controller.abort();
      await current.done;
    },
    async shutdown() {
      parked.abort();
      while (current !== null) {
        current.controller.abort(processEnds);
        await current.done;
      }
    },
  };
}

const asAgentError = (error: unknown): AgentError =>
  error instanceof StoreError ? error.toAgentError() : { code: "internal", detail: thrownText(error) };

/** Outcome of work that may throw an unexpected error or a StoreError. */
async function settleWork(work: () => Promise<RunEnd>, signal: AbortSignal): Promise<LoopEnd> {
  try {
    return { reason: await work() };
  } catch (error) {
    return signal.aborted ? { reason: "aborted" } : { reason: "error", error: asAgentError(error) };
  }
}

const errorEvents = ({ error }: LoopEnd): readonly DurableEvent[] =>
  error === undefined ? [] : [{ type: "error", error }];

function closeRunInLog(
  log: SessionLog,
  runId: RunId,
  end: LoopEnd,
  cut: Pick<Interruption, "at" | "window">,
  parked: AbortSignal,
): Promise<void> {
  const reason = end.reason === "done" ? "error" : end.reason;
  return commitWithRetry(log, parked, (view) =>
    view.run?.runId === runId ? [...errorEvents(end), ...closeRun(view, { reason, ...cut })] : [],
  );
}

/** Closes a compaction outside a run; the error that ends it has the reason. */
const closeCompaction = (log: SessionLog, end: LoopEnd, parked: AbortSignal): Promise<void> =>
  commitWithRetry(log, parked, (view) => {
    if (view.openCompaction === null || end.reason === "done") return [];
    const [error, ...held] = closeCompactionOutsideRun(view, { reason: end.reason });
    return end.error === undefined && error !== undefined ? [error, ...held] : [...errorEvents(end), ...held];
  });

/** Retries with backoff until the log can be written, so that no event is lost. */
async function commitWithRetry(
  log: SessionLog,
  parked: AbortSignal,
  toEvents: (view: SessionView) => readonly DurableEvent[],
): Promise<void> {
  let waitMs: number = serverLimits.retryBaseMs;
  for (let events = toEvents(log.view()); events.length > 0 && !parked.aborted; events = toEvents(log.view())) {
    try {
      log.commit(events);
    } catch (failure) {
      if (isPermanentError(failure)) return;
      await pause(waitMs, parked);
      waitMs = Math.min(waitMs * 2, storeRetryMaxMs);
    }
  }
}
