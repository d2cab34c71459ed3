/** Data of the history page: full-text search and statistics over all sessions. */
import type { ProjectId, SessionId } from "../events/id";

/** title = title of the session; user, assistant = messages; tool = target, input or output of a call. */
export type SearchPlace = "title" | "user" | "assistant" | "tool";

export interface SearchHit {
  readonly sessionId: SessionId;
  readonly projectId: ProjectId;
  readonly title: string;
  /** The entry to show; 0 for a title. */
  readonly seq: number;
  /** ms epoch */
  readonly at: number;
  readonly place: SearchPlace;
  /** Text around the first match; `marks` are the matches in it, as UTF-16 ranges. */
  readonly snippet: string;
  readonly marks: readonly (readonly [from: number, to: number])[];
  /** The entry is not on the current path of its session. */
  readonly hidden?: boolean;
}

export interface SearchResult {
  /** Newest first. */
  readonly hits: readonly SearchHit[];
  /** Cursor for the next page; null = last page. */
  readonly next: string | null;
  /** Share of the history already indexed, 0 to 1. */
  readonly indexed: number;
}

/** Totals of one day in the user's time zone. Tokens and milliseconds. */
export interface DayStatistics {
  /** yyyy-mm-dd */
  readonly day: string;
  readonly runs: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly loadMs: number;
  readonly promptMs: number;
  readonly outputMs: number;
  readonly toolMs: number;
  readonly added: number;
  readonly removed: number;
}

/** Totals of an empty day. */
export const noDay: Omit<DayStatistics, "day"> = {
  runs: 0,
  promptTokens: 0,
  outputTokens: 0,
  loadMs: 0,
  promptMs: 0,
  outputMs: 0,
  toolMs: 0,
  added: 0,
  removed: 0,
};

export interface ModelStatistics {
  readonly model: string;
  readonly answers: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly promptMs: number;
  readonly outputMs: number;
  /** Attempted edits, excluding those the user denied or stopped, and how many were applied. */
  readonly edits: number;
  readonly editsApplied: number;
}

export interface ToolStatistics {
  readonly tool: string;
  readonly calls: number;
  /** Calls with outcome error or unknown. */
  readonly failed: number;
  readonly denied: number;
  readonly tookMs: number;
}

export interface Statistics {
  /** Oldest first; days without activity are omitted. */
  readonly days: readonly DayStatistics[];
  /** Most used first. */
  readonly models: readonly ModelStatistics[];
  readonly tools: readonly ToolStatistics[];
  readonly sessions: number;
}

export interface StatisticsResult extends Statistics {
  /** Share of the history already counted, 0 to 1. */
  readonly indexed: number;
}

export const exportFormats = ["md", "html", "jsonl"] as const;
export type ExportFormat = (typeof exportFormats)[number];
