/** Statistics over all sessions: tokens, times and tools per day of the user's time zone. */
import type Database from "better-sqlite3";
import {
  type DayStatistics,
  type ModelStatistics,
  noDay,
  type Statistics,
  type ToolStatistics,
} from "@/lib/protocol/history";
import type { ProjectId } from "@/lib/events/id";
import { slotMs } from "./history-index";

export interface StatisticsQuery {
  readonly projectId?: ProjectId | undefined;
  /** ms epoch, rounded to quarters of an hour; inclusive start, exclusive end. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** IANA time zone name; an unknown one counts as UTC. */
  readonly zone: string;
}

interface FactRow {
  readonly slot: number;
  readonly kind: "run" | "answer" | "tool" | "edit";
  readonly name: string;
  readonly count: number;
  readonly failed: number;
  readonly denied: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly loadMs: number;
  readonly promptMs: number;
  readonly outputMs: number;
  readonly toolMs: number;
  readonly added: number;
  readonly removed: number;
}

/** Deleted sessions are excluded; subagents are not counted as sessions. Throws SQLite errors. */
export function createStatistics(database: Database.Database) {
  const ofSessions = `FROM facts f JOIN indexed i ON i.key = f.session JOIN log.sessions l ON l.id = i.session_id
    WHERE l.deleted_at IS NULL AND f.slot >= @first AND f.slot < @end AND (@projectId IS NULL OR l.project_id = @projectId)`;
  const rows = database.prepare<object, FactRow>(
    `SELECT f.slot, f.kind, f.name, sum(f.count) AS count, sum(f.failed) AS failed, sum(f.denied) AS denied,
       sum(f.prompt_tokens) AS promptTokens, sum(f.output_tokens) AS outputTokens, sum(f.load_ms) AS loadMs,
       sum(f.prompt_ms) AS promptMs, sum(f.output_ms) AS outputMs, sum(f.tool_ms) AS toolMs, sum(f.added) AS added,
       sum(f.removed) AS removed ${ofSessions} GROUP BY f.slot, f.kind, f.name ORDER BY f.slot`,
  );
  const sessions = database
    .prepare<object, number>(`SELECT count(DISTINCT CASE WHEN l.parent_id IS NULL THEN f.session END) ${ofSessions}`)
    .pluck();

  return ({ projectId, from, to, zone }: StatisticsQuery): Statistics => {
    const range = {
      projectId: projectId ?? null,
      first: from === undefined ? 0 : Math.floor(from / slotMs),
      end: to === undefined ? Number.MAX_SAFE_INTEGER : Math.ceil(to / slotMs),
    };
    return { ...sumRows(rows.all(range), createDayFormatter(zone)), sessions: sessions.get(range) ?? 0 };
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

function sumRows(rows: readonly FactRow[], dayOf: (slot: number) => string): Omit<Statistics, "sessions"> {
  const days = new Map<string, Writable<DayStatistics>>();
  const models = new Map<string, Writable<ModelStatistics>>();
  const tools = new Map<string, Writable<ToolStatistics>>();
  for (const row of rows) {
    const day = dayOf(row.slot);
    const sum = getOrInsert(days, day, { day, ...noDay });
    if (row.kind === "run") sum.runs += row.count;
    sum.promptTokens += row.promptTokens;
    sum.outputTokens += row.outputTokens;
    sum.loadMs += row.loadMs;
    sum.promptMs += row.promptMs;
    sum.outputMs += row.outputMs;
    sum.toolMs += row.toolMs;
    sum.added += row.added;
    sum.removed += row.removed;
    if (row.kind === "answer") addModel(getOrInsert(models, row.name, { model: row.name, ...emptyModel }), row);
    if (row.kind === "edit") addEdits(getOrInsert(models, row.name, { model: row.name, ...emptyModel }), row);
    if (row.kind === "tool") addTool(getOrInsert(tools, row.name, { tool: row.name, ...emptyTool }), row);
  }
  return {
    days: [...days.values()],
    models: [...models.values()].sort((a, b) => b.answers - a.answers || compareNames(a.model, b.model)),
    tools: [...tools.values()].sort((a, b) => b.calls - a.calls || compareNames(a.tool, b.tool)),
  };
}

const emptyModel = {
  answers: 0,
  promptTokens: 0,
  outputTokens: 0,
  promptMs: 0,
  outputMs: 0,
  edits: 0,
  editsApplied: 0,
} as const;
const emptyTool = { calls: 0, failed: 0, denied: 0, tookMs: 0 } as const;

const compareNames = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function getOrInsert<T>(map: Map<string, T>, key: string, empty: T): T {
  const value = map.get(key) ?? empty;
  map.set(key, value);
  return value;
}

function addModel(sum: Writable<ModelStatistics>, row: FactRow): void {
  sum.answers += row.count;
  sum.promptTokens += row.promptTokens;
  sum.outputTokens += row.outputTokens;
  sum.promptMs += row.promptMs;
  sum.outputMs += row.outputMs;
}

function addEdits(sum: Writable<ModelStatistics>, row: FactRow): void {
  sum.edits += row.count;
  sum.editsApplied += row.count - row.failed;
}

function addTool(sum: Writable<ToolStatistics>, row: FactRow): void {
  sum.calls += row.count;
  sum.failed += row.failed;
  sum.denied += row.denied;
  sum.tookMs += row.toolMs;
}

/**
 * Returns the day (yyyy-mm-dd) of a slot; slots are quarters of an hour, since all zone offsets are multiples of that.
 */
function createDayFormatter(zone: string): (slot: number) => string {
  const format = createDateFormat(zone);
  const days = new Map<number, string>();
  return (slot) => {
    const day = days.get(slot) ?? format.format(slot * slotMs);
    days.set(slot, day);
    return day;
  };
}

function createDateFormat(timeZone: string): Intl.DateTimeFormat {
  // The Swedish date format equals ISO 8601.
  const form = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  try {
    return new Intl.DateTimeFormat("sv-SE", { ...form, timeZone });
  } catch {
    return new Intl.DateTimeFormat("sv-SE", { ...form, timeZone: "UTC" });
  }
}
