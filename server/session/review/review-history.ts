/** Lists the changes of the files that a session and its subagents changed, from their logs in order of time. Pure. */
import type { StoredBaseline, WaitingReview, WritingReview } from "@/lib/events/review-events";
import type { BlobId, CallId, Hash } from "@/lib/events/id";
import type { ReviewLogRecord } from "@/server/store/sessions/file-log";

/** A stored content; `blob` null with a `mode` over 0: the file existed, its content is not stored. */
interface StoredContent {
  readonly blob: BlobId | null;
  readonly mode: number;
}

/** A step of a file, with stored contents; `after` of a write: null = no file, undefined = unknown. */
export type StoredStep = { readonly seq: number; readonly before: StoredContent } & (
  | { readonly kind: "write"; after: Hash | null | undefined }
  | { readonly kind: "decision"; readonly after: BlobId | null; readonly baseline: StoredBaseline }
  | { readonly kind: "restore"; readonly after: BlobId | null; readonly toSeq: number }
);

export interface ReviewHistory {
  readonly files: ReadonlyMap<string, readonly StoredStep[]>;
  readonly waiting: readonly WaitingReview[];
  /** A review that has not ended; null = none. */
  readonly writing: WritingReview | null;
  /** Reviews that are not undone, in order of seq. */
  readonly reviews: readonly Extract<ReviewLogRecord, { type: "review" }>[];
}

export interface SessionFileLog {
  readonly isOwn: boolean;
  readonly records: readonly ReviewLogRecord[];
}

/** Steps of a subagent have no seq in the session's log. */
const noSeq = 0;

/** Returns the steps by path. A call's changes are one step for each file. */
export function buildReviewHistory(logs: readonly SessionFileLog[]): ReviewHistory {
  const files = new Map<string, StoredStep[]>();
  let waiting: readonly WaitingReview[] = [];
  let writing: WritingReview | null = null;
  const reviews: Extract<ReviewLogRecord, { type: "review" }>[] = [];
  const add = (path: string, step: StoredStep): void => {
    const steps = files.get(path);
    if (steps === undefined) files.set(path, [step]);
    else steps.push(step);
  };
  const byUser = new Set<CallId>();
  const open = new Map<CallId, Map<string, Extract<StoredStep, { kind: "write" }>>>();
  const records = logs.flatMap(({ isOwn, records: list }) => {
    let at = 0;
    // A clock that was set back does not change the order of one log.
    return list.map((record) => ({ record, isOwn, at: (at = Math.max(at, record.at)) }));
  });
  // A stable sort: records of one log keep their order.
  for (const { record, isOwn } of records.toSorted((left, right) => left.at - right.at)) {
    const seq = isOwn ? record.seq : noSeq;
    switch (record.type) {
      case "user_command":
        byUser.add(record.callId);
        break;
      case "file_change": {
        if (byUser.has(record.callId)) break;
        const step = {
          kind: "write" as const,
          seq,
          before: { blob: record.before, mode: record.mode },
          after: undefined,
        };
        const steps = open.get(record.callId) ?? new Map<string, Extract<StoredStep, { kind: "write" }>>();
        open.set(record.callId, steps.set(record.path, step));
        add(record.path, step);
        break;
      }
      case "call": {
        for (const [path, step] of open.get(record.callId) ?? [])
          for (const file of record.files)
            if (file.path === path || (file.after === null && path.startsWith(`${file.path}/`)))
              step.after = file.after;
        open.delete(record.callId);
        break;
      }
      case "restore":
        for (const { path, before, after, mode } of record.files)
          add(path, { kind: "restore", seq, before: { blob: before, mode }, after, toSeq: record.toSeq });
        break;
      case "review":
        if (!isOwn) break;
        for (const { path, before, after, mode, baseline } of record.files)
          add(path, {
            kind: "decision",
            seq,
            before: { blob: before, mode: before === null ? 0 : mode },
            after,
            baseline: baseline.after,
          });
        reviews.push(record);
        writing = null;
        break;
      case "review_wait":
        if (isOwn) ({ waiting, writing = null } = record);
    }
  }
  const undone = new Set(reviews.flatMap((review) => (review.undone === undefined ? [] : [review.undone])));
  return {
    files,
    waiting,
    writing,
    reviews: reviews.filter((review) => review.undone === undefined && !undone.has(review.seq)),
  };
}
