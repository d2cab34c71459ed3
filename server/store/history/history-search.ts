/** Full-text search in the index; snippets are taken from the log. */
import type Database from "better-sqlite3";
import type { DurableEvent } from "@/lib/events/event";
import type { SearchHit } from "@/lib/protocol/history";
import { plainMarkdownLine } from "@/lib/text/plain-markdown";
import type { ProjectId, SessionId } from "@/lib/events/id";
import {
  parseStoredEvent,
  firstIdAt,
  searchPlaces,
  projectWord,
  sessionWord,
  requireReaderState,
} from "./history-index";
import { searchableCallText, isHidden, searchableMessageText } from "./history-reader";
import { parseSearchQuery, createSnippet, type SearchTerm } from "./search-query";
import { sessionConditions, type SessionFilters } from "../sessions/session-filters";

/** Length of the text shown of a hit, characters. */
const searchSnippetChars = 160;
/** Hits per page. */
const searchPageHits = 30;
/** Candidate texts read for one page of hits. */
const searchCandidates = 300;

export interface HistorySearchQuery extends SessionFilters {
  readonly query: string;
  /** Cursor returned with the previous page. */
  readonly next?: string | undefined;
}

export interface SearchHitPage {
  /** Newest first. */
  readonly hits: readonly SearchHit[];
  readonly next: string | null;
}

interface Candidate {
  readonly id: number;
  readonly seq: number;
  readonly source: number;
  readonly place: number;
  readonly sessionId: SessionId;
  readonly projectId: ProjectId;
  readonly title: string;
  readonly state: string;
  readonly readFrom: number;
}

const candidateColumns = `d.id, d.seq, d.source, d.place, i.session_id AS sessionId, sessions.project_id AS projectId, sessions.title,
  i.state, i.read_from AS readFrom`;
/** CROSS JOIN fixes the order: the index yields the newest rows first, the other tables are looked up per row. */
const joinedTables = `words CROSS JOIN documents d ON d.id = words.rowid CROSS JOIN indexed i ON i.key = d.session
  CROSS JOIN log.sessions sessions ON sessions.id = i.session_id`;

/** If the filters leave at most this many sessions (and this share of all), each session is queried separately. */
const fewSessions = 200;
const fewShare = 0.1;
/** Maximum candidates read with the wider prefix before the exact query is used. */
const wideCandidates = 2 * searchPageHits;

/** Throws SQLite errors. `now` = ms epoch. */
export function createHistorySearch(database: Database.Database, now: () => number) {
  const cut = createSnippets(database);
  const few = createFewSessionsQuery(database);

  return ({ query, next, from, to, ...filters }: HistorySearchQuery): SearchHitPage => {
    const parsed = parseSearchQuery(query);
    if (parsed === null) return { hits: [], next: null };
    const conditions = sessionConditions(filters);
    const before = Math.min(parseCursor(next), to === undefined ? Number.MAX_SAFE_INTEGER : firstIdAt(to));
    const bounds = {
      ...Object.assign({}, ...conditions.map(({ values }) => values)),
      now: now(),
      first: from === undefined ? 0 : firstIdAt(from),
    };
    const condition = conditions.map(({ sql }) => sql).join(" AND ");
    const inProject = filters.projectId === undefined ? [] : [`"${projectWord(filters.projectId)}"`];
    const sessions = isNarrow(filters) ? few(condition, bounds) : null;
    const statement = database.prepare<object, Candidate>(
      `SELECT ${candidateColumns} FROM ${joinedTables}
       WHERE words MATCH @match AND words.rowid < @before AND words.rowid >= @first AND ${condition}
       ORDER BY words.rowid DESC LIMIT @rows`,
    );
    const ask = (match: string, below: number, rows: number): readonly Candidate[] =>
      sessions === null
        ? statement.all({ ...bounds, match: [...inProject, match].join(" AND "), before: below, rows })
        : newestCandidates(sessions, rows, (key) =>
            statement.all({ ...bounds, match: `"${sessionWord(key)}" AND ${match}`, before: below, rows }),
          );
    const page = (match: string, maxCandidates: number) =>
      collectPage(ask, cut, parsed.terms, match, before, maxCandidates);
    if (parsed.widerMatch !== undefined) {
      const wide = page(parsed.widerMatch, wideCandidates);
      if (wide.isFull || wide.next === null) return wide;
    }
    return page(parsed.match, searchCandidates);
  };
}

type QueryCandidates = (match: string, below: number, rows: number) => readonly Candidate[];
type MakeSnippet = (candidate: Candidate, terms: readonly SearchTerm[]) => SearchHit | null;

function collectPage(
  ask: QueryCandidates,
  cut: MakeSnippet,
  terms: readonly SearchTerm[],
  match: string,
  before: number,
  maxCandidates: number,
) {
  const hits: SearchHit[] = [];
  let below = before;
  for (let read = 0; read < maxCandidates; ) {
    const rows = Math.min(searchPageHits, maxCandidates - read);
    const candidates = ask(match, below, rows);
    for (const candidate of candidates) {
      const hit = cut(candidate, terms);
      below = candidate.id;
      if (hit !== null) hits.push(hit);
      if (hits.length === searchPageHits) return { hits, next: below.toString(36), isFull: true };
    }
    if (candidates.length < rows) return { hits, next: null, isFull: false };
    read += candidates.length;
  }
  return { hits, next: below.toString(36), isFull: false };
}

function parseCursor(next: string | undefined): number {
  const id = next === undefined ? Number.NaN : Number.parseInt(next, 36);
  return Number.isSafeInteger(id) ? id : Number.MAX_SAFE_INTEGER;
}

/** True for filters that may leave few sessions. The project filter is not one: it has a word in the index. */
const isNarrow = ({ model, changed, shared, pinned, archived, deleted }: SessionFilters): boolean =>
  model !== undefined ||
  changed !== undefined ||
  shared !== undefined ||
  pinned !== undefined ||
  archived === true ||
  deleted === true;

/** Sessions that match the filters, last changed first; null = too many to query separately. */
function createFewSessionsQuery(database: Database.Database) {
  const total = database.prepare<[], number>("SELECT count(*) FROM indexed").pluck();
  return (condition: string, values: object): readonly FilteredSession[] | null => {
    const found = database
      .prepare<object, FilteredSession>(
        `SELECT i.key, sessions.updated_at AS updatedAt FROM log.sessions sessions
         JOIN indexed i ON i.session_id = sessions.id WHERE ${condition} ORDER BY sessions.updated_at DESC LIMIT @most`,
      )
      .all({ ...values, most: fewSessions + 1 });
    const isFew = found.length <= fewSessions && found.length <= Math.max(1, fewShare * (total.get() ?? 0));
    return isFew ? found : null;
  };
}

interface FilteredSession {
  readonly key: number;
  /** Upper bound of the times of its events. */
  readonly updatedAt: number;
}

/** Merges the newest `rows` candidates over the sessions; stops at sessions too old to contribute. */
function newestCandidates(
  sessions: readonly FilteredSession[],
  rows: number,
  ask: (key: number) => readonly Candidate[],
): readonly Candidate[] {
  let found: readonly Candidate[] = [];
  for (const { key, updatedAt } of sessions) {
    const last = found.length < rows ? undefined : found.at(-1);
    if (last !== undefined && firstIdAt(updatedAt + 1_000) <= last.id) break;
    found = [...found, ...ask(key)].sort((a, b) => b.id - a.id).slice(0, rows);
  }
  return found;
}

/** Creates the snippet of a candidate; null if the text does not match, since the index does not store adjacency. */
function createSnippets(database: Database.Database): MakeSnippet {
  const row = database.prepare<[SessionId, number], { v: number; at: number; body: string }>(
    "SELECT v, at, body FROM log.events WHERE session_id = ? AND seq = ?",
  );
  const ofCall = database.prepare<[SessionId, number, number, string], { v: number; body: string }>(
    `SELECT v, body FROM log.events WHERE session_id = ? AND seq BETWEEN ? AND ?
     AND type IN ('message_end', 'tool_call_start') AND instr(body, ?) > 0`,
  );
  const callTextOf = (candidate: Candidate, end: Extract<DurableEvent, { type: "tool_call_end" }>): string => {
    const events = ofCall
      .all(candidate.sessionId, candidate.seq, candidate.source, end.callId)
      .flatMap(({ v, body }) => parseStoredEvent(v, body) ?? []);
    const target = events.find((event) => event.type === "tool_call_start" && event.callId === end.callId);
    const blocks = events.flatMap((event) => (event.type === "message_end" ? event.blocks : []));
    const call = blocks.find((block) => block.type === "call" && block.callId === end.callId);
    return searchableCallText(
      target?.type === "tool_call_start" ? target.target : "",
      call?.type === "call" ? call.input : null,
      end.output,
    );
  };
  const textOfEvent = (candidate: Candidate, event: DurableEvent | undefined): string => {
    if (event?.type === "session_update") return event.title ?? "";
    if (event?.type === "message_end") return searchableMessageText(event.blocks);
    return event?.type === "tool_call_end" ? callTextOf(candidate, event) : "";
  };

  return (candidate, terms) => {
    const { sessionId, projectId, title, seq, source, readFrom } = candidate;
    const place = searchPlaces[candidate.place];
    const found = row.get(sessionId, source);
    if (found === undefined || place === undefined) return null;
    const text = textOfEvent(candidate, parseStoredEvent(found.v, found.body));
    // Inputs and outputs of tools are not Markdown.
    const toLine = place === "tool" ? undefined : plainMarkdownLine;
    const cut = createSnippet(text, terms, searchSnippetChars, toLine);
    if (cut === null) return null;
    const hidden = isHidden(requireReaderState(candidate.state), seq, readFrom);
    return { sessionId, projectId, title, seq, at: found.at, place, ...cut, ...(hidden ? { hidden } : {}) };
  };
}
