/** Row of the session list, updated in the same transaction as the session's events. */
import type { ParentCall } from "../events/event";
import type { ProjectId, SessionId } from "../events/id";
import type { Mode } from "../permissions/policy";
import type { PlanProgress } from "../view/checklist";

/** waiting = an approval is open, of the session or of one of its subagents; limit, aborted, error and interrupted = how the last run ended; idle = done, or no run. */
export const sessionStatuses = ["idle", "running", "waiting", "limit", "aborted", "error", "interrupted"] as const;
export type SessionStatus = (typeof sessionStatuses)[number];

/** Whether nothing runs and nothing is left to do: the run is done, or the user stopped it. */
export const isSettledStatus = (status: SessionStatus): boolean => status === "idle" || status === "aborted";

export interface SessionRow {
  readonly id: SessionId;
  readonly projectId: ProjectId;
  readonly cwd: string;
  readonly title: string;
  readonly status: SessionStatus;
  readonly mode: Mode;
  /** Empty until a model is chosen. */
  readonly model: string;
  /** ms epoch */
  readonly createdAt: number;
  /** ms epoch of the newest event other than session_update */
  readonly updatedAt: number;
  /** `seq` of the newest event, 0 = none */
  readonly lastSeq: number;
  /** Lines added and removed by the session. */
  readonly added: number;
  readonly removed: number;
  /** Items of the plan; absent = the session has none. */
  readonly plan?: PlanProgress;
  /** ms epoch; absent = not pinned. */
  readonly pinnedAt?: number;
  /** ms epoch; absent = not archived. Archived sessions are excluded from default lists. */
  readonly archivedAt?: number;
  /**
   * The session is a subagent: the call that started it. Such a row is listed below its parent's; absent also while only one
   * of both is deleted.
   */
  readonly parent?: ParentCall;
  /** Number of its subagents; absent = none. */
  readonly subagents?: number;
  /** The session it was forked from, which may have been purged. */
  readonly forkedFrom?: SessionId;
  /** The session, or the one it was forked from, was imported from a file. */
  readonly imported?: true;
  /** Notices about it are off. */
  readonly muted?: boolean;
  /** The session has an active share link. */
  readonly shared?: boolean;
  /** ms epoch; absent = not deleted. */
  readonly deletedAt?: number;
}
