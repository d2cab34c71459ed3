/** Sessions in memory: loaded from the log on demand, recovered once, released when idle and unwatched. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { Envelope, ParentCall } from "@/lib/events/event";
import { asId, type CommandId, type ProjectId, type SessionId } from "@/lib/events/id";
import type { Mode } from "@/lib/permissions/policy";
import type { SessionView } from "@/lib/view/view";
import { computeHash } from "@/server/base/id";
import { forkSession } from "../branches/fork";
import { isCacheable, cacheViewSteps, cachedSeq } from "./cached-view";
import { createSession } from "./create-session";
import { programHash, commitRecovery } from "./load";
import { makeSessionLoads } from "./session-loads";
import type { SessionServices } from "../core/services";
import { LiveSession } from "../core/session";
import type { Session } from "../core/session-types";

/** Idle sessions without clients that stay in memory, with their shell state. */
const sessionsKept = 8;
/** Growth of a log, in events, after which its folded view is stored again. */
export const keptViewEvents = 2_000;

export interface Registry {
  /** undefined = no such session. Its log is recovered the first time after a start. */
  get(id: SessionId): Session | undefined;
  /** Creates a session without messages. Repeated with the same commandId it returns the same session. */
  create(input: {
    readonly projectId: ProjectId;
    readonly cwd: string;
    readonly mode: Mode;
    readonly commandId: CommandId;
  }): Session;
  /** Creates the session of a subagent without messages; repeated for the same call it returns the same session. */
  startSubagent(parent: SessionView, call: ParentCall, mode: Mode): Session;
  /**
   * Creates a session that starts as this one was at a border; repeated with the same commandId it returns the same
   * one. Fails with not_found, not_border.
   */
  fork(input: {
    readonly sessionId: SessionId;
    readonly atSeq: number;
    readonly commandId: CommandId;
  }): Result<Session>;
  /**
   * Reads the log ahead, in slices between other work, of a session about to be opened; `get` then has only the rest to
   * do.
   */
  prepare(id: SessionId): void;
  /**
   * Resolves when `get` has nothing left to read; null = that is already so. Callers for one session resume in order of
   * arrival, also after a read that `get` finished. Rejects with StoreError, or with the signal's reason if that comes
   * first.
   */
  ready(id: SessionId, signal: AbortSignal): Promise<void> | null;
  /** Waits for a read in progress, in the same order; null = there is none. */
  waitForRead(id: SessionId, signal: AbortSignal): Promise<void> | null;
  /** Listens to every envelope of every session in memory. */
  subscribe(listener: (envelope: Envelope) => void): () => void;
  /** Recovers sessions the last process left running or waiting, and returns them. */
  recoverAll(): readonly Session[];
  running(): readonly Session[];
  /** Adds a watcher: the session stays in memory until each watcher has released it. */
  watch(id: SessionId): void;
  /**
   * Removes a watcher. After the last one, `sessionsKept` of the unwatched sessions stay with their shells; older ones
   * are released when idle.
   */
  release(id: SessionId): void;
  /** The project's folder has changed: its idle sessions in memory recreate shell and files. */
  suspend(projectId: ProjectId): void;
  /** Stops every process and stream and leaves the logs as they are: the next start recovers them. */
  close(): Promise<void>;
}

/** `kept` = number of unwatched sessions that stay in memory. */
export function makeRegistry(baseServices: SessionServices, maxUnwatched: number = sessionsKept): Registry {
  const services: SessionServices = {
    ...baseServices,
    reportStoreError: reportRecoveryOnce(baseServices.reportStoreError),
  };
  const sessions = makeSessionMap();
  const listeners = new Set<(envelope: Envelope) => void>();
  /** Recovered or created by this process: such a session is not recovered again when it is reloaded. */
  const recoveredIds = new Set<SessionId>();
  const unwatched = makeUnwatched(sessions, maxUnwatched);
  const loads = makeSessionLoads(services);
  const cacheWriter = makeViewCacheWriter(services);

  const keep = (view: SessionView): Session => {
    const session = new LiveSession(view, services);
    recoveredIds.add(session.id);
    sessions.hold(session);
    session.subscribe((envelope) => {
      // A caller that still has a released session uses it again.
      sessions.hold(session);
      for (const listener of listeners) listener(envelope);
    });
    cacheWriter.follow(session);
    return session;
  };
  const get = (id: SessionId): Session | undefined => {
    const open = sessions.get(id);
    if (open !== undefined) return open;
    const view = loads.take(id);
    if (view === null) return undefined;
    return keep(recoveredIds.has(id) ? view : commitRecovery(view, services));
  };

  return {
    get,
    create: ({ projectId, cwd, mode, commandId }) => {
      const id = sessionIdFor(commandId);
      return get(id) ?? keep(createSession(services, { id, projectId, cwd, mode, model: null }));
    },
    startSubagent: ({ projectId, cwd, model }, call, mode) => {
      const id = subagentId(call);
      return get(id) ?? keep(createSession(services, { id, projectId, cwd, mode, model, parent: call }));
    },
    fork: ({ sessionId, atSeq, commandId }) => {
      const id = sessionIdFor(`${sessionId} ${commandId}`);
      const existing = get(id);
      return existing === undefined ? forkAtBorder(services, get(sessionId), atSeq, id, keep) : ok(existing);
    },
    prepare: (id) => void (sessions.held(id) ?? loads.prepare(id)),
    ready: (id, signal) => loads.wait(id, signal) ?? (sessions.get(id) === undefined ? loads.begin(id, signal) : null),
    waitForRead: loads.wait,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    recoverAll: () => recoverAll(services, get),
    running: () => sessions.all().filter((session) => !session.idle),
    watch: unwatched.take,
    release: unwatched.add,
    suspend(projectId) {
      for (const session of sessions.all()) if (session.view.projectId === projectId && session.idle) session.suspend();
    },
    async close() {
      loads.stop();
      cacheWriter.stop();
      await Promise.all(sessions.all().map((session) => session.shutdown()));
    },
  };
}

const recoverAll = (
  { store, reportStoreError }: SessionServices,
  get: (id: SessionId) => Session | undefined,
): readonly Session[] =>
  store.sessions.listOpen().flatMap((id) => {
    try {
      return get(id) ?? [];
    } catch (error) {
      // A log that cannot be read or written does not block the others; it is retried when it is opened.
      reportStoreError(error);
      return [];
    }
  });

function forkAtBorder(
  services: SessionServices,
  parent: Session | undefined,
  atSeq: number,
  id: SessionId,
  keep: (view: SessionView) => Session,
): Result<Session> {
  if (parent === undefined) return fail("not_found");
  return parent.isBorder(atSeq) ? ok(keep(forkSession(services, parent.view, atSeq, id))) : fail("not_border");
}

/** Derives the session id from the command, so that a repeated command gives the same session. */
const sessionIdFor = (command: string): SessionId => asId<SessionId>(`s${computeHash(command).slice(0, 24)}`);

/** Returns the id of the session of the subagent that a call starts. */
export const subagentId = ({ sessionId, callId }: ParentCall): SessionId =>
  sessionIdFor(`${sessionId} subagent ${callId}`);

/**
 * Ensures one object per session: two would write the same log. A released session is found again as long as a caller
 * references it, such as a command between its arrival and its execution.
 */
function makeSessionMap() {
  const held = new Map<SessionId, Session>();
  const letGo = new Map<SessionId, WeakRef<Session>>();
  return {
    get(id: SessionId): Session | undefined {
      const session = held.get(id) ?? letGo.get(id)?.deref();
      if (session === undefined) letGo.delete(id);
      else this.hold(session);
      return session;
    },
    hold(session: Session): void {
      held.set(session.id, session);
      letGo.delete(session.id);
    },
    letGo(session: Session): void {
      held.delete(session.id);
      letGo.set(session.id, new WeakRef(session));
    },
    held: (id: SessionId): Session | undefined => held.get(id),
    all: (): readonly Session[] => [...held.values()],
  };
}

/** Unwatched sessions in the order in which they were left: over `kept`, the oldest idle ones are released. */
function makeUnwatched(sessions: ReturnType<typeof makeSessionMap>, maxUnwatched: number) {
  const ids = new Set<SessionId>();
  /** Watchers per session: the owner's tabs count as one, each share link as one more. */
  const watchers = new Map<SessionId, number>();
  return {
    take(id: SessionId): void {
      watchers.set(id, (watchers.get(id) ?? 0) + 1);
      ids.delete(id);
    },
    add(id: SessionId): void {
      const left = (watchers.get(id) ?? 0) - 1;
      if (left > 0) return void watchers.set(id, left);
      watchers.delete(id);
      ids.delete(id);
      ids.add(id);
      for (const oldest of [...ids].slice(0, Math.max(0, ids.size - maxUnwatched))) {
        const session = sessions.held(oldest);
        // A running session is checked again when the next one is left.
        if (session?.idle === false) continue;
        ids.delete(oldest);
        if (session === undefined) continue;
        session.suspend();
        sessions.letGo(session);
      }
    },
  };
}

/**
 * Writes the cached views of long logs, in steps between other work. A failed write is retried when the log has grown.
 */
function makeViewCacheWriter({ store }: SessionServices) {
  const works = new Map<SessionId, Generator<undefined, void>>();
  const go = (id: SessionId): void => {
    const work = works.get(id);
    if (work === undefined) return;
    try {
      if (work.next().done !== true) return void setImmediate(go, id);
    } catch {
      // The log is complete; only the next opening takes longer.
    }
    works.delete(id);
  };
  const consider = (view: SessionView): void => {
    const { sessionId: id, seq } = view;
    if (seq < keptViewEvents || works.has(id) || !isCacheable(view)) return;
    try {
      if (seq - cachedSeq(id, store, programHash()) < keptViewEvents) return;
    } catch {
      return;
    }
    works.set(id, cacheViewSteps(view, store, programHash()));
    setImmediate(go, id);
  };
  return {
    /** Checks the session now and after each run. */
    follow(session: Session): void {
      consider(session.view);
      session.subscribe(({ event }) => {
        if (event.type === "agent_end") consider(session.view);
      });
    },
    stop: (): void => works.clear(),
  };
}

/** Reports every failure, and a recovery once. */
function reportRecoveryOnce(report: SessionServices["reportStoreError"]): SessionServices["reportStoreError"] {
  let troubled = false;
  return (error) => {
    if (error === null && !troubled) return;
    troubled = error !== null;
    report(error);
  };
}
