/** Commands that rewind, fork and label a session, and return its tree of branches. */
import { fail, ok } from "@/lib/events/error";
import { buildSessionTree } from "@/server/session/branches/session-tree";
import type { HandlerTable } from "../handlers";
import { type HandlerServices, requireSession, requireWritableSession } from "../services";

type BranchCommand = "session.rewind" | "session.fork" | "session.tree" | "session.label";

export const branchHandlers = ({
  registry,
  store,
  push,
}: Pick<HandlerServices, "registry" | "store" | "push">): Pick<HandlerTable, BranchCommand> => ({
  "session.rewind": ({ sessionId, commandId, toSeq }) => {
    const session = requireWritableSession({ registry }, sessionId);
    if (!session.ok) return session;
    const back = session.value.rewind(toSeq, commandId);
    return back.ok ? ok({ seq: back.value }) : back;
  },
  "session.fork": (input) => {
    const fork = registry.fork(input);
    if (!fork.ok) return fork;
    const row = registry.row(fork.value.id);
    if (row === undefined) return fail("not_found");
    push({ type: "session_row", row });
    return ok({ row });
  },
  "session.tree": ({ sessionId }) => {
    const session = requireSession({ registry }, sessionId);
    return session.ok ? ok(buildSessionTree(session.value.view, store.sessions.forks(sessionId))) : session;
  },
  "session.label": ({ sessionId, commandId, seq, text }) => {
    const session = requireWritableSession({ registry }, sessionId);
    if (!session.ok) return session;
    const labelled = session.value.label(seq, text, commandId);
    return labelled.ok ? ok({ seq: labelled.value }) : labelled;
  },
});
