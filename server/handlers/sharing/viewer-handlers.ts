/** Commands of a viewer of a share link: everything that a link permits. */
import { fail, ok, type Result } from "@/lib/events/error";
import { findInConversation } from "@/lib/view/find";
import type { SessionId } from "@/lib/events/id";
import type { SessionRow } from "@/lib/protocol/session-row";
import { serverLimits } from "@/lib/settings/server-limits";
import { pageBefore, createSessionSnapshot } from "@/lib/view/snapshot";
import type { SessionView } from "@/lib/view/view";
import { sessionStatus } from "@/server/session/core/session-row";
import type { StoredShare } from "@/server/store/access/shares";
import { findCall } from "../session/find-call";
import type { HandlerTable } from "../handlers";

interface ViewerContext {
  /** Read by every command; undefined = the share has ended. */
  share(): StoredShare | undefined;
  /** The redacted session; undefined = it does not exist. */
  view(): Promise<(() => SessionView) | undefined>;
  now(): number;
}

type ViewerCommand = "share.open" | `session.${"open" | "close" | "page" | "find" | "output"}`;

export const viewerHandlers = (viewing: ViewerContext): Pick<HandlerTable, ViewerCommand> => {
  /** The view if the link is still valid and refers to this session. */
  const viewOf = async (sessionId: SessionId): Promise<Result<SessionView>> => {
    const share = viewing.share();
    if (share === undefined) return fail("share_ended");
    if (share.sessionId !== sessionId) return fail("not_allowed");
    const view = await viewing.view();
    if (viewing.share() === undefined) return fail("share_ended");
    return view === undefined ? fail("not_found") : ok(view());
  };
  return {
    "share.open": () => {
      const share = viewing.share();
      if (share === undefined) return fail("share_ended");
      const { sessionId, kind, outputs, createdAt, expiresAt } = share;
      return ok({ sessionId, kind, outputs, createdAt, expiresAt, now: viewing.now() });
    },
    "session.open": async ({ sessionId }, client) => {
      const view = await viewOf(sessionId);
      if (!view.ok) return view;
      client.join("session", sessionId);
      return ok({ snapshot: createSessionSnapshot(view.value), row: sharedSessionRow(view.value) });
    },
    "session.close": ({ sessionId }, client) => {
      client.leave("session", sessionId);
      return ok(null);
    },
    "session.page": async ({ sessionId, before }) => {
      const view = await viewOf(sessionId);
      return view.ok ? ok(pageBefore(view.value, before)) : view;
    },
    "session.find": async ({ sessionId, query }) => {
      const view = await viewOf(sessionId);
      return view.ok ? ok(findInConversation(view.value, query, serverLimits.findHits)) : view;
    },
    "session.output": async ({ sessionId, callId }) => {
      const view = await viewOf(sessionId);
      if (!view.ok) return view;
      const output = findCall(view.value, callId)?.output;
      return output === undefined ? fail("not_found") : ok({ output });
    },
  };
};

/** Session row built from the redacted view alone. */
const sharedSessionRow = (view: SessionView): SessionRow => ({
  id: view.sessionId,
  projectId: view.projectId,
  cwd: view.cwd,
  title: view.title,
  status: sessionStatus(view),
  mode: view.mode,
  model: view.model?.model ?? "",
  createdAt: view.createdAt,
  updatedAt: view.updatedAt,
  lastSeq: view.seq,
  added: view.added,
  removed: view.removed,
});
