/** The sessions in memory: loaded from the log when asked for, recovered once, let go when idle and unwatched. */
import { fail, ok, type Result } from "@/lib/error";
import type { DurableEvent, Envelope } from "@/lib/event";
import { asId, type CommandId, type ProjectId, type SessionId } from "@/lib/id";
import type { Mode } from "@/lib/policy";
import { limits } from "@/lib/settings";
import type { SessionRow } from "@/lib/session-row";
import type { SessionView } from "@/lib/view";
import { hashOf } from "../base/id";
import { forked } from "./fork";
import { canBeKept, keeping, keptSeq } from "./kept-view";
import { foldCode, recovered, viewOfFirst } from "./load";
import { makeLoads } from "./loads";
import type { SessionServices } from "./services";
import { LiveSession, type Session } from "./session";

export interface Registry {
  /** undefined = no such session. The first time after a start its log is made honest. */
  get(id: SessionId): Session | undefined;
  /** A session without messages. Repeated with the same commandId it is the same one. */
  create(input: {
    readonly projectId: ProjectId;
    readonly cwd: string;
    readonly mode: Mode;
    readonly commandId: CommandId;
  }): Session;
  /** A session that begins as this one was at a border; repeated with the same commandId it is the same one. not_found, not_border. */
  fork(input: {
    readonly sessionId: SessionId;
    readonly atSeq: number;
    readonly commandId: CommandId;
  }): Result<Session>;
  /** Somebody is about to open it: a log that is not in memory is read between other work, and `get` has only the rest to do. */
  prepare(id: SessionId): void;
  /**
   * Resolves when `get` has nothing left to read; null = it has nothing now. Callers for one session go on in the order in which
   * they came, also behind a reading that `get` ended. Rejects with StoreError, and with the signal's reason when that comes first.
   */
  ready(id: SessionId, signal: AbortSignal): Promise<void> | null;
  /** The reading under way, if there is one, in that same order; null = there is none. */
  underWay(id: SessionId, signal: AbortSignal): Promise<void> | null;
  row(id: SessionId): SessionRow | undefined;
  /** Every envelope of every session in memory. */
  subscribe(listener: (envelope: Envelope) => void): () => void;
  /** Sessions the last process left running or waiting. */
  recoverAll(): void;
  running(): readonly Session[];
  /** One more looks at it now: it stays until each of them has released it. */
  watch(id: SessionId): void;
  /** One who looked has left. When it was the last one: the last `sessionsKept` of these stay with their shells; older ones are let go when nothing runs. */
  release(id: SessionId): void;
  /** The project's folder is another one now: what is in memory of its sessions makes its shell and files anew. */
  rest(projectId: ProjectId): void;
  /** Stops every process and stream and leaves the logs as they are: the next start makes them honest. */
  close(): Promise<void>;
}

/** `kept` = sessions nobody looks at that stay in memory. */
export function makeRegistry(given: SessionServices, kept: number = limits.sessionsKept): Registry {
  const services: SessionServices = { ...given, storeTrouble: toldOnce(given.storeTrouble) };
  const sessions = makeSessionMap();
  const listeners = new Set<(envelope: Envelope) => void>();
  /** Made honest by this process, or made by it: a session that comes back to memory goes on as it was. */
  const honest = new Set<SessionId>();
  const unwatched = makeUnwatched(sessions, kept);
  const loads = makeLoads(services);
  const keeper = makeKeeper(services);

  const keep = (view: SessionView): Session => {
    const session = new LiveSession(view, services);
    honest.add(session.id);
    sessions.hold(session);
    session.subscribe((envelope) => {
      // Somebody who held it since before it was let go uses it again.
      sessions.hold(session);
      for (const listener of listeners) listener(envelope);
    });
    keeper.follow(session);
    return session;
  };
  const get = (id: SessionId): Session | undefined => {
    const known = sessions.get(id);
    if (known !== undefined) return known;
    const view = loads.take(id);
    if (view === null) return undefined;
    return keep(honest.has(id) ? view : recovered(view, services));
  };

  return {
    get,
    create: (input) => get(sessionIdFor(input.commandId)) ?? keep(newSession(services, input)),
    fork: ({ sessionId, atSeq, commandId }) => {
      const id = sessionIdFor(`${sessionId} ${commandId}`);
      const made = get(id);
      return made === undefined ? forkOf(services, get(sessionId), atSeq, id, keep) : ok(made);
    },
    prepare: (id) => void (sessions.held(id) ?? loads.prepare(id)),
    ready: (id, signal) => loads.wait(id, signal) ?? (sessions.get(id) === undefined ? loads.begin(id, signal) : null),
    underWay: loads.wait,
    row: (id) => services.store.sessions.get(id),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    recoverAll: () => recoverAll(services, get),
    running: () => sessions.all().filter((session) => !session.idle),
    watch: unwatched.take,
    release: unwatched.add,
    rest(projectId) {
      for (const session of sessions.all()) if (session.view.projectId === projectId && session.idle) session.close();
    },
    async close() {
      loads.stop();
      keeper.stop();
      await Promise.all(sessions.all().map((session) => session.park()));
    },
  };
}

function recoverAll({ store, storeTrouble }: SessionServices, get: (id: SessionId) => Session | undefined): void {
  for (const id of store.sessions.openOnes()) {
    try {
      get(id);
    } catch (error) {
      // One log that cannot be read or written keeps nobody from the others; it is tried again when it is asked for.
      storeTrouble(error);
    }
  }
}

function forkOf(
  services: SessionServices,
  parent: Session | undefined,
  atSeq: number,
  id: SessionId,
  keep: (view: SessionView) => Session,
): Result<Session> {
  if (parent === undefined) return fail("not_found");
  return parent.isBorder(atSeq) ? ok(keep(forked(services, parent.view, atSeq, id))) : fail("not_border");
}

/** The same command makes the same session. */
const sessionIdFor = (command: string): SessionId => asId<SessionId>(`s${hashOf(command).slice(0, 24)}`);

function newSession(
  { store, now }: SessionServices,
  { projectId, cwd, mode, commandId }: Parameters<Registry["create"]>[0],
): SessionView {
  const id = sessionIdFor(commandId);
  const at = now();
  const events: readonly DurableEvent[] = [
    { type: "session_start", projectId, cwd },
    { type: "session_update", mode },
  ];
  store.events.create({
    session: {
      id,
      projectId,
      cwd,
      title: "",
      status: "idle",
      mode,
      model: "",
      createdAt: at,
      updatedAt: at,
      added: 0,
      removed: 0,
    },
    rows: events.map((event, index) => ({ seq: index + 1, at, event })),
  });
  return viewOfFirst(id, at, events);
}

/**
 * One object per session, whatever happens: two would write one log. What was let go is found again as long as anybody still has
 * it in hand, a command between its arrival and its work for example.
 */
function makeSessionMap() {
  const held = new Map<SessionId, Session>();
  const letGo = new Map<SessionId, WeakRef<Session>>();
  return {
    get(id: SessionId): Session | undefined {
      const known = held.get(id) ?? letGo.get(id)?.deref();
      if (known === undefined) letGo.delete(id);
      else this.hold(known);
      return known;
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

/** Sessions nobody looks at, in the order in which they were last left: over `kept` the oldest that are idle are let go. */
function makeUnwatched(sessions: ReturnType<typeof makeSessionMap>, kept: number) {
  const ids = new Set<SessionId>();
  /** How many look at a session: the owner's tabs count as one, each share link as one more. */
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
      for (const oldest of [...ids].slice(0, Math.max(0, ids.size - kept))) {
        const session = sessions.held(oldest);
        // What runs is looked at again when the next one is left.
        if (session?.idle === false) continue;
        ids.delete(oldest);
        if (session === undefined) continue;
        session.close();
        sessions.letGo(session);
      }
    },
  };
}

/** Keeps what long logs fold to, in steps between other work. What fails is tried again when the log has grown. */
function makeKeeper({ store }: Pick<SessionServices, "store">) {
  const works = new Map<SessionId, Generator<undefined, void>>();
  const go = (id: SessionId): void => {
    const work = works.get(id);
    if (work === undefined) return;
    try {
      if (work.next().done !== true) return void setImmediate(go, id);
    } catch {
      // The log is whole; only the next opening takes longer.
    }
    works.delete(id);
  };
  const consider = (view: SessionView): void => {
    const { sessionId: id, seq } = view;
    if (seq < limits.keptViewEvents || works.has(id) || !canBeKept(view)) return;
    try {
      if (seq - keptSeq(id, store, foldCode()) < limits.keptViewEvents) return;
    } catch {
      return;
    }
    works.set(id, keeping(view, store, foldCode()));
    setImmediate(go, id);
  };
  return {
    /** Looks at it now and after each run. */
    follow(session: Session): void {
      consider(session.view);
      session.subscribe(({ event }) => {
        if (event.type === "agent_end") consider(session.view);
      });
    },
    stop: (): void => works.clear(),
  };
}

/** Trouble is told each time, its end once. */
function toldOnce(tell: SessionServices["storeTrouble"]): SessionServices["storeTrouble"] {
  let troubled = false;
  return (error) => {
    if (error === null && !troubled) return;
    troubled = error !== null;
    tell(error);
  };
}
