/**
 * Log of the decisions about calls. Rows are buffered and written in batches on the relaxed connection, so that no call waits
 * for them. A kill loses the rows of at most `decisionsFlushMs`; failed writes are retried.
 */
import type Database from "better-sqlite3";
import type { LoggedDecision } from "@/lib/permissions/guard";
import type { Origin } from "@/lib/events/event";
import type { ProjectId, RuleId, SessionId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { withStoreErrors } from "../core/store-error";

/** Stored decisions; older ones are deleted. */
const decisionsKept = 20_000;
/** Decisions are written in batches of this size. */
export const decisionsBatch = 200;
/** Maximum delay before decisions are written, ms. */
const decisionsFlushMs = 500;

export type NewDecision = Omit<LoggedDecision, "id">;

interface DecisionQuery {
  readonly projectId?: ProjectId;
  readonly sessionId?: SessionId;
  readonly kind?: LoggedDecision["kind"];
  /** Only older rows: the last id of the previous page. */
  readonly before?: number;
  /** Page size. */
  readonly limit: number;
}

export interface DecisionStore {
  /** Buffers a decision. Never throws, since the log must not stop a call. */
  add(decision: NewDecision): void;
  /** Newest first. Throws StoreError. */
  list(query: DecisionQuery): { readonly decisions: LoggedDecision[]; readonly more: boolean };
  /** Writes the buffered rows. Never throws. */
  flush(): void;
}

interface DecisionOptions {
  readonly relaxed: () => Database.Database;
  /** Maximum number of rows; older ones are deleted. */
  readonly kept?: number;
}

export const createDecisions = ({ relaxed, kept: maxRows = decisionsKept }: DecisionOptions): DecisionStore => {
  let waiting: NewDecision[] = [];
  let timer: NodeJS.Timeout | undefined;
  let write: ((rows: readonly NewDecision[]) => void) | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const rows = waiting;
    waiting = [];
    if (rows.length === 0) return;
    try {
      write ??= createWriter(relaxed(), maxRows);
      write(rows);
    } catch {
      // Full disk or locked file: the write of the session's events reports it; these rows are retried.
      waiting = [...rows, ...waiting].slice(-maxRows);
      timer ??= setTimeout(flush, decisionsFlushMs).unref();
    }
  };
  return {
    add(decision) {
      waiting.push({ ...decision, target: truncateTarget(decision.target) });
      if (waiting.length % decisionsBatch === 0) return flush();
      timer ??= setTimeout(flush, decisionsFlushMs).unref();
    },
    list(query) {
      flush();
      const database = relaxed();
      return withStoreErrors(database.name, () => readPage(database, query));
    },
    flush,
  };
};

/** Truncates without splitting a surrogate pair. */
const truncateTarget = (target: string): string =>
  target.length <= serverLimits.decisionTargetChars
    ? target
    : `${target.slice(0, serverLimits.decisionTargetChars - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;

function createWriter(database: Database.Database, maxRows: number): (rows: readonly NewDecision[]) => void {
  const insert = database.prepare(
    `INSERT INTO decisions (at, project_id, session_id, tool, target, kind, reason, mode, rule, detail, origin)
     VALUES (@at, @projectId, @sessionId, @tool, @target, @kind, @reason, @mode, @rule, @detail, @origin)`,
  );
  const trim = database.prepare<[number]>("DELETE FROM decisions WHERE id <= (SELECT max(id) FROM decisions) - ?");
  const write = database.transaction((rows: readonly NewDecision[]) => {
    for (const { rule = null, detail = null, origin, ...row } of rows)
      insert.run({ ...row, rule, detail, origin: origin === undefined ? null : JSON.stringify(origin) });
    trim.run(maxRows);
  });
  return (rows) => void write.immediate(rows);
}

type DecisionRow = Omit<LoggedDecision, "rule" | "detail" | "origin"> & {
  readonly rule: RuleId | null;
  readonly detail: string | null;
  readonly origin: string | null;
};

function readPage(database: Database.Database, query: DecisionQuery): { decisions: LoggedDecision[]; more: boolean } {
  const { projectId = null, sessionId = null, kind = null, before = null, limit } = query;
  const rows = database
    .prepare<unknown[], DecisionRow>(
      `SELECT id, at, project_id AS projectId, session_id AS sessionId, tool, target, kind, reason, mode, rule, detail, origin
       FROM decisions
       WHERE (@projectId IS NULL OR project_id = @projectId) AND (@sessionId IS NULL OR session_id = @sessionId)
         AND (@kind IS NULL OR kind = @kind) AND (@before IS NULL OR id < @before)
       ORDER BY id DESC LIMIT @limit`,
    )
    .all({ projectId, sessionId, kind, before, limit: limit + 1 });
  const decisions = rows.slice(0, limit).map(({ rule, detail, origin, ...row }) => ({
    ...row,
    rule: rule ?? undefined,
    detail: detail ?? undefined,
    ...parseOrigin(origin),
  }));
  return { decisions, more: rows.length > limit };
}

function parseOrigin(text: string | null): Pick<LoggedDecision, "origin"> {
  if (text === null) return {};
  const origin: Origin = JSON.parse(text);
  return { origin };
}
