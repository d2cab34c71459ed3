/**
 * What was decided without asking anybody. Kept in memory for a moment and written in batches on the relaxed connection, so that no
 * call waits for it; what a kill takes with it is this moment; what cannot be written is tried again. Written by session-services, read by the settings page.
 */
import type Database from "better-sqlite3";
import type { AutomaticDecision } from "@/lib/guard";
import type { ProjectId, RuleId, SessionId } from "@/lib/id";
import { limits } from "@/lib/settings";
import { guarded } from "./store-error";

export type NewDecision = Omit<AutomaticDecision, "id">;

export interface DecisionQuery {
  readonly projectId?: ProjectId;
  readonly sessionId?: SessionId;
  readonly kind?: AutomaticDecision["kind"];
  /** Only older ones: the last id of the page before. */
  readonly before?: number;
  /** Rows of one page. */
  readonly limit: number;
}

export interface DecisionStore {
  /** Never throws: the log of decisions must not stop a call. */
  add(decision: NewDecision): void;
  /** Newest first. Throws StoreError. */
  list(query: DecisionQuery): { readonly decisions: AutomaticDecision[]; readonly more: boolean };
  /** Writes what waits. Never throws. */
  flush(): void;
}

export interface DecisionOptions {
  readonly relaxed: () => Database.Database;
  /** Rows that are kept, newest first. */
  readonly kept?: number;
}

export const createDecisions = ({ relaxed, kept = limits.decisionsKept }: DecisionOptions): DecisionStore => {
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
      write ??= createWriter(relaxed(), kept);
      write(rows);
    } catch {
      // A full disk or a locked file: the events of the session say so, these rows are tried again.
      waiting = [...rows, ...waiting].slice(-kept);
      timer ??= setTimeout(flush, limits.decisionsFlushMs).unref();
    }
  };
  return {
    add(decision) {
      waiting.push({ ...decision, target: cutTarget(decision.target) });
      if (waiting.length % limits.decisionsBatch === 0) return flush();
      timer ??= setTimeout(flush, limits.decisionsFlushMs).unref();
    },
    list(query) {
      flush();
      const database = relaxed();
      return guarded(database.name, () => page(database, query));
    },
    flush,
  };
};

/** Not in the middle of a sign of two units. */
const cutTarget = (target: string): string =>
  target.length <= limits.decisionTargetChars
    ? target
    : `${target.slice(0, limits.decisionTargetChars - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;

function createWriter(database: Database.Database, kept: number): (rows: readonly NewDecision[]) => void {
  const insert = database.prepare(
    `INSERT INTO decisions (at, project_id, session_id, tool, target, kind, reason, mode, rule, detail)
     VALUES (@at, @projectId, @sessionId, @tool, @target, @kind, @reason, @mode, @rule, @detail)`,
  );
  const trim = database.prepare<[number]>("DELETE FROM decisions WHERE id <= (SELECT max(id) FROM decisions) - ?");
  const write = database.transaction((rows: readonly NewDecision[]) => {
    for (const { rule = null, detail = null, ...row } of rows) insert.run({ ...row, rule, detail });
    trim.run(kept);
  });
  return (rows) => void write.immediate(rows);
}

type Row = Omit<AutomaticDecision, "rule" | "detail"> & {
  readonly rule: RuleId | null;
  readonly detail: string | null;
};

function page(database: Database.Database, query: DecisionQuery): { decisions: AutomaticDecision[]; more: boolean } {
  const { projectId = null, sessionId = null, kind = null, before = null, limit } = query;
  const rows = database
    .prepare<unknown[], Row>(
      `SELECT id, at, project_id AS projectId, session_id AS sessionId, tool, target, kind, reason, mode, rule, detail
       FROM decisions
       WHERE (@projectId IS NULL OR project_id = @projectId) AND (@sessionId IS NULL OR session_id = @sessionId)
         AND (@kind IS NULL OR kind = @kind) AND (@before IS NULL OR id < @before)
       ORDER BY id DESC LIMIT @limit`,
    )
    .all({ projectId, sessionId, kind, before, limit: limit + 1 });
  const decisions = rows.slice(0, limit).map(({ rule, detail, ...row }) => ({
    ...row,
    ...(rule === null ? {} : { rule }),
    ...(detail === null ? {} : { detail }),
  }));
  return { decisions, more: rows.length > limit };
}
