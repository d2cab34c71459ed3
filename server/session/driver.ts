/**
 * Drives the loop of one session: from wherever its log stands to an honest end, one run at a time. Used by session alone, which
 * decides when; knows no commands.
 */
import type { AgentError } from "@/lib/error";
import type { DurableEvent, RunEnd } from "@/lib/event";
import type { RunId } from "@/lib/id";
import { limits } from "@/lib/settings";
import type { SessionView } from "@/lib/view";
import { closeOutside, closeRun, type CutOff } from "../agent/ends";
import type { AgentHost } from "../agent/host";
import { runLoop, type TakeQueued } from "../agent/loop";
import { roomOf } from "../agent/window";
import { pause } from "../base/abort";
import { isHopeless, StoreError } from "../store/store-error";
import type { Log } from "./log";

export interface Driver {
  /** The end of the run that goes on; null = nothing runs. */
  running(): Promise<RunEnd> | null;
  /** Starts the open run of the log. The promise never rejects. */
  drive(): Promise<RunEnd>;
  /** Work outside a run that Stop and the end of the program end as they end a run: a compaction. Never rejects. */
  occupy(work: (signal: AbortSignal) => Promise<RunEnd>): Promise<RunEnd>;
  /** Resolves when nothing runs; a run that waits since a restart is closed too. Throws StoreError when that cannot be written. */
  abort(): Promise<void>;
  /** Stops what runs without writing its end; nothing runs afterwards. */
  park(): Promise<void>;
}

interface Running {
  readonly controller: AbortController;
  readonly done: Promise<RunEnd>;
}

interface LoopEnd {
  readonly reason: RunEnd;
  /** Why the loop could not go on: told in the log as soon as it can be written. */
  readonly error?: AgentError;
}

export function makeDriver(log: Log, host: AgentHost, takeQueued: TakeQueued): Driver {
  const parked = new AbortController();
  let current: Running | null = null;

  /** For calls that are cut off now: what bounds their results, and the end of their time. */
  const cutOffNow = (): Pick<CutOff, "at" | "window"> => ({
    at: host.now(),
    ...(log.view().model === null ? {} : { window: roomOf(host.modelFacts()).estimated }),
  });
  const runToEnd = async (runId: RunId | undefined, signal: AbortSignal): Promise<RunEnd> => {
    if (parked.signal.aborted || runId === undefined) return "interrupted";
    const end = await outcomeOf(() => runLoop(host, takeQueued, signal), signal);
    await close(log, runId, end, cutOffNow(), parked.signal);
    return end.reason;
  };
  const start = (work: (signal: AbortSignal) => Promise<RunEnd>): Promise<RunEnd> => {
    const controller = new AbortController();
    // A step later: whoever hears of the first event finds the run already here, to steer, answer or stop it.
    const done = Promise.resolve()
      .then(() => work(controller.signal))
      .finally(() => {
        // Whoever listened to the end may have started the next run already.
        if (current === running) current = null;
      });
    const running: Running = { controller, done };
    current = running;
    return done;
  };

  return {
    running: () => current?.done ?? null,
    drive() {
      const runId = log.view().run?.runId;
      return start((signal) => runToEnd(runId, signal));
    },
    occupy: (work) =>
      start(async (signal) => {
        const end = await outcomeOf(() => work(signal), signal);
        if (end.reason !== "done") await closeCompaction(log, end, parked.signal);
        return parked.signal.aborted ? "interrupted" : end.reason;
      }),
    async abort() {
      if (current === null) {
        log.commit(closeRun(log.view(), { reason: "aborted", ...cutOffNow() }));
        return;
      }
      current.controller.abort();
      await current.done;
    },
    async park() {
      parked.abort();
      while (current !== null) {
        current.controller.abort();
        await current.done;
      }
    },
  };
}

const asAgentError = (error: unknown): AgentError =>
  error instanceof StoreError
    ? error.toAgentError()
    : { code: "internal", detail: error instanceof Error ? error.message : String(error) };

/** How work ended that may throw what is a bug or a log that cannot be written. */
async function outcomeOf(work: () => Promise<RunEnd>, signal: AbortSignal): Promise<LoopEnd> {
  try {
    return { reason: await work() };
  } catch (error) {
    return signal.aborted ? { reason: "aborted" } : { reason: "error", error: asAgentError(error) };
  }
}

const errorOf = ({ error }: LoopEnd): readonly DurableEvent[] =>
  error === undefined ? [] : [{ type: "error", error }];

function close(
  log: Log,
  runId: RunId,
  end: LoopEnd,
  cut: Pick<CutOff, "at" | "window">,
  parked: AbortSignal,
): Promise<void> {
  const reason = end.reason === "done" ? "error" : end.reason;
  return untilWritten(log, parked, (view) =>
    view.run?.runId === runId ? [...errorOf(end), ...closeRun(view, { reason, ...cut })] : [],
  );
}

/** A compaction outside a run; the error that ends it says why. */
const closeCompaction = (log: Log, end: LoopEnd, parked: AbortSignal): Promise<void> =>
  untilWritten(log, parked, (view) => {
    if (view.openCompaction === null || end.reason === "done") return [];
    const [error, ...held] = closeOutside(view, { reason: end.reason });
    return end.error === undefined && error !== undefined ? [error, ...held] : [...errorOf(end), ...held];
  });

/** A log that cannot be written now is tried again until it can: nothing that was said is lost meanwhile. */
async function untilWritten(
  log: Log,
  parked: AbortSignal,
  what: (view: SessionView) => readonly DurableEvent[],
): Promise<void> {
  let waitMs: number = limits.retryBaseMs;
  for (let events = what(log.view()); events.length > 0 && !parked.aborted; events = what(log.view())) {
    try {
      log.commit(events);
    } catch (failure) {
      if (isHopeless(failure)) return;
      await pause(waitMs, parked);
      waitMs = Math.min(waitMs * 2, limits.storeRetryMaxMs);
    }
  }
}
