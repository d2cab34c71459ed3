/** The commands of somebody who looks at a share: all that a link gives. Made by transport/share-door for each connection. */
import { fail, ok, type Result } from "@/lib/error";
import { findIn } from "@/lib/find";
import type { SessionId } from "@/lib/id";
import type { SessionRow } from "@/lib/session-row";
import { limits } from "@/lib/settings";
import { pageBefore, snapshotOf } from "@/lib/snapshot";
import type { SessionView } from "@/lib/view";
import { statusOf } from "../session/row";
import type { KeptShare } from "../store/shares";
import { callIn } from "./call-in";
import type { HandlerTable } from "./handlers";

export interface Viewing {
  /** Asked anew by every command; undefined = it is over. */
  share(): KeptShare | undefined;
  /** The redacted session; undefined = it is not there. */
  view(): Promise<(() => SessionView) | undefined>;
  now(): number;
}

export type ViewerCommand = "share.open" | `session.${"open" | "close" | "page" | "find" | "output"}`;

export const viewerHandlers = (viewing: Viewing): Pick<HandlerTable, ViewerCommand> => {
  /** The view, when the link still holds and is one to this very session. */
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
      client.join(sessionId);
      return ok({ snapshot: snapshotOf(view.value), row: rowOf(view.value) });
    },
    "session.close": ({ sessionId }, client) => {
      client.leave(sessionId);
      return ok(null);
    },
    "session.page": async ({ sessionId, before }) => {
      const view = await viewOf(sessionId);
      return view.ok ? ok(pageBefore(view.value, before)) : view;
    },
    "session.find": async ({ sessionId, query }) => {
      const view = await viewOf(sessionId);
      return view.ok ? ok(findIn(view.value, query, limits.findHits)) : view;
    },
    "session.output": async ({ sessionId, callId }) => {
      const view = await viewOf(sessionId);
      if (!view.ok) return view;
      const output = callIn(view.value, callId)?.output;
      return output === undefined ? fail("not_found") : ok({ output });
    },
  };
};

/** The list's line, from what is shown alone. */
const rowOf = (view: SessionView): SessionRow => ({
  id: view.sessionId,
  projectId: view.projectId,
  cwd: view.cwd,
  title: view.title,
  status: statusOf(view),
  mode: view.mode,
  model: view.model?.model ?? "",
  createdAt: view.createdAt,
  updatedAt: view.updatedAt,
  lastSeq: view.seq,
  added: view.added,
  removed: view.removed,
});
