/** The events of reviews, in which the user decides about changes of the agent. */
import type { BlobId } from "./id";

/** The text of a file that the user agreed to, as it is stored. */
export interface StoredBaseline {
  /** null = no file. */
  readonly blob: BlobId | null;
  /** See `Baseline`; absent = none. */
  readonly marks?: readonly (readonly [start: number, end: number])[];
  readonly otherLines?: readonly string[];
}

/** Lines that a rejection took out of a file, or put back into it if there are none; `line` = where, in the new file. */
export interface RejectedPlace {
  readonly line: number;
  readonly taken: readonly string[];
  /** Lines taken out that are not in `taken`. */
  readonly more: number;
}

/** A file about which the user decided. `before` and `after` = its content, which a rejection changes; null = no file. */
export interface ReviewedFile {
  readonly path: string;
  readonly baseline: { readonly before: StoredBaseline; readonly after: StoredBaseline };
  readonly before: BlobId | null;
  readonly after: BlobId | null;
  /** permission bits of `before`, or those that it had when it existed */
  readonly mode: number;
  /** Number of hunks that the decision concerns. */
  readonly accepted: number;
  readonly rejected: number;
  readonly places?: readonly RejectedPlace[];
}

/** A decision that waits for the end of the turn: it changed `from` to `to`, in the baseline or in the file. */
export interface WaitingReview {
  readonly path: string;
  readonly verdict: "accept" | "reject";
  readonly from: BlobId | null;
  readonly to: BlobId | null;
  readonly hunks: number;
}

export type ReviewEvent =
  /** The user decided, and the files are written. A border. */
  | {
      readonly type: "review";
      readonly files: readonly ReviewedFile[];
      /** Seq of the review that this one undoes. */
      readonly undone?: number;
    }
  /** All decisions that wait for the end of the turn. */
  | {
      readonly type: "review_wait";
      readonly waiting: readonly WaitingReview[];
      /** The review whose files are written next; it follows as an event with those that were. */
      readonly writing?: WritingReview;
    };

export type WritingReview = Omit<Extract<ReviewEvent, { type: "review" }>, "type">;

/** Files about whose changes the user decided, in the view. */
export type ReviewEntry = { readonly kind: "review"; readonly seq: number; readonly at: number } & WritingReview;

export const reviewDelivery = { review: "durable", review_wait: "durable" } as const satisfies Record<
  ReviewEvent["type"],
  "durable"
>;
