/** One line of the session list: written by server/store in the transaction of the events it sums up, drawn as it is. */
import type { ProjectId, SessionId } from "./id";
import type { Mode } from "./policy";

/** waiting = an approval is open; error and interrupted tell how the last run ended. */
export const sessionStatuses = ["idle", "running", "waiting", "error", "interrupted"] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

export interface SessionRow {
  readonly id: SessionId;
  readonly projectId: ProjectId;
  readonly cwd: string;
  readonly title: string;
  readonly status: SessionStatus;
  readonly mode: Mode;
  /** Empty until a model was chosen. */
  readonly model: string;
  /** ms epoch */
  readonly createdAt: number;
  /** ms epoch of the newest event */
  readonly updatedAt: number;
  /** `seq` of the newest event, 0 = none */
  readonly lastSeq: number;
  /** Lines added and removed by the session's changes. */
  readonly added: number;
  readonly removed: number;
  /** ms epoch; the user keeps it on top. */
  readonly pinnedAt?: number;
  /** ms epoch; put away, out of the usual lists. */
  readonly archivedAt?: number;
  /** It began as a copy of this one, which may be gone by now. */
  readonly forkedFrom?: SessionId;
  /** It, or the session it was forked from, was made from a file. */
  readonly imported?: true;
  /** A share link of it is active. */
  readonly shared?: boolean;
  /** ms epoch; only a session in the bin has it. */
  readonly deletedAt?: number;
}
