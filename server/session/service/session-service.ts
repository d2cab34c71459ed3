/**
 * The sessions as their clients use them: the commands of the browser and the command line, share links, and later
 * clients. Every check of a request is behind this interface; a client parses its input and makes one call.
 */
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import { fail, ok, type Result } from "@/lib/events/error";
import { type Origin, optionalOrigin, type ParentCall } from "@/lib/events/event";
import { asId, type ClientId, type CommandId, type ProjectId, type SessionId } from "@/lib/events/id";
import { hasMoreRights, type Mode } from "@/lib/permissions/policy";
import { limits } from "@/lib/settings/settings";
import { createSessionSnapshot } from "@/lib/view/snapshot";
import { neverAborted } from "@/server/base/abort";
import { makeMutex } from "@/server/base/concurrency";
import type { ModelAccess } from "@/server/models/access/model-access";
import type { Projects } from "@/server/workspace/projects/projects";
import type { SessionServices } from "../core/services";
import type { StepCall } from "../decisions/step-call";
import type { Session, StartedRun } from "../core/session-types";
import { findHeldAnswer } from "@/server/agent/loop/close-run";
import type { Registry } from "../loading/registry";
import { type CommittedReviews, makeCommittedReviews } from "./committed-reviews";
import { makePinCommands, type PinCommands } from "./pin-commands";
import { makeSessionDeletion, type SessionDeletion } from "./session-deletion";
import { makeReadySessions, type ReadySessions } from "./ready-sessions";
import { makeMessageReferences, type MessageReferences, wantedModel } from "./message-references";

/** Members of a session for a client that does not change it: what it reads, and the controls of the current run. */
type ReadableSession = Pick<Session, "id" | "view" | "context" | "controls" | "readPins" | "hasDone"> & {
  readonly review: Pick<Session["review"], "state">;
} & {
  readonly files: Pick<Session["files"], "plan">;
};

type Answer<N extends CommandName> = Result<CommandOutput<N>>;
type Failed = Extract<Result<never>, { readonly ok: false }>;

/** Sender of a command, set by the transport that authenticated the client. */
export interface SessionClient {
  readonly id: ClientId;
  /** Stored with messages and answers; absent = the browser. */
  readonly origin?: Origin;
  /** Aborts when its connection ends; absent = the command runs to completion. */
  readonly disconnected?: AbortSignal;
  /** It starts runs in sessions without more rights than this mode has; absent = in all. */
  readonly maxMode?: Mode;
}

/** All members throw StoreError when the log cannot be read or written. */
export interface SessionService
  extends Pick<Registry, "prepare" | "ready" | "waitForRead" | "subscribe" | "watch" | "release" | "suspend" | "close">,
    PinCommands,
    CommittedReviews,
    SessionDeletion {
  /** Recovers sessions the last process left open. A run whose answer the model server may hold continues. */
  recoverAll(): void;
  /** One page of the session list, newest first. */
  list(query: CommandInput<"session.list">): CommandOutput<"session.list">;
  /** The sessions that run or wait for an approval, and so are in memory. */
  running(): readonly ReadableSession[];
  /** A session for reading, also a deleted one. Fails with not_found. */
  get(id: SessionId): Result<ReadableSession>;
  /** The state a client begins with before it follows the envelopes. Fails with not_found. */
  open(id: SessionId): Answer<"session.open">;
  /**
   * Creates a session without messages; the same commandId returns the same session. Fails with not_found (project),
   * untrusted (Full access, see `update`), and for a named model with model_missing, no_model, server_unreachable.
   */
  create(input: CommandInput<"session.create">, client: SessionClient): Promise<Answer<"session.create">>;
  /** Creates the session of a subagent of the call, or returns it. Fails with not_found, in_bin (parent). */
  startSubagent(call: ParentCall, mode: Mode): Result<Session>;
  /** Creates a session that starts as another one was at a border. Fails with not_found, not_border. */
  fork(input: CommandInput<"session.fork">): Answer<"session.fork">;
  /**
   * Sends a prompt once the folder, the model list and the tools are ready; during a run it is queued as a steer. Fails with
   * not_found, not_allowed (see `maxMode`), in_bin, no_model, model_missing, server_unreachable, no_vision, too_many (full queue), with `rewindTo`,
   * `model` or `queuedId` also with not_idle, not_border, gone, and with the codes of `resolveReferences`.
   */
  send(input: CommandInput<"session.send">, client: SessionClient): Promise<Answer<"session.send">>;
  /**
   * Runs a command of the user, see `Session.runCommand`. Fails with not_found (session, project), in_bin, and its codes.
   */
  runCommand(input: CommandInput<"session.run_command">): Promise<Answer<"session.run_command">>;
  /** Sizes of references that a message may get. Fails with not_found (project, session). */
  measureReferences(
    input: CommandInput<"references.measure">,
    client: SessionClient,
  ): Promise<Answer<"references.measure">>;
  /** Continues an interrupted or paused run. Fails with not_found, in_bin, not_idle, not_allowed (see `maxMode`). */
  resume(input: CommandInput<"session.resume">, client: SessionClient): Promise<Answer<"session.resume">>;
  /** See `Session.decideCall`. Fails with not_found, in_bin, and its codes. */
  decideCall(input: CommandInput<"session.decide_call">): Promise<Answer<"session.decide_call">>;
  /** See `Session.runStepCall`. Fails with not_found, in_bin, and its codes. */
  runStepCall(id: SessionId, call: StepCall, commandId: CommandId): Promise<Result<StartedRun>>;
  /** Answers an approval; `won` = false for one that was answered before. Fails with not_found, in_bin. */
  answer(input: CommandInput<"session.answer">, client: SessionClient): Promise<Answer<"session.answer">>;
  /** Ends the run; resolves when every open call has ended. Fails with not_found. */
  stop(id: SessionId): Promise<Result<null>>;
  /**
   * Changes title or mode. Fails with not_found, in_bin, and with untrusted for Full access in a folder the user has not
   * trusted, unless it comes from the user's own command line: `run --approve all` is an explicit choice.
   */
  update(input: CommandInput<"session.update">, client: SessionClient): Answer<"session.update">;
  /** Fails with not_found, in_bin, not_idle, model_missing, no_model, server_unreachable, models_invalid. */
  changeModel(input: CommandInput<"session.model">): Promise<Answer<"session.model">>;
  /** Any other change, returned as `work` returns it. Fails with not_found, in_bin. */
  change<R extends Result<unknown> | Promise<Result<unknown>>>(
    id: SessionId,
    work: (session: Session) => R,
  ): R | Failed;
  /** Returns the sessions of a project that is no longer trusted from Full access to Ask, from their next decision. */
  revokeFullAccess(projectId: ProjectId): void;
}

export interface SessionServiceOptions {
  readonly registry: Registry;
  readonly services: SessionServices;
  readonly projects: Projects;
  readonly access: ModelAccess & {
    /** The settings of single models. */
    readonly modelsFile: { ready(): Promise<Result<unknown>> };
  };
  /**
   * Resolves when the features that offer tools are loaded and have read those of the project: a prompt names the
   * tools, and a run calls them.
   */
  loadToolSources(projectId: ProjectId): Promise<void>;
  /** Prepares the context sources of the project. */
  prepareContext(projectId: ProjectId): Promise<void>;
}

export function makeSessionService(options: SessionServiceOptions): SessionService {
  const { registry } = options;
  const { store } = options.services;
  const lookup = makeLookup(options);
  const whenReady = makeReadySessions(options, lookup);
  const { get } = lookup;
  const messages = makeMessageReferences(options, lookup);
  return {
    ...registry,
    get,
    list: (query) => store.sessions.list({ ...query, limit: limits.historyPageEntries }),
    open(id) {
      const session = get(id);
      const row = store.sessions.get(id);
      if (!session.ok || row === undefined) return fail("not_found");
      return ok({ snapshot: createSessionSnapshot(session.value.view), row });
    },
    ...creation(options),
    startSubagent(call, mode) {
      const parent = lookup.writable(call.sessionId);
      return parent.ok ? ok(registry.startSubagent(parent.value.view, call, mode)) : parent;
    },
    measureReferences: messages.measureReferences,
    recoverAll() {
      for (const { id, view } of registry.recoverAll())
        if (findHeldAnswer(view) !== undefined)
          whenReady(id)
            .then((ready) => ready.ok && ready.value.receiveHeldAnswer())
            .catch(() => {}); // A store that cannot be read reports it itself.
    },
    ...runs(options, lookup, whenReady, messages),
    ...changes(options, lookup),
    ...makePinCommands(options, lookup),
    ...makeCommittedReviews(options.services, (id) => {
      const session = lookup.writable(id);
      return session.ok ? session.value : null;
    }),
    ...makeSessionDeletion(options, lookup),
  };
}

/** Finds sessions by id; `writable` is called again after each await, since the session may have been deleted. */
function makeLookup({ registry, services: { store } }: SessionServiceOptions) {
  const get = (id: SessionId): Result<Session> => {
    const session = registry.get(id);
    return session === undefined ? fail("not_found") : ok(session);
  };
  const writable = (id: SessionId): Result<Session> => {
    const session = get(id);
    return session.ok && store.sessions.get(id)?.deletedAt !== undefined ? fail("in_bin") : session;
  };
  return { get, writable };
}

export type SessionLookup = ReturnType<typeof makeLookup>;

/** See `update`. */
const checkModeAllowed = (
  { services: { store } }: SessionServiceOptions,
  projectId: ProjectId,
  mode: Mode | undefined,
  origin: Origin | undefined,
): Result<null> =>
  mode === "full" && origin?.kind !== "cli" && !store.projects.isTrusted(projectId) ? fail("untrusted") : ok(null);

function creation(options: SessionServiceOptions) {
  const { registry, projects, access } = options;
  const { store, push } = options.services;
  return {
    async create({ projectId, commandId, mode, ...wanted }, { origin }) {
      const project = await projects.get(projectId);
      if (!project.ok) return project;
      const allowed = checkModeAllowed(options, projectId, mode, origin);
      if (!allowed.ok) return allowed;
      const session = registry.create({
        projectId,
        cwd: project.value.root,
        mode: mode ?? store.settings.read().mode,
        commandId,
      });
      if ((wanted.model !== undefined || wanted.connection !== undefined) && session.view.model === null) {
        await Promise.all([access.ensureListed(wanted.connection ?? ""), options.loadToolSources(projectId)]);
        const changed = session.changeModel(wantedModel(wanted), commandId);
        if (!changed.ok) return changed;
      }
      const row = store.sessions.get(session.id);
      return row === undefined ? fail("not_found") : ok({ row });
    },
    fork(input) {
      const fork = registry.fork(input);
      const row = fork.ok ? store.sessions.get(fork.value.id) : undefined;
      if (!fork.ok) return fork;
      if (row === undefined) return fail("not_found");
      push({ type: "session_row", row });
      return ok({ row });
    },
  } satisfies Partial<SessionService>;
}

function runs(
  options: SessionServiceOptions,
  { get, writable }: SessionLookup,
  whenReady: ReadySessions,
  messages: MessageReferences,
) {
  /** Messages of one session are sent in the order in which they were ready, although their files are read first. */
  const sending = makeMutex();
  /** Checked where the run starts: the user may have changed the mode while it was prepared. */
  const startable = (id: SessionId, { maxMode = "full" }: SessionClient): Result<Session> => {
    const session = writable(id);
    const isRefused = session.ok && hasMoreRights(session.value.view.mode, maxMode);
    return isRefused ? fail("not_allowed") : session;
  };
  const { projects, access } = options;
  return {
    async send({ sessionId, commandId, text, intent, model, connection, references: list = [], ...besides }, client) {
      const ready = await whenReady(sessionId, async ({ view }) => {
        if (model !== undefined) await access.ensureListed(connection ?? "");
        else if (view.model === null) await access.ensureListed();
      });
      if (!ready.ok) return ready;
      const wanted = model === undefined ? undefined : wantedModel({ model, connection });
      const written = { text, references: list, isExpanded: client.origin?.kind !== "workflow" };
      const sendNext = async (): Promise<Answer<"session.send">> => {
        const resolved = await messages.resolveMessage(ready.value.view, written, wanted, neverAborted);
        const session = startable(sessionId, client);
        if (!session.ok) return session;
        const sent = session.value.send(resolved.text, intent, commandId, {
          ...besides,
          references: resolved.references,
          ...(wanted === undefined ? {} : { model: wanted }),
          ...optionalOrigin(client.origin),
        });
        return sent.ok ? ok({ seq: sent.value.seq }) : sent;
      };
      return sending.hold(sessionId, sendNext, neverAborted);
    },
    async runCommand({ sessionId, commandId, text, queuedId }) {
      const ready = writable(sessionId);
      if (!ready.ok) return ready;
      const project = await projects.get(ready.value.view.projectId);
      if (!project.ok) return project;
      const session = writable(sessionId);
      const started = session.ok ? session.value.runCommand(text, commandId, queuedId) : session;
      return started.ok ? ok({ seq: started.value.seq }) : started;
    },
    async resume({ sessionId, commandId }, client) {
      const ready = await whenReady(sessionId);
      const session = ready.ok ? startable(sessionId, client) : ready;
      const resumed = session.ok ? session.value.resume(commandId, client.origin) : session;
      return resumed.ok ? ok({ seq: resumed.value.seq }) : resumed;
    },
    async decideCall({ sessionId, commandId, ...decided }) {
      const session = await whenReady(sessionId);
      const started = session.ok ? session.value.decideCall(decided, commandId) : session;
      return started.ok ? ok({ seq: started.value.seq }) : started;
    },
    async runStepCall(id, call, commandId) {
      const session = await whenReady(id, async ({ view }) => {
        if (view.model === null) await access.ensureListed();
      });
      return session.ok ? session.value.runStepCall(call, commandId) : session;
    },
    async answer({ sessionId, approvalId, rule, ...answer }, { id: clientId, origin }) {
      const session = await whenReady(sessionId);
      if (!session.ok) return session;
      const edited = rule === undefined ? {} : { rule: { tool: "bash" as const, ...rule } };
      return ok({
        won: session.value.answer(approvalId, { ...answer, ...edited, ...optionalOrigin(origin) }, clientId),
      });
    },
    async stop(id) {
      const session = get(id);
      if (!session.ok) return session;
      await session.value.abort();
      return ok(null);
    },
  } satisfies Partial<SessionService>;
}

function changes(options: SessionServiceOptions, { writable }: SessionLookup) {
  const { registry, access, loadToolSources } = options;
  const { store } = options.services;
  return {
    update({ sessionId, commandId, title, mode, network }, { origin }) {
      const session = writable(sessionId);
      if (!session.ok) return session;
      const allowed = checkModeAllowed(options, session.value.view.projectId, mode, origin);
      if (!allowed.ok) return allowed;
      return ok(session.value.update({ title, mode, network }, commandId));
    },
    async changeModel({ sessionId, commandId, model, ...wanted }) {
      const session = writable(sessionId);
      if (!session.ok) return session;
      const isRemembered = [wanted.toolMode, wanted.profile, wanted.numCtx].some((value) => value !== undefined);
      const fileReady = isRemembered ? await access.modelsFile.ready() : ok(null);
      if (!fileReady.ok) return fileReady;
      const { projectId } = session.value.view;
      await Promise.all([access.ensureListed(wanted.connection ?? ""), loadToolSources(projectId)]);
      const still = writable(sessionId);
      return still.ok ? still.value.changeModel({ name: model, ...wanted }, commandId) : still;
    },
    change(id, work) {
      const session = writable(id);
      return session.ok ? work(session.value) : session;
    },
    revokeFullAccess(projectId) {
      // If a log cannot be read, the other sessions are still changed, then the first error is thrown.
      const errors: unknown[] = [];
      for (const id of store.sessions.listInMode(projectId, "full")) {
        try {
          // Loading a session that was not in memory since the start has already left Full access.
          const session = registry.get(id);
          if (session?.view.mode !== "full") continue;
          session.update({ mode: "ask" }, asId<CommandId>(`untrusted-${session.view.seq}`));
        } catch (error) {
          errors.push(error);
        }
      }
      if (errors.length > 0) throw errors[0];
    },
  } satisfies Partial<SessionService>;
}
