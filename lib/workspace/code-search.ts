/** Search in the files of a project: the query, and the lines that are found. */
import type { AgentError } from "../events/error";
import type { FailedPath } from "./project-files";

export interface CodeSearchQuery {
  readonly query: string;
  /** Whether the query is a regular expression. */
  readonly regex: boolean;
  readonly caseSensitive: boolean;
  readonly wholeWord: boolean;
  /** The only file to search, also an ignored one, relative to the project; null = those that the globs select. */
  readonly file: string | null;
  /** Comma-separated globs; empty = all files. */
  readonly include: string;
  /** Comma-separated globs of files that are left out. */
  readonly exclude: string;
  /** Lines shown before and after each match, at most `codeSearchMaxContext`. */
  readonly context: number;
}

export const emptyCodeSearchQuery: CodeSearchQuery = {
  query: "",
  regex: false,
  caseSensitive: false,
  wholeWord: false,
  file: null,
  include: "",
  exclude: "",
  context: 0,
};

/** A matching line. Positions are UTF-16 units. */
export interface CodeSearchLine {
  /** From 1. */
  readonly line: number;
  /** Position of `text` in the line; 0 unless a long line was cut. */
  readonly offset: number;
  /** Without its line end. */
  readonly text: string;
  /** Whether the line continues after `text`. */
  readonly isCut: boolean;
  /** Start and end of each match in `text`. */
  readonly marks: readonly (readonly [number, number])[];
  /** The text of each group of the expression, per mark; a long one is cut. Absent = it has no groups. */
  readonly captures?: readonly (readonly string[])[];
  /** Digest of the line on disk; a replacement is refused where it differs. */
  readonly digest: string;
}

/** A line near a match that does not match itself. */
export interface ContextLine {
  /** From 1. */
  readonly line: number;
  /** Without its line end; the start of a long line. */
  readonly text: string;
  /** Whether the line continues after `text`. */
  readonly isCut: boolean;
}

export interface CodeSearchFile {
  /** Relative to the project. */
  readonly path: string;
  readonly lines: readonly CodeSearchLine[];
  /** Absent = none. It may be around lines of another message about the file. */
  readonly context?: readonly ContextLine[];
}

export interface CodeSearchEnd {
  /** limit = there are more lines than `codeSearchMaxLines`. */
  readonly reason: "done" | "limit" | "timeout" | "failed";
  /** Whether lines longer than 1 MB, which may match, were left out. */
  readonly hasLongLines: boolean;
  /** Whether there is more context than `codeSearchMaxContextLines`. */
  readonly isContextCut: boolean;
  /** Files with matches that were left out because their names are not UTF-8. */
  readonly unreadable: number;
  /** The failure; a bad_regex has the reason as its detail. */
  readonly error?: AgentError;
}

/** Lines found by a search, and their position in all lines it found. */
export interface CodeSearchResults {
  /** Number of lines before. */
  readonly from: number;
  readonly files: readonly CodeSearchFile[];
  /** null = the search runs. */
  readonly end: CodeSearchEnd | null;
}

/** A file in which matches were replaced. */
export interface ReplacedFile {
  readonly path: string;
  /** Number of replaced matches. */
  readonly matches: number;
}

/** Outcome of a replacement in several files, or of its undo; a failed file is unchanged. */
export interface ReplacementReport {
  readonly files: readonly ReplacedFile[];
  readonly failed: readonly FailedPath[];
}

/** Maximum matching lines of a search. */
export const codeSearchMaxLines = 10_000;
/** Maximum lines before and after a match. */
export const codeSearchMaxContext = 5;
/** Maximum lines of context of a search; further matches have none. */
export const codeSearchMaxContextLines = 20_000;

export const countLines = (files: readonly CodeSearchFile[]): number =>
  files.reduce((sum, { lines }) => sum + lines.length, 0);

/** Appends results to the results before them; results that do not follow directly replace them. */
export function joinCodeSearch(first: CodeSearchResults, second: CodeSearchResults): CodeSearchResults {
  if (first.from + countLines(first.files) !== second.from) return second;
  return { from: first.from, files: [...first.files, ...second.files], end: second.end };
}
