/** Data types of the commands for reviews. */
import type { ErrorCode } from "../events/error";
import type { Hash } from "../events/id";
import type { ChosenHunk, ReviewDifference } from "./review-hunks";

/** A file with changes of the agent that the user has not decided. */
export interface FileUnderReview extends ReviewDifference {
  readonly path: string;
  /** Hash of the shown texts: a decision names it. */
  readonly hash: Hash;
}

export interface ReviewState {
  readonly files: readonly FileUnderReview[];
  /** Number of files that are not listed. */
  readonly more: number;
  /** Hunks that the user decided in this session, and those decisions that wait for the end of the turn. */
  readonly decided: number;
  readonly waiting: number;
  /** Hunks with `decided`; a file that is decided as a whole counts as one. */
  readonly total: number;
  /** Seq of the newest decision that can be undone; null = none. */
  readonly newest: number | null;
}

export interface ReviewDecision {
  readonly path: string;
  readonly hash: Hash;
  readonly verdict: "accept" | "reject";
  /** Absent = the whole file; a rejection leaves out the hunks that collide. */
  readonly hunks?: readonly ChosenHunk[];
}

export interface ReviewFailure {
  readonly path: string;
  readonly code: ErrorCode;
}

export interface ReviewResult {
  readonly seq: number;
  /** The decisions wait for the end of the turn. */
  readonly waits: boolean;
  readonly failed: readonly ReviewFailure[];
}
