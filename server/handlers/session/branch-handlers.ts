/** Commands that rewind, fork and label a session, and return its tree of branches. */
import { ok } from "@/lib/events/error";
import { buildSessionTree } from "@/server/session/branches/session-tree";
import type { HandlerTable } from "../handlers";
import type { CoreServices } from "../core-services";

export const branchHandlers = ({ sessions, store }: CoreServices) =>
  ({
    "session.rewind": ({ sessionId, commandId, toSeq }) =>
      sessions.change(sessionId, (session) => session.rewind(toSeq, commandId)),
    "session.fork": sessions.fork,
    "session.tree": ({ sessionId }) => {
      const session = sessions.get(sessionId);
      return session.ok ? ok(buildSessionTree(session.value.view, store.sessions.forks(sessionId))) : session;
    },
    "session.label": ({ sessionId, commandId, seq, text }) =>
      sessions.change(sessionId, (session) => session.label(seq, text, commandId)),
  }) satisfies Partial<HandlerTable>;
