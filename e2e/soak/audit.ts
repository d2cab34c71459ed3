/**
 * Audits the stored state after every kill, directly on disk while the server runs. Returns the problems as text; an
 * empty list = everything holds.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { iterate } from "@/lib/view/chunks";
import type { DurableEvent } from "@/lib/events/event";
import { fold } from "@/lib/view/fold";
import type { SessionId } from "@/lib/events/id";
import { emptyView, pendingApprovals, type SessionView } from "@/lib/view/view";
import * as z from "zod/mini";
import type { ReceivedText } from "./session-follower";
import type { LastReceived, Ledger } from "./ledger";

/** The longest span of streamed text that a kill may lose. */
const lostTextMaxMs = 1_000;

const auditRowSchema = z.object({ seq: z.number(), at: z.number(), body: z.string() });
const auditBodySchema = z.custom<DurableEvent>(
  (value) => typeof value === "object" && value !== null && "type" in value,
);
const listSchema = z.object({ id: z.string(), lastSeq: z.number(), status: z.string() });

interface StoredLog {
  readonly sessionId: SessionId;
  readonly lastSeq: number;
  readonly status: string;
  readonly rows: readonly { readonly seq: number; readonly at: number; readonly body: string }[];
}

interface AuditCounts {
  /** Longest time between text that a client had received and the kill that lost it, ms. */
  lostTextMs: number;
  /** Number of acknowledged messages checked. */
  messages: number;
  /** Number of events read. */
  events: number;
}

interface AuditOptions {
  readonly home: string;
  readonly ledger: Ledger;
  /** The sessions to audit; absent = all. */
  readonly sessions?: ReadonlySet<SessionId>;
  /** Reads every page of the database. */
  readonly whole: boolean;
}

export class Auditor {
  readonly counts: AuditCounts = { lostTextMs: 0, messages: 0, events: 0 };
  /** Digests of the rows already audited: stored events never change. */
  readonly #previous = new Map<SessionId, { readonly length: number; readonly digest: string }>();

  audit(options: AuditOptions): readonly string[] {
    const database = new Database(join(options.home, "gopi.db"), { readonly: true, fileMustExist: true });
    try {
      return this.#databaseProblems(database, options);
    } finally {
      database.close();
    }
  }

  #databaseProblems(database: Database.Database, { home, ledger, sessions, whole }: AuditOptions): readonly string[] {
    const wrong: string[] = [];
    const check: unknown = whole ? database.pragma("quick_check", { simple: true }) : "ok";
    if (check !== "ok") wrong.push(`quick_check: ${String(check)}`);
    for (const sessionId of sessions ?? ledger.sessions) {
      const log = readLog(database, sessionId);
      if (log === null) {
        wrong.push(`session ${sessionId} is gone`);
        continue;
      }
      wrong.push(...this.#logProblems(log, ledger), ...missingBlobs(database, home, log));
    }
    return [...wrong, ...fileProblems(ledger)];
  }

  #logProblems(log: StoredLog, ledger: Ledger): readonly string[] {
    const { sessionId, rows } = log;
    const events = rows.map(({ body }) => auditBodySchema.parse(JSON.parse(body)));
    this.counts.events += rows.length;
    const view = events.reduce<SessionView>((now, event, index) => {
      const row = rows[index];
      return row === undefined ? now : fold(now, { v: 1, sessionId, seq: row.seq, at: row.at, event });
    }, emptyView(sessionId));
    const wrong = [
      ...(rows.every(({ seq }, index) => seq === index + 1) ? [] : ["seq has a gap"]),
      ...(log.lastSeq === rows.length ? [] : [`the session list has ${log.lastSeq} events, there are ${rows.length}`]),
      ...this.#changedRowProblems(log),
      ...openStateProblems(view, log.status),
      ...eventProblems(events),
      ...this.#messageProblems(view, events, ledger),
      ...this.#lostTextProblems(view, ledger.lastReceived),
    ];
    return wrong.map((words) => `${sessionId}: ${words}`);
  }

  /** Checks that stored events are unchanged, byte for byte. */
  #changedRowProblems({ sessionId, rows }: StoredLog): readonly string[] {
    const before = this.#previous.get(sessionId);
    const wrong =
      before !== undefined && digestRows(rows.slice(0, before.length)) !== before.digest
        ? ["stored events have changed"]
        : [];
    this.#previous.set(sessionId, { length: rows.length, digest: digestRows(rows) });
    return wrong;
  }

  /**
   * Checks that each acknowledged message is in the log or in the queue exactly once, and each unacknowledged one at
   * most once.
   */
  #messageProblems(view: SessionView, events: readonly DurableEvent[], ledger: Ledger): readonly string[] {
    const times = new Map<string, number>();
    const count = (id: string | undefined): void => {
      if (id !== undefined) times.set(id, (times.get(id) ?? 0) + 1);
    };
    for (const event of events) if (event.type === "message_start") count(event.commandId);
    for (const queued of view.queue) count(queued.commandId);
    const texts = new Map<string, string>(view.queue.map((queued) => [queued.commandId, queued.text]));
    for (const entry of iterate(view.entries))
      if (entry.kind === "message" && entry.commandId !== undefined)
        texts.set(entry.commandId, blockText(entry.blocks));
    return ledger.sentMessages
      .filter(({ sessionId }) => sessionId === view.sessionId)
      .flatMap(({ commandId, text, seq }) => {
        const found = times.get(commandId) ?? 0;
        this.counts.messages += seq === null ? 0 : 1;
        if (found > 1) return [`"${text}" is stored ${found} times`];
        if (found === 0) return seq === null ? [] : [`"${text}" was acknowledged and is lost`];
        return texts.get(commandId)?.includes(text) === true ? [] : [`"${text}" has become another text`];
      });
  }

  /** Checks that text a client had received a second before the kill is stored. */
  #lostTextProblems(view: SessionView, last: LastReceived | null): readonly string[] {
    if (last === null || last.sessionId !== view.sessionId) return [];
    return last.texts.flatMap((received) => {
      const stored = findStoredText(view, received);
      const intactChars = commonLength(received.text, stored);
      const lost = received.growth.find(({ chars }) => chars > intactChars);
      if (lost === undefined) return [];
      const lostMs = last.killedAt - lost.at;
      this.counts.lostTextMs = Math.max(this.counts.lostTextMs, lostMs);
      return lostMs <= lostTextMaxMs
        ? []
        : [`${Math.round(lostMs)} ms of text were lost (${intactChars} of ${received.text.length})`];
    });
  }
}

function readLog(database: Database.Database, sessionId: SessionId): StoredLog | null {
  // One transaction: the server continues to write meanwhile.
  return database.transaction((): StoredLog | null => {
    const row = database.prepare("SELECT id, last_seq AS lastSeq, status FROM sessions WHERE id = ?").get(sessionId);
    if (row === undefined) return null;
    const { lastSeq, status } = listSchema.parse(row);
    const found = database.prepare("SELECT seq, at, body FROM events WHERE session_id = ? ORDER BY seq").all(sessionId);
    return { sessionId, lastSeq, status, rows: z.array(auditRowSchema).parse(found) };
  })();
}

const digestRows = (rows: StoredLog["rows"]): string =>
  createHash("sha256")
    .update(rows.map(({ seq, at, body }) => `${seq} ${at} ${body}\n`).join(""))
    .digest("hex");

/** Checks that nothing is open, except a run that waits for the user's answer. */
function openStateProblems(view: SessionView, status: string): readonly string[] {
  const waits = pendingApprovals(view).length > 0;
  const expected = waits ? ["waiting"] : ["idle", "limit", "aborted", "error", "interrupted"];
  return [
    ...(expected.includes(status)
      ? []
      : [`the session list has status ${status}${waits ? " though a card waits" : ""}`]),
    ...(view.run === null || waits ? [] : ["a run is open and no card waits"]),
    ...(Object.keys(view.openMessages).length === 0 ? [] : ["a message is open"]),
    ...(Object.keys(view.openCalls).length === 0 || waits ? [] : ["a call is open"]),
    ...(view.openCompaction === null ? [] : ["a compaction is open"]),
  ];
}

/** Checks that starts and ends occur once each. */
function eventProblems(events: readonly DurableEvent[]): readonly string[] {
  const seen = new Set<string>();
  const wrong: string[] = [];
  const once = (record: string): void => {
    if (seen.has(record)) wrong.push(`${record} is stored twice`);
    seen.add(record);
  };
  for (const event of events) {
    if (event.type === "message_start" || event.type === "message_end") once(`${event.type} ${event.messageId}`);
    if (event.type === "tool_call_start" || event.type === "tool_call_end") once(`${event.type} ${event.callId}`);
    if (event.type === "agent_start" || event.type === "agent_end") once(`${event.type} ${event.runId}`);
    if (event.type === "approval_response") once(`${event.type} ${event.approvalId}`);
  }
  return wrong;
}

/** Checks that the before-image of every change is stored. */
function missingBlobs(database: Database.Database, home: string, log: StoredLog): readonly string[] {
  const find = database.prepare("SELECT bytes FROM blobs WHERE id = ?").pluck();
  return log.rows.flatMap(({ body }) => {
    const event = auditBodySchema.parse(JSON.parse(body));
    if (event.type !== "file_change" || event.before === null) return [];
    const stored: unknown = find.get(event.before);
    const bytes = Buffer.isBuffer(stored)
      ? stored
      : bytesOrNull(join(home, "blobs", event.before.slice(0, 2), event.before));
    const isWhole = bytes !== null && createHash("sha256").update(bytes).digest("hex") === event.before;
    return isWhole ? [] : [`${log.sessionId}: the before-image of ${event.path} is gone`];
  });
}

const fileProblems = (ledger: Ledger): readonly string[] =>
  [...ledger.files].flatMap(([path, versions]) => {
    const content = readOrNull(path);
    return versions.includes(content)
      ? []
      : [`${path} holds neither the old nor the new content (${content?.length ?? "missing"})`];
  });

/** Returns temporary files beside the written files; the next start deletes them shortly after it is ready. */
export const leftoverTempFiles = (ledger: Ledger): readonly string[] =>
  [...new Set([...ledger.files.keys()].map((path) => dirname(path)))].flatMap((folder) =>
    existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(".gopi-")) : [],
  );

const bytesOrNull = (path: string): Buffer | null => (existsSync(path) ? readFileSync(path) : null);
const readOrNull = (path: string): string | null => bytesOrNull(path)?.toString("utf8") ?? null;

const blockText = (blocks: readonly { readonly type: string; readonly text?: string }[]): string =>
  blocks.map((block) => (block.type === "text" ? (block.text ?? "") : "")).join("");

/** Returns the stored text of the block or output; "" when none is stored. */
function findStoredText(view: SessionView, { id, text }: ReceivedText): string {
  for (const entry of iterate(view.entries)) {
    if (entry.kind !== "message") continue;
    if (entry.messageId === id)
      return entry.blocks
        .flatMap((block) => ("text" in block ? [block.text] : []))
        .reduce((best, one) => longerMatch(text, best, one), "");
    const call = entry.calls.find(({ callId }) => callId === id);
    if (call !== undefined) return blockText(call.output ?? []);
  }
  return "";
}

const longerMatch = (text: string, one: string, other: string): string =>
  commonLength(text, other) > commonLength(text, one) ? other : one;

function commonLength(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  for (let index = 0; index < end; index += 1) if (one[index] !== other[index]) return index;
  return end;
}
