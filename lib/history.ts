/** Searching and measuring all sessions: data of the history page. */
import type { ProjectId, SessionId } from "./id";

/** title = the session's own; user, assistant = messages; tool = a call's target, input or output. */
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
  /** Some words around the first match; `marks` are the matches in it, as UTF-16 ranges. */
  readonly snippet: string;
  readonly marks: readonly (readonly [from: number, to: number])[];
  /** Not on the path of its session now: a branch that was left. */
  readonly hidden?: boolean;
}

export interface SearchResult {
  /** Newest first. */
  readonly hits: readonly SearchHit[];
  /** Send it back for the next page; null = there is none. */
  readonly next: string | null;
  /** Share of the history that can be searched by now, 0 to 1. */
  readonly indexed: number;
}

/** Sums of one day of the user's own calendar. Tokens and milliseconds. */
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

/** A day on which nothing was done. */
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
  /** Edits it tried, without those the user denied or stopped, and how many of them were applied. */
  readonly edits: number;
  readonly editsApplied: number;
}

export interface ToolStatistics {
  readonly tool: string;
  readonly calls: number;
  /** Ended with an error or unknown. */
  readonly failed: number;
  readonly denied: number;
  readonly tookMs: number;
}

export interface Statistics {
  /** Oldest first; days without a run are left out. */
  readonly days: readonly DayStatistics[];
  /** Most used first. */
  readonly models: readonly ModelStatistics[];
  readonly tools: readonly ToolStatistics[];
  readonly sessions: number;
}

export interface StatisticsResult extends Statistics {
  /** Share of the history that is counted by now, 0 to 1. */
  readonly indexed: number;
}

export const exportFormats = ["md", "html", "jsonl"] as const;
export type ExportFormat = (typeof exportFormats)[number];
