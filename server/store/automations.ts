/** Automations and the times at which they were due. Statements are prepared at first use: most homes have none. */
import type Database from "better-sqlite3";
import * as z from "zod/mini";
import {
  type Automation,
  automationCauses,
  automationOutcomes,
  type AutomationRehearsal,
  type AutomationRule,
  type AutomationRun,
} from "@/lib/automations/automation";
import { asId, type SessionId } from "@/lib/events/id";
import { automationDefinition, automationRules } from "@/lib/protocol/automation-commands";
import { parseJson } from "@/server/base/parse-json";
import { withStoreErrors } from "./core/store-error";
import { makeErrorSchema } from "./core/error-shape";

/** An automation with the time up to which its due times have their rows, ms epoch. */
export interface StoredAutomation extends Automation {
  readonly checkedUntil: number;
}

/** The due time of an automation, with what is known of it. */
export interface DueRow extends AutomationRun {
  readonly automationId: string;
}

/** Throws StoreError. */
export interface AutomationStore {
  /** Whether there are any. */
  isEmpty(): boolean;
  /** All of them, oldest first; one whose row is invalid is left out. */
  list(): readonly StoredAutomation[];
  /** Adds it or replaces it. `createdAt` (ms epoch) is stored only at first. */
  save(automation: StoredAutomation, createdAt: number): void;
  remove(id: string): void;
  /**
   * Adds rows, in one transaction with the time up to which each automation has been checked. Returns the rows that were
   * added: a due time that has a row keeps it.
   */
  addDue(rows: readonly DueRow[], checked: ReadonlyMap<string, number>): readonly DueRow[];
  /** Replaces the row of a due time. */
  update(row: DueRow): void;
  /** The newest runs, newest first, without skipped ones. */
  runs(id: string, limit: number): readonly AutomationRun[];
  /** Number of skipped times since the newest run that was not skipped. */
  countSkipped(id: string): number;
  /** Whether the session belongs to a run. */
  hasSession(id: SessionId): boolean;
  /** Rows without an outcome, oldest first. */
  open(): readonly DueRow[];
  /** Deletes rows of times before `before` (ms epoch), but retains the newest `retained` of each automation. */
  prune(before: number, retained: number): void;
}

interface AutomationRow {
  readonly id: string;
  readonly definition: string;
  readonly isOn: number;
  readonly rules: string;
  readonly rehearsal: string | null;
  readonly failures: number;
  readonly checkedUntil: number;
}

interface RunRow {
  readonly automationId: string;
  readonly scheduledFor: number;
  readonly cause: string;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly outcome: string | null;
  readonly sessionId: SessionId | null;
  readonly tokens: number | null;
  readonly error: string | null;
}

const runColumns = `automation_id AS automationId, scheduled_for AS scheduledFor, cause, started_at AS startedAt,
  ended_at AS endedAt, outcome, session_id AS sessionId, tokens, error`;
const runValues = `(@automationId, @scheduledFor, @cause, @startedAt, @endedAt, @outcome, @sessionId, @tokens, @error)`;

const rehearsalSchema: z.ZodMiniType<AutomationRehearsal> = z.object({
  sessionId: z.pipe(
    z.string(),
    z.transform((text: string): SessionId => asId<SessionId>(text)),
  ),
  outcome: z.exactOptional(z.enum(automationOutcomes)),
});

const errorSchema = makeErrorSchema();

export function createAutomations(database: Database.Database): AutomationStore {
  const safely = <T>(work: () => T): T => withStoreErrors(database.name, work);
  return {
    ...dueRows(database, safely),
    isEmpty: () =>
      safely(() => database.prepare<[], { id: string }>("SELECT id FROM automations LIMIT 1").get() === undefined),
    list: () =>
      safely(() =>
        database
          .prepare<[], AutomationRow>(
            `SELECT id, definition, is_on AS isOn, rules, rehearsal, failures, checked_until AS checkedUntil
             FROM automations ORDER BY created_at, id`,
          )
          .all()
          .flatMap(readAutomation),
      ),
    save: (automation, createdAt) =>
      safely(() => {
        database
          .prepare(
            `INSERT INTO automations (id, definition, is_on, rules, rehearsal, failures, checked_until, created_at)
             VALUES (@id, @definition, @isOn, @rules, @rehearsal, @failures, @checkedUntil, @createdAt)
             ON CONFLICT DO UPDATE SET definition = excluded.definition, is_on = excluded.is_on, rules = excluded.rules,
               rehearsal = excluded.rehearsal, failures = excluded.failures, checked_until = excluded.checked_until`,
          )
          .run({ ...toAutomationRow(automation), createdAt });
      }),
    remove: (id) => safely(() => void database.prepare("DELETE FROM automations WHERE id = ?").run(id)),
  };
}

function dueRows(
  database: Database.Database,
  safely: <T>(work: () => T) => T,
): Pick<AutomationStore, "addDue" | "update" | "runs" | "countSkipped" | "hasSession" | "open" | "prune"> {
  return {
    addDue: (rows, checked) =>
      safely(() => {
        const insert = database.prepare(`INSERT INTO automation_runs VALUES ${runValues} ON CONFLICT DO NOTHING`);
        const advance = database.prepare<[number, string]>("UPDATE automations SET checked_until = ? WHERE id = ?");
        return database
          .transaction(() => {
            const added = rows.filter((row) => insert.run(toRunRow(row)).changes === 1);
            for (const [id, until] of checked) advance.run(until, id);
            return added;
          })
          .immediate();
      }),
    update: (row) =>
      safely(() => {
        database
          .prepare(
            `UPDATE automation_runs SET started_at = @startedAt, ended_at = @endedAt, outcome = @outcome,
               session_id = @sessionId, tokens = @tokens, error = @error, cause = @cause
             WHERE automation_id = @automationId AND scheduled_for = @scheduledFor`,
          )
          .run(toRunRow(row));
      }),
    runs: (id, limit) =>
      safely(() =>
        database
          .prepare<[string, number], RunRow>(
            `SELECT ${runColumns} FROM automation_runs WHERE automation_id = ? AND outcome IS NOT 'skipped'
             ORDER BY scheduled_for DESC LIMIT ?`,
          )
          .all(id, limit)
          .map(({ automationId: _, ...row }) => readRun(row)),
      ),
    countSkipped: (id) =>
      safely(
        () =>
          database
            .prepare<[string, string], { skipped: number }>(
              `SELECT count(*) AS skipped FROM automation_runs WHERE automation_id = ? AND outcome = 'skipped'
               AND scheduled_for > coalesce((SELECT max(scheduled_for) FROM automation_runs
                 WHERE automation_id = ? AND outcome IS NOT 'skipped'), 0)`,
            )
            .get(id, id)?.skipped ?? 0,
      ),
    hasSession: (id) =>
      safely(
        () =>
          database
            .prepare<[SessionId], { found: number }>("SELECT 1 AS found FROM automation_runs WHERE session_id = ?")
            .get(id) !== undefined,
      ),
    open: () =>
      safely(() =>
        database
          .prepare<[], RunRow>(
            `SELECT ${runColumns} FROM automation_runs WHERE outcome IS NULL ORDER BY scheduled_for, automation_id`,
          )
          .all()
          .map(({ automationId, ...row }) => ({ automationId, ...readRun(row) })),
      ),
    prune: (before, retained) =>
      safely(() => {
        database
          .prepare<[number, number]>(
            `DELETE FROM automation_runs WHERE scheduled_for < ? AND outcome IS NOT NULL AND scheduled_for < (
               SELECT scheduled_for FROM automation_runs AS newer WHERE newer.automation_id = automation_runs.automation_id
               ORDER BY scheduled_for DESC LIMIT 1 OFFSET ?)`,
          )
          .run(before, retained - 1);
      }),
  };
}

function readAutomation({ isOn, ...row }: AutomationRow): readonly StoredAutomation[] {
  const definition = automationDefinition.safeParse(parseJson(row.definition));
  const rules = automationRules.safeParse(parseJson(row.rules));
  if (!definition.success || !rules.success) return [];
  const rehearsal = row.rehearsal === null ? null : rehearsalSchema.safeParse(parseJson(row.rehearsal));
  const { id, failures, checkedUntil } = row;
  return [
    {
      ...definition.data,
      id,
      isOn: isOn === 1,
      rules: rules.data,
      ...(rehearsal?.success === true ? { rehearsal: rehearsal.data } : {}),
      failures,
      checkedUntil,
    },
  ];
}

function toAutomationRow(automation: StoredAutomation): AutomationRow {
  const { id, isOn, rules, rehearsal, failures, checkedUntil, ...definition } = automation;
  return {
    id,
    definition: JSON.stringify(definition),
    isOn: isOn ? 1 : 0,
    rules: JSON.stringify(rules satisfies readonly AutomationRule[]),
    rehearsal: rehearsal === undefined ? null : JSON.stringify(rehearsal),
    failures,
    checkedUntil,
  };
}

function readRun(row: Omit<RunRow, "automationId">): AutomationRun {
  const error = row.error === null ? null : errorSchema.safeParse(parseJson(row.error));
  return {
    scheduledFor: row.scheduledFor,
    cause: automationCauses.find((cause) => cause === row.cause) ?? "time",
    ...(row.startedAt === null ? {} : { startedAt: row.startedAt }),
    ...(row.endedAt === null ? {} : { endedAt: row.endedAt }),
    ...(row.outcome === null ? {} : { outcome: automationOutcomes.find((one) => one === row.outcome) ?? "failed" }),
    ...(row.sessionId === null ? {} : { sessionId: row.sessionId }),
    ...(row.tokens === null ? {} : { tokens: row.tokens }),
    ...(error?.success === true ? { error: error.data } : {}),
  };
}

const toRunRow = ({ automationId, scheduledFor, cause, ...row }: DueRow): RunRow => ({
  automationId,
  scheduledFor,
  cause,
  startedAt: row.startedAt ?? null,
  endedAt: row.endedAt ?? null,
  outcome: row.outcome ?? null,
  sessionId: row.sessionId ?? null,
  tokens: row.tokens ?? null,
  error: row.error === undefined ? null : JSON.stringify(row.error),
});
