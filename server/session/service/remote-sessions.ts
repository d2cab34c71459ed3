/**
 * The sessions as a client apart from the owner's page and terminal uses them, such as an automation. It has
 * a right of its own, which nothing here widens: it starts runs in Ask and Plan mode only, and answers one approval at a
 * time. Whatever is not a member is not available to it: rules, trust, settings, files, terminals, deletion.
 */
import type { CommandInput, CommandOutput } from "@/lib/protocol/command";
import { fail, ok, type Result } from "@/lib/events/error";
import type { RemoteOrigin } from "@/lib/events/event";
import type { ProjectId, SessionId } from "@/lib/events/id";
import type { Mode } from "@/lib/permissions/policy";
import { type RemoteRight, remoteRights } from "@/lib/permissions/remote-rights";
import type { SessionView } from "@/lib/view/view";
import type { SessionClient, SessionService } from "./session-service";

type RemoteMode = Extract<Mode, "ask" | "plan">;

export interface RemoteClient extends SessionClient {
  readonly origin: RemoteOrigin;
  readonly right: RemoteRight;
  /** Whether it may use the sessions of a project. */
  mayUse(projectId: ProjectId): boolean;
}

type RemoteInput<
  N extends "session.create" | "session.send" | "session.answer",
  K extends keyof CommandInput<N>,
> = Pick<CommandInput<N>, K>;

/** Every member fails with not_allowed beyond the client's right, and with not_found outside of its projects. */
export interface RemoteSessions extends Pick<SessionService, "open" | "stop"> {
  get(id: SessionId): Result<{ readonly view: SessionView }>;
  list(query: { readonly projectId: ProjectId }): Result<CommandOutput<"session.list">>;
  /** Creates a session in Ask mode, or in Plan mode. Fails as `SessionService.create`. */
  create(
    input: RemoteInput<"session.create", "projectId" | "commandId" | "model" | "connection"> & {
      readonly mode?: RemoteMode;
    },
  ): ReturnType<SessionService["create"]>;
  /** Also fails with not_allowed in a session with more rights than Ask mode has. */
  send(
    input: RemoteInput<"session.send", "sessionId" | "commandId" | "text" | "intent" | "images" | "references">,
  ): ReturnType<SessionService["send"]>;
  resume(input: CommandInput<"session.resume">): ReturnType<SessionService["resume"]>;
  answer(
    input: RemoteInput<"session.answer", "sessionId" | "approvalId" | "reason"> & { readonly option: "once" | "deny" },
  ): ReturnType<SessionService["answer"]>;
  setMode(input: {
    readonly sessionId: SessionId;
    readonly commandId: CommandInput<"session.update">["commandId"];
    readonly mode: RemoteMode;
  }): ReturnType<SessionService["update"]>;
}

export function makeRemoteSessions(sessions: SessionService, remote: RemoteClient): RemoteSessions {
  // A run with more rights would do without a card what this client may only do with one.
  const client = { ...remote, maxMode: "ask" } as const;
  const has = (right: RemoteRight): boolean => remoteRights.indexOf(remote.right) >= remoteRights.indexOf(right);
  const check = (id: SessionId, right: RemoteRight): ReturnType<SessionService["get"]> => {
    const session = sessions.get(id);
    if (!session.ok || !remote.mayUse(session.value.view.projectId)) return fail("not_found");
    return has(right) ? session : fail("not_allowed");
  };
  const checkProject = (projectId: ProjectId, right: RemoteRight): Result<null> => {
    if (!remote.mayUse(projectId)) return fail("not_found");
    return has(right) ? ok(null) : fail("not_allowed");
  };
  return {
    get(id) {
      const session = check(id, "look");
      return session.ok ? ok({ view: session.value.view }) : session;
    },
    open(id) {
      const session = check(id, "look");
      return session.ok ? sessions.open(id) : session;
    },
    list({ projectId }) {
      const allowed = checkProject(projectId, "look");
      return allowed.ok ? ok(sessions.list({ projectId })) : allowed;
    },
    async create({ projectId, commandId, model, connection, mode = "ask" }) {
      const allowed = checkProject(projectId, "talk");
      return allowed.ok ? sessions.create({ projectId, commandId, model, connection, mode }, client) : allowed;
    },
    async send({ sessionId, commandId, text, intent, images, references }) {
      const allowed = check(sessionId, "talk");
      return allowed.ok ? sessions.send({ sessionId, commandId, text, intent, images, references }, client) : allowed;
    },
    async resume({ sessionId, commandId }) {
      const allowed = check(sessionId, "talk");
      return allowed.ok ? sessions.resume({ sessionId, commandId }, client) : allowed;
    },
    async answer({ sessionId, approvalId, option, reason }) {
      const allowed = check(sessionId, "answer");
      return allowed.ok ? sessions.answer({ sessionId, approvalId, option, reason }, client) : allowed;
    },
    async stop(id) {
      const allowed = check(id, "talk");
      return allowed.ok ? sessions.stop(id) : allowed;
    },
    setMode({ sessionId, commandId, mode }) {
      const allowed = check(sessionId, "talk");
      return allowed.ok ? sessions.update({ sessionId, commandId, mode }, client) : allowed;
    },
  };
}
