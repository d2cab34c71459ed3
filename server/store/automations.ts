/** Automations and the times at which they were due. Loaded late. */
import type Database from "better-sqlite3";
import { and, count, desc, eq, gt, isNotNull, isNull, lt, max, ne, or, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
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
import { makeErrorSchema } from "./core/error-shape";
import { makeQueries, type Queries } from "./core/typed-database";
import { automationRuns, automations } from "./schema";

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

const rehearsalSchema: z.ZodMiniType<AutomationRehearsal> = z.object({
  sessionId: z.pipe(
    z.string(),
    z.transform((text: string): SessionId => asId<SessionId>(text)),
  ),
  outcome: z.exactOptional(z.enum(automationOutcomes)),
});

const errorSchema = makeErrorSchema();

export function createAutomations(database: Database.Database): AutomationStore {
  const query = makeQueries(database);
  return {
    ...dueRows(query),
    list: () =>
      query((db) => db.select().from(automations).orderBy(automations.createdAt, automations.id).all()).flatMap(
        readAutomation,
      ),
    save(automation, createdAt) {
      const { id, isOn, rules, rehearsal, failures, checkedUntil, ...definition } = automation;
      const set = {
        definition: JSON.stringify(definition),
        isOn,
        rules: JSON.stringify(rules satisfies readonly AutomationRule[]),
        rehearsal: rehearsal === undefined ? null : JSON.stringify(rehearsal),
        failures,
        checkedUntil,
      };
      query((db) =>
        db
          .insert(automations)
          .values({ id, createdAt, ...set })
          .onConflictDoUpdate({ target: automations.id, set })
          .run(),
      );
    },
    remove: (id) => void query((db) => db.delete(automations).where(eq(automations.id, id)).run()),
  };
}

function dueRows(
  query: Queries,
): Pick<AutomationStore, "addDue" | "update" | "runs" | "countSkipped" | "hasSession" | "open" | "prune"> {
  const { automationId, scheduledFor, outcome, sessionId } = automationRuns;
  const isRun = (id: string) => and(eq(automationId, id), or(isNull(outcome), ne(outcome, "skipped")));
  return {
    addDue: (rows, checked) =>
      query((db) =>
        db.transaction(
          (transaction) => {
            const added = rows.filter(
              (row) =>
                transaction.insert(automationRuns).values(toRunRow(row)).onConflictDoNothing().run().changes === 1,
            );
            for (const [id, checkedUntil] of checked)
              transaction.update(automations).set({ checkedUntil }).where(eq(automations.id, id)).run();
            return added;
          },
          { behavior: "immediate" },
        ),
      ),
    update(row) {
      const { automationId: id, scheduledFor: at, ...set } = toRunRow(row);
      query((db) =>
        db
          .update(automationRuns)
          .set(set)
          .where(and(eq(automationId, id), eq(scheduledFor, at)))
          .run(),
      );
    },
    runs: (id, limit) =>
      query((db) =>
        db.select().from(automationRuns).where(isRun(id)).orderBy(desc(scheduledFor)).limit(limit).all(),
      ).map(readRun),
    countSkipped: (id) =>
      query((db) => {
        const newest = db
          .select({ at: sql`coalesce(${max(scheduledFor)}, 0)` })
          .from(automationRuns)
          .where(isRun(id));
        const isSkipped = and(eq(automationId, id), eq(outcome, "skipped"), gt(scheduledFor, newest));
        return db.select({ skipped: count() }).from(automationRuns).where(isSkipped).get()?.skipped ?? 0;
      }),
    hasSession: (id) =>
      query((db) => db.select({ sessionId }).from(automationRuns).where(eq(sessionId, id)).get()) !== undefined,
    open: () =>
      query((db) =>
        db.select().from(automationRuns).where(isNull(outcome)).orderBy(scheduledFor, automationId).all(),
      ).map((row) => ({ automationId: row.automationId, ...readRun(row) })),
    prune(before, retained) {
      query((db) => {
        const newer = alias(automationRuns, "newer");
        const firstRetained = db
          .select({ at: newer.scheduledFor })
          .from(newer)
          .where(eq(newer.automationId, automationId))
          .orderBy(desc(newer.scheduledFor))
          .limit(1)
          .offset(retained - 1);
        const isOld = and(lt(scheduledFor, before), isNotNull(outcome), lt(scheduledFor, firstRetained));
        db.delete(automationRuns).where(isOld).run();
      });
    },
  };
}

function readAutomation(row: typeof automations.$inferSelect): readonly StoredAutomation[] {
  const definition = automationDefinition.safeParse(parseJson(row.definition));
  const rules = automationRules.safeParse(parseJson(row.rules));
  if (!definition.success || !rules.success) return [];
  const rehearsal = row.rehearsal === null ? null : rehearsalSchema.safeParse(parseJson(row.rehearsal));
  const { id, isOn, failures, checkedUntil } = row;
  return [
    {
      ...definition.data,
      id,
      isOn,
      rules: rules.data,
      ...(rehearsal?.success === true ? { rehearsal: rehearsal.data } : {}),
      failures,
      checkedUntil,
    },
  ];
}

function readRun(row: typeof automationRuns.$inferSelect): AutomationRun {
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

const toRunRow = ({ automationId, scheduledFor, cause, ...row }: DueRow): typeof automationRuns.$inferSelect => ({
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
