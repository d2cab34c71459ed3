/** Notices about any session of the list: it waits for the user, or its run ended. Pure. */
import type { SessionId } from "../events/id";
import type { SessionRow, SessionStatus } from "../protocol/session-row";

/** Reason for a notice about a session: it needs an answer, or its run ended this way. */
export type SessionNoticeKind = "waiting" | "done" | "limit" | "failed" | "interrupted";

export interface SessionNotice {
  readonly kind: SessionNoticeKind;
  readonly row: SessionRow;
}

export type SessionStatuses = ReadonlyMap<SessionId, SessionStatus>;

export const sessionStatusesOf = (rows: readonly SessionRow[]): SessionStatuses =>
  new Map(rows.map(({ id, status }) => [id, status]));

/** Compares the rows with the statuses before; a session that was not listed before has no notice. */
export const findNotices = (before: SessionStatuses, rows: readonly SessionRow[]): readonly SessionNotice[] =>
  rows.flatMap((row) => {
    const kind = noticeKind(before.get(row.id), row.status);
    return kind === null ? [] : [{ kind, row }];
  });

/** null = no notice; a run that the user stopped has none. */
const endKinds = {
  idle: "done",
  limit: "limit",
  aborted: null,
  error: "failed",
  interrupted: "interrupted",
} as const satisfies Record<Exclude<SessionStatus, "running" | "waiting">, SessionNoticeKind | null>;

function noticeKind(before: SessionStatus | undefined, now: SessionStatus): SessionNoticeKind | null {
  if (before === undefined || before === now || now === "running") return null;
  if (now === "waiting") return "waiting";
  return before === "running" || before === "waiting" ? endKinds[now] : null;
}
