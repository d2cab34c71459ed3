/** Notices about any session of the list: it waits for the user, or its run ended. Pure. */
import type { SessionId } from "@/lib/events/id";
import type { SessionRow, SessionStatus } from "@/lib/protocol/session-row";
import type { Settings } from "@/lib/settings/settings";

export type SessionNoticeKind = "waiting" | "done" | "failed";

export interface SessionNotice {
  readonly kind: SessionNoticeKind;
  readonly row: SessionRow;
}

/** Setting that switches a kind on. */
export const noticeSettings = {
  waiting: "noticeWaiting",
  done: "noticeDone",
  failed: "noticeFailed",
} as const satisfies Record<SessionNoticeKind, keyof Settings>;

export type SessionStatuses = ReadonlyMap<SessionId, SessionStatus>;

export const sessionStatusesOf = (rows: readonly SessionRow[]): SessionStatuses =>
  new Map(rows.map(({ id, status }) => [id, status]));

/** Compares the rows with the statuses before; a session that was not listed before has no notice. */
export const findNotices = (before: SessionStatuses, rows: readonly SessionRow[]): readonly SessionNotice[] =>
  rows.flatMap((row) => {
    const kind = noticeKind(before.get(row.id), row.status);
    return kind === null ? [] : [{ kind, row }];
  });

function noticeKind(before: SessionStatus | undefined, now: SessionStatus): SessionNoticeKind | null {
  if (before === undefined || before === now) return null;
  if (now === "waiting") return "waiting";
  if (before !== "running" && before !== "waiting") return null;
  if (now === "idle") return "done";
  return now === "running" ? null : "failed";
}
