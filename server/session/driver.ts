/**
 * Drives the loop of one session: from wherever its log stands to an honest end, one run at a time. Used by session alone, which
 * decides when; knows no commands.
 */
import type { AgentError } from "@/lib/error";
import type { DurableEvent, RunEnd } from "@/lib/event";
import type { RunId } from "@/lib/id";
import { limits } from "@/lib/settings";
import { closeRun } from "../agent/ends";
import type { AgentHost } from "../agent/host";
import { runLoop, type TakeQueued } from "../agent/loop";
import { pause } from "../base/abort";
import { StoreError } from "../store/store-error";
import type { Log } from "./log";

export interface Driver {
  /** The end of the run that goes on; null = nothing runs. */
  running(): Promise<RunEnd> | null;
  /** Starts the open run of the log. The promise never rejects. */
  drive(): Promise<RunEnd>;
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

  const loop = async (signal: AbortSignal): Promise<LoopEnd> => {
    try {
      return { reason: await runLoop(host, takeQueued, signal) };
    } catch (error) {
      return signal.aborted ? { reason: "aborted" } : { reason: "error", error: asAgentError(error) };
    }
  };
  const runToEnd = async (runId: RunId | undefined, signal: AbortSignal): Promise<RunEnd> => {
    if (parked.signal.aborted || runId === undefined) return "interrupted";
    const end = await loop(signal);
    await close(log, runId, end, parked.signal);
    return end.reason;
  };
  const drive = (): Promise<RunEnd> => {
    const controller = new AbortController();
    const runId = log.view().run?.runId;
    // A step later: whoever hears of the first event finds the run already here, to steer, answer or stop it.
    const done = Promise.resolve()
      .then(() => runToEnd(runId, controller.signal))
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
    drive,
    async abort() {
      if (current === null) {
        log.commit(closeRun(log.view(), { reason: "aborted" }));
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

/** Ends that a longer wait cannot heal: the session is gone from the store, or somebody else wrote its log. */
const hopeless = (error: unknown): boolean =>
  error instanceof StoreError && (error.code === "not_found" || error.code === "internal");

/** A log that cannot be written now is tried again until it can: nothing that was said is lost meanwhile. */
async function close(log: Log, runId: RunId, end: LoopEnd, parked: AbortSignal): Promise<void> {
  const { reason } = end;
  const error: readonly DurableEvent[] = end.error === undefined ? [] : [{ type: "error", error: end.error }];
  let waitMs: number = limits.retryBaseMs;
  while (!parked.aborted && log.view().run?.runId === runId) {
    try {
      log.commit([...error, ...closeRun(log.view(), { reason: reason === "done" ? "error" : reason })]);
    } catch (failure) {
      if (hopeless(failure)) return;
      await pause(waitMs, parked);
      waitMs = Math.min(waitMs * 2, limits.storeRetryMaxMs);
    }
  }
}
