/**
 * Logs being read into memory: one read per session however many callers wait for it, one step per turn of the event
 * loop however many sessions are read.
 */
import type { SessionId } from "@/lib/events/id";
import type { SessionView } from "@/lib/view/view";
import { abortable } from "@/server/base/abort";
import { type LoadSteps, finishLoad, loadSteps } from "./load";
import type { Store } from "@/server/store/open-store";

/** Number of logs loaded ahead of use. */
const preparedMax = 4;
/** Time a log loaded ahead of use is retained, ms. */
const preparedMs = 5_000;

export interface SessionLoads {
  /** Reads it ahead, without a caller. Dropped after `preparedMs` if the session is not opened. */
  prepare(id: SessionId): void;
  /** Starts or joins a read for this caller, then waits like `wait`. */
  begin(id: SessionId, signal: AbortSignal): Promise<void>;
  /**
   * Waits for the read in progress; null = there is none. Callers of one session resume in order of arrival. Rejects
   * with StoreError or the signal's reason; the read is cancelled when its last caller has left.
   */
  wait(id: SessionId, signal: AbortSignal): Promise<void> | null;
  /**
   * Returns the view now: runs the remaining steps and reads what was appended meanwhile. null = no such session.
   * Throws StoreError.
   */
  take(id: SessionId): SessionView | null;
  stop(): void;
}

interface SessionLoad {
  readonly id: SessionId;
  readonly steps: LoadSteps;
  /** The view once all steps are done. */
  view: SessionView | null;
  readonly ended: Promise<void>;
  /** Settles `ended`; rejects with an error. */
  end(error?: unknown): void;
  /** Callers still waiting. */
  callers: number;
  /** Reading continues without callers. */
  isPrepared: boolean;
  timer: NodeJS.Timeout | null;
}

export function makeSessionLoads(services: { readonly store: Store }): SessionLoads {
  const { begun, ended, start, forget, end, fail } = makeLoadTable((id) => loadSteps(services, id));
  const join = async (load: SessionLoad, signal: AbortSignal): Promise<void> => {
    load.callers += 1;
    try {
      await abortable(load.ended, signal);
    } finally {
      load.callers -= 1;
      if (load.callers === 0 && !load.isPrepared && load.view === null) forget(load);
    }
  };
  return {
    prepare(id) {
      if (begun.size < preparedMax || begun.has(id)) (begun.get(id) ?? start(id)).isPrepared = true;
    },
    begin: (id, signal) => join(begun.get(id) ?? start(id), signal),
    wait(id, signal) {
      const load = ended.get(id) ?? begun.get(id);
      return load === undefined || (load.view !== null && !ended.has(id)) ? null : join(load, signal);
    },
    take(id) {
      const load = begun.get(id);
      if (load === undefined) return finishLoad(loadSteps(services, id));
      const wasRead = load.view !== null;
      try {
        const view = finishLoad(loadSteps(services, id, load.view ?? finishLoad(load.steps)));
        forget(load);
        if (!wasRead) end(load);
        return view;
      } catch (error) {
        fail(load, error);
        throw error;
      }
    },
    stop() {
      for (const load of [...begun.values()]) fail(load, new DOMException("the server ends", "AbortError"));
    },
  };
}

/** Reads from their first step until their view is taken or dropped. */
function makeLoadTable(stepsOf: (id: SessionId) => LoadSteps) {
  const begun = new Map<SessionId, SessionLoad>();
  /** Finished in this turn of the event loop: a caller that comes now resumes after those that waited. */
  const ended = new Map<SessionId, SessionLoad>();
  const turns = makeRotation();
  const forget = (load: SessionLoad): void => {
    if (load.timer !== null) clearTimeout(load.timer);
    turns.remove(load);
    if (begun.get(load.id) === load) begun.delete(load.id);
  };
  const end = (load: SessionLoad, error?: unknown): void => {
    ended.set(load.id, load);
    setImmediate(() => {
      if (ended.get(load.id) === load) ended.delete(load.id);
    });
    load.end(error);
  };
  const fail = (load: SessionLoad, error: unknown): void => {
    forget(load);
    end(load, error);
  };
  const step = (load: SessionLoad): boolean => {
    try {
      const { done, value } = load.steps.next();
      if (done !== true) return true;
      load.view = value;
      if (value === null) forget(load);
      else load.timer = setTimeout(forget, preparedMs, load).unref();
      end(load);
    } catch (error) {
      fail(load, error);
    }
    return false;
  };
  const start = (id: SessionId): SessionLoad => {
    const load = makeLoad(id, stepsOf(id));
    begun.set(id, load);
    turns.add(load, step);
    return load;
  };
  return { begun, ended, start, forget, end, fail };
}

/**
 * Runs one step of one load per turn of the event loop, the loads in rotation; a step that returns false was the last.
 */
function makeRotation() {
  const waiting = new Map<SessionLoad, (load: SessionLoad) => boolean>();
  const next = (): void => {
    const [first] = waiting;
    if (first === undefined) return;
    const [load, step] = first;
    waiting.delete(load);
    if (step(load)) waiting.set(load, step);
    if (waiting.size > 0) setImmediate(next);
  };
  return {
    add(load: SessionLoad, step: (load: SessionLoad) => boolean): void {
      waiting.set(load, step);
      if (waiting.size === 1) setImmediate(next);
    },
    remove: (load: SessionLoad): boolean => waiting.delete(load),
  };
}

function makeLoad(id: SessionId, steps: LoadSteps): SessionLoad {
  let end = (_error?: unknown): void => {};
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => (error === undefined ? resolve() : reject(error));
  });
  // Prevents an unhandled rejection without a caller.
  ended.catch(() => {});
  return { id, steps, view: null, ended, end, callers: 0, isPrepared: false, timer: null };
}
