/**
 * Stores decisions in the log and writes their files. What is to be written, with the present contents, is in the log before;
 * the review follows with the files that were written, so that none counts that was not.
 */
import type { DurableEvent } from "@/lib/events/event";
import type { CommandId } from "@/lib/events/id";
import type { ReviewedFile, WaitingReview, WritingReview } from "@/lib/events/review-events";
import type { ReviewFailure, ReviewResult } from "@/lib/review/review-files";
import type { ProjectFiles } from "@/server/workspace/files/project-files";
import type { SessionServices } from "../core/services";
import { makeReceipt, type SessionLog } from "../core/session-log";
import { type DecidedFile, type StoredDecision, storeDecision } from "./decide-file";

interface CommitParts {
  readonly log: SessionLog;
  readonly projectFiles: ProjectFiles;
}

interface ReviewOrder {
  readonly files: readonly StoredDecision[];
  /** Decisions that wait before it, and after it. */
  readonly waiting: readonly WaitingReview[];
  readonly left: readonly WaitingReview[];
  readonly undone?: number;
  readonly commandId?: CommandId;
}

/** Stores the contents of the decisions; those that cannot be stored are added to `failed`. */
export async function storeDecisions(
  decided: readonly DecidedFile[],
  services: SessionServices,
  failed: ReviewFailure[],
): Promise<readonly StoredDecision[]> {
  const files: StoredDecision[] = [];
  for (const one of decided) {
    const stored = await storeDecision(one, services);
    if (typeof stored === "string") failed.push({ path: one.file.path, code: stored });
    else files.push(stored);
  }
  return files;
}

/** Writes the files, each of which is checked again by its hash. Returns the seq of the review, and the files that failed. */
export async function commitReview(
  { log, projectFiles }: CommitParts,
  { files, waiting, left, undone, commandId }: ReviewOrder,
): Promise<Pick<ReviewResult, "seq" | "failed">> {
  const review: WritingReview = {
    files: files.map(({ write: _write, disk: _disk, ...file }) => file),
    ...(undone === undefined ? {} : { undone }),
  };
  const written = files.filter(({ before, after }) => before !== after);
  if (written.length > 0) log.commit([waitEvent(waiting, review)]);
  const failed: ReviewFailure[] = [];
  for (const file of written) {
    const done = await writeDecision(projectFiles, file);
    if (!done.ok) failed.push({ path: file.path, code: done.error.code });
  }
  const events = endEvents(review, new Set(failed.map(({ path }) => path)), left, waiting.length > 0);
  return { seq: log.commit(events, commandId === undefined ? undefined : makeReceipt(commandId)), failed };
}

/** Ends a review that the last process did not end: the files that have its content were written. */
export async function endOpenReview(
  { log, projectFiles }: CommitParts,
  review: WritingReview,
  waiting: readonly WaitingReview[],
): Promise<void> {
  const unwritten = new Set<string>();
  for (const { path, before, after } of review.files) {
    const disk = before === after ? null : await projectFiles.probe(path);
    if (disk === null) continue;
    const isWritten = disk.kind === "file" ? disk.hash === String(after) : disk.kind === "nothing" && after === null;
    if (!isWritten) unwritten.add(path);
  }
  log.commit(endEvents(review, unwritten, waiting, true));
}

/** The waiting decisions, and the review whose files are being written. */
export const waitEvent = (waiting: readonly WaitingReview[], writing: WritingReview | null): DurableEvent => ({
  type: "review_wait",
  waiting,
  ...(writing === null ? {} : { writing }),
});

function endEvents(
  review: WritingReview,
  unwritten: ReadonlySet<string>,
  waiting: readonly WaitingReview[],
  hadWaiting: boolean,
): readonly DurableEvent[] {
  const files = review.files.flatMap((file) => (unwritten.has(file.path) ? withoutWrite(file) : [file]));
  const ended: DurableEvent[] = files.length === 0 ? [] : [{ type: "review", ...review, files }];
  return hadWaiting || ended.length === 0 ? [waitEvent(waiting, null), ...ended] : ended;
}

/** Returns the rest of a decision whose file was not written: the changes that it accepted. */
function withoutWrite(file: ReviewedFile): readonly ReviewedFile[] {
  const { places: _places, ...rest } = file;
  const isMoved = file.baseline.before.blob !== file.baseline.after.blob;
  return isMoved ? [{ ...rest, after: file.before, rejected: 0 }] : [];
}

async function writeDecision(projectFiles: ProjectFiles, { path, mode, write, disk }: StoredDecision) {
  const hash = disk.kind === "file" ? disk.hash : null;
  if (write !== null) return projectFiles.write(path, write, hash, mode);
  return hash === null ? { ok: true as const, value: undefined } : projectFiles.remove(path, hash);
}
