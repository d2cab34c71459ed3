/** Data types of the history of a repository: its commits, what they changed, and who wrote the lines of a file. */
import type { SourceChange } from "./source-control";

/** A branch, tag or the checked-out commit that points to a commit. */
export interface CommitRef {
  /** head = the commit that is checked out; its name is that of the branch, or "HEAD" without one. */
  readonly kind: "head" | "branch" | "remote" | "tag";
  readonly name: string;
}

/** A row of the log. */
export interface LogCommit {
  readonly id: string;
  readonly parents: readonly string[];
  readonly author: string;
  /** When it was written, ms epoch. */
  readonly time: number;
  readonly subject: string;
  readonly refs: readonly CommitRef[];
  /** The name of the file in this commit, in the history of one file. */
  readonly path?: string;
}

/** Where a page of the log starts: the commits from which it goes back, and the number of commits before it. */
export interface LogCursor {
  readonly tips: readonly string[];
  readonly skip: number;
}

export interface LogPage {
  readonly commits: readonly LogCommit[];
  /** The start of the next page; null = there is none, or the search has ended early. */
  readonly next: LogCursor | null;
  /** Why a search ended before it had looked at everything; shallow = the clone has no older commits. */
  readonly ended?: "timeout" | "stopped" | "too_large" | "shallow";
}

export interface CommitFile {
  readonly path: string;
  /** Where a renamed or copied file was. */
  readonly from?: string;
  readonly change: SourceChange;
  /** Lines; null = the file is not text. */
  readonly added: number | null;
  readonly removed: number | null;
  readonly isSubmodule?: true;
}

/** The files that differ between two commits. */
export interface CommitChanges {
  readonly files: readonly CommitFile[];
  /** Number of files beyond the limit. */
  readonly more: number;
}

export interface CommitPerson {
  readonly name: string;
  readonly mail: string;
  /** ms epoch */
  readonly time: number;
}

/** A commit with the files that differ from its first parent. */
export interface CommitView extends CommitChanges {
  readonly id: string;
  readonly parents: readonly string[];
  readonly author: CommitPerson;
  readonly committer: CommitPerson;
  readonly refs: readonly CommitRef[];
  /** Subject and body, at most 100,000 characters. */
  readonly message: string;
}

/** Successive lines of one commit. */
export interface BlameRun {
  /** The first line, from 1. */
  readonly line: number;
  readonly count: number;
  /** Index in `commits`; null = not committed yet. */
  readonly commit: number | null;
}

export interface Blame {
  readonly commits: readonly Pick<LogCommit, "id" | "author" | "time" | "subject">[];
  /** By line; those behind the limit are absent, and after a timeout any may be. */
  readonly runs: readonly BlameRun[];
}
