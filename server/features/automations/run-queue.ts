/**
 * The runs of automations that wait or are at work: one at a time on a model server. What a run was about to do is stored
 * before it does it.
 */
import type { AutomationOutcome, AutomationRun } from "@/lib/automations/automation";
import { makeMutex } from "@/server/base/concurrency";
import type { AutomationStore, DueRow } from "@/server/store/automations";
import { mayStart } from "./decide-due";

/** Result of a run that has ended. */
export interface AutomationEnd extends Pick<AutomationRun, "sessionId" | "tokens" | "error"> {
  readonly outcome: AutomationOutcome;
}

interface RunQueueOptions {
  readonly store: Pick<AutomationStore, "update" | "open">;
  /** The model server of an automation. */
  hostOf(automationId: string): string;
  /** Does the work; `began` stores the session. Never rejects, also not after the signal. */
  run(
    row: DueRow,
    began: (sessionId: NonNullable<DueRow["sessionId"]>) => void,
    signal: AbortSignal,
  ): Promise<AutomationEnd>;
  /** The row has its outcome. */
  ended(row: DueRow): void;
  /** Whether a missed time of the automation may be made up for. */
  missedPolicy(automationId: string): "run" | "skip";
  now(): number;
  /** Logs an unexpected error; the row stays open until the next start. */
  reportBug(error: unknown): void;
}

export interface RunQueue {
  /** Queues a run whose row is stored. */
  add(row: DueRow): void;
  isBusy(automationId: string): boolean;
  /** Ends the run of an automation, or takes it out of the queue. */
  stop(automationId: string): void;
  /**
   * Settles the runs that the last process left: one that had begun ends `interrupted`, one that waited is queued again or
   * missed. Returns the rows of those that had begun.
   */
  recover(): readonly DueRow[];
  /** Resolves when nothing runs any more. */
  close(): Promise<void>;
}

export function makeRunQueue(options: RunQueueOptions): RunQueue {
  const { store, now } = options;
  const turns = makeMutex();
  const busy = new Map<string, { readonly controller: AbortController; readonly done: Promise<void> }>();
  const closing = new AbortController();

  const finish = (row: DueRow, end: AutomationEnd): void => {
    const ended: DueRow = { ...row, ...end, endedAt: now() };
    store.update(ended);
    options.ended(ended);
  };
  const work = async (row: DueRow, signal: AbortSignal): Promise<void> => {
    let current: DueRow = { ...row, startedAt: now() };
    store.update(current);
    const began = (sessionId: NonNullable<DueRow["sessionId"]>): void => {
      current = { ...current, sessionId };
      store.update(current);
    };
    const end = await options.run(current, began, signal);
    // At a shutdown the row stays open: the next start ends it, and queues what had not begun.
    if (!closing.signal.aborted) finish(current, end);
  };
  const add = (row: DueRow): void => {
    const id = row.automationId;
    const controller = new AbortController();
    const signal = AbortSignal.any([controller.signal, closing.signal]);
    const waited = turns
      .hold(options.hostOf(id), () => work(row, signal), signal)
      .catch((error: unknown) => {
        if (!signal.aborted) throw error;
        if (!closing.signal.aborted) finish(row, { outcome: "stopped" });
      });
    const done = waited.catch(options.reportBug).finally(() => busy.delete(id));
    busy.set(id, { controller, done });
  };
  return {
    add,
    isBusy: (id) => busy.has(id),
    stop: (id) => busy.get(id)?.controller.abort(),
    recover() {
      const open = store.open();
      const begun = open.filter(({ startedAt }) => startedAt !== undefined);
      for (const row of begun) finish(row, { outcome: "interrupted" });
      for (const row of open) {
        if (row.startedAt !== undefined) continue;
        const missed = row.cause === "time" ? options.missedPolicy(row.automationId) : "skip";
        if (!busy.has(row.automationId) && mayStart(row.scheduledFor, { now: now(), missed })) add(row);
        else finish(row, { outcome: "missed" });
      }
      return begun;
    },
    async close() {
      closing.abort();
      await Promise.all([...busy.values()].map(({ done }) => done));
    },
  };
}
