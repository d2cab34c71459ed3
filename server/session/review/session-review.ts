/**
 * The user's decisions about the agent's changes in a session: accepted into the baseline of a file, or taken out of the
 * file. During a run a decision waits in the log for the end of the turn.
 */
import { fail, ok, type Result } from "@/lib/events/error";
import type { CommandId } from "@/lib/events/id";
import type { WaitingReview } from "@/lib/events/review-events";
import { isSameContent } from "@/lib/review/baseline";
import type { ReviewDecision, ReviewFailure, ReviewResult, ReviewState } from "@/lib/review/review-files";
import { serverLimits } from "@/lib/settings/server-limits";
import { neverAborted } from "@/server/base/abort";
import { makeMutex, makeSlots } from "@/server/base/concurrency";
import type { ProjectFiles } from "@/server/workspace/files/project-files";
import type { SessionServices } from "../core/services";
import { makeReceipt, readReceipt, type SessionLog } from "../core/session-log";
import { type CommittedContents, decideCommitted } from "./accept-committed";
import { commitReview, endOpenReview, storeDecisions, waitEvent } from "./commit-review";
import { type DecidedFile, decideFile, toWaiting, undoFile } from "./decide-file";
import { makeReviewReader, type ReviewReader } from "./read-files";
import { makeLogReader } from "./read-logs";
import type { ReadFile } from "./read-review";
import { buildReviewHistory, type ReviewHistory, type SessionFileLog } from "./review-history";

export interface SessionReview {
  /** Returns the files with changes to decide. Fails when the project is missing. */
  state(): Promise<Result<ReviewState>>;
  /**
   * Applies decisions; during a run they wait for the end of the turn. Failures are reported per file: changed_meanwhile
   * when it is not as shown, conflict for the rejection of a hunk that collides, too_large, not_kept, and those of writing.
   */
  decide(decisions: readonly ReviewDecision[], commandId: CommandId): Promise<Result<ReviewResult>>;
  /**
   * Undoes the review at `seq`, by default the newest one or the decision that waits last. Fails with gone, and with
   * not_idle during a run.
   */
  undo(seq: number | undefined, commandId: CommandId): Promise<Result<ReviewResult>>;
  /** Applies the decisions that wait. For the time between two turns and after a run. Never rejects. */
  applyWaiting(): Promise<void>;
  /** Accepts those changes that a commit contains. */
  acceptCommitted(files: CommittedContents, commandId: CommandId): Promise<Result<ReviewResult>>;
}

interface ReviewParts {
  readonly log: SessionLog;
  readonly services: SessionServices;
  /** Whether decisions may wait; null = unknown, since the session was loaded. */
  readonly state: { mayWait: boolean | null };
  readonly reader: ReviewReader;
  readonly readLogs: () => readonly SessionFileLog[];
}

/** The history, and the files, that one command works with. */
interface ReviewWork extends ReviewHistory {
  readonly log: SessionLog;
  readonly projectFiles: ProjectFiles;
  read(path: string, waiting: readonly WaitingReview[]): Promise<ReadFile | null>;
  /** Does not return the texts, so that most files need not be read again. */
  look(path: string, waiting: readonly WaitingReview[]): Promise<Pick<ReadFile, "found" | "hash"> | null>;
}

export function makeSessionReview({ log, services }: Pick<ReviewParts, "log" | "services">): SessionReview {
  const parts: ReviewParts = {
    log,
    services,
    state: { mayWait: null },
    reader: makeReviewReader(services.store.blobs),
    readLogs: makeLogReader(log.view().sessionId, services.store, () => log.view().seq),
  };
  const mutex = makeMutex();
  const alone = <T>(work: () => Promise<T>): Promise<T> => mutex.hold("", work, neverAborted);
  const once = (commandId: CommandId, work: () => Promise<Result<ReviewResult>>): Promise<Result<ReviewResult>> =>
    alone(async () => {
      const before = readReceipt(services, log.view().sessionId, commandId);
      if (before !== null) return ok({ ...before, waits: isBusy(log), failed: [] });
      if (!isBusy(log)) await applyWaiting(parts);
      return work();
    });
  return {
    state: () =>
      alone(async () => {
        if (!isBusy(log)) await applyWaiting(parts);
        const work = await openReview(parts);
        return work.ok ? ok(await readState(work.value)) : work;
      }),
    decide: (decisions, commandId) => once(commandId, () => applyDecisions(parts, decisions, commandId)),
    undo: (seq, commandId) => once(commandId, () => undoReview(parts, seq, commandId)),
    applyWaiting: () => alone(() => applyWaiting(parts)).catch((error: unknown) => services.reportBug("review", error)),
    acceptCommitted: (files, commandId) => once(commandId, () => acceptCommitted(parts, files, commandId)),
  };
}

const isBusy = (log: SessionLog): boolean => log.view().run !== null || log.view().openCompaction !== null;

async function openReview({ log, services, state, reader, readLogs }: ReviewParts): Promise<Result<ReviewWork>> {
  const { projectId, sessionId } = log.view();
  const found = await services.projectFiles(projectId, sessionId);
  if (!found.ok) return found;
  const history = buildReviewHistory(readLogs());
  state.mayWait = history.waiting.length > 0;
  const order = (path: string, waiting: readonly WaitingReview[]) => ({
    ...{ projectFiles: found.value, path, waiting },
    steps: history.files.get(path) ?? [],
  });
  return ok({
    ...history,
    log,
    projectFiles: found.value,
    read: (path, waiting) => reader.read(order(path, waiting)),
    look: (path, waiting) => reader.look(order(path, waiting)),
  });
}

async function applyDecisions(
  parts: ReviewParts,
  decisions: readonly ReviewDecision[],
  commandId: CommandId,
): Promise<Result<ReviewResult>> {
  const work = await openReview(parts);
  if (!work.ok) return work;
  const failed: ReviewFailure[] = [];
  const decided: DecidedFile[] = [];
  for (const decision of decisions) {
    // After a first decision about a file its hash is another one.
    const isDecided = decided.some(({ file }) => file.path === decision.path);
    const file = isDecided ? null : await work.value.read(decision.path, work.value.waiting);
    const one = file === null ? "changed_meanwhile" : await decideFile(file, decision);
    if (typeof one === "string") failed.push({ path: decision.path, code: one });
    else decided.push(one);
  }
  return ok(await applyOrWait(parts, work.value, decided, failed, commandId));
}

/** Applies the decisions, or lets them wait for the end of the turn. */
async function applyOrWait(
  parts: ReviewParts,
  work: ReviewWork,
  decided: readonly DecidedFile[],
  failed: ReviewFailure[],
  commandId: CommandId,
): Promise<ReviewResult> {
  const { log, services, state } = parts;
  const files = await storeDecisions(decided, services, failed);
  if (!isBusy(log)) {
    state.mayWait = null;
    const done = await commitReview(work, { files, waiting: work.waiting, left: work.waiting, commandId });
    return { seq: done.seq, waits: false, failed: [...failed, ...done.failed] };
  }
  const stored = new Set(files.map(({ path }) => path));
  const added = await Promise.all(
    decided.filter(({ file }) => stored.has(file.path)).map((one) => toWaiting(one, services)),
  );
  const seq = log.commit([waitEvent([...work.waiting, ...added], work.writing)], makeReceipt(commandId));
  state.mayWait = true;
  return { seq, waits: true, failed };
}

async function applyWaiting(parts: ReviewParts): Promise<void> {
  const { log, services, state } = parts;
  state.mayWait ??= services.store.fileLog.hasReview(log.view().sessionId);
  if (!state.mayWait) return;
  const opened = await openReview(parts);
  if (opened.ok && opened.value.writing !== null)
    await endOpenReview(opened.value, opened.value.writing, opened.value.waiting);
  const work = opened.ok && opened.value.writing !== null ? await openReview(parts) : opened;
  if (!work.ok || work.value.waiting.length === 0) return;
  const decided: DecidedFile[] = [];
  for (const path of new Set(work.value.waiting.map((one) => one.path))) {
    const [file, target] = [await work.value.read(path, []), await work.value.read(path, work.value.waiting)];
    if (file === null || target === null) continue;
    const count = (verdict: WaitingReview["verdict"]): number =>
      work.value.waiting.reduce((sum, one) => sum + (one.path === path && one.verdict === verdict ? one.hunks : 0), 0);
    const isSame = isSameContent(file.now, target.now) && isSameContent(file.baseline.content, target.baseline.content);
    if (isSame) continue;
    const { baseline, now } = target;
    decided.push({ file, baseline, now, accepted: count("accept"), rejected: count("reject") });
  }
  const files = await storeDecisions(decided, services, []);
  await commitReview(work.value, { files, waiting: work.value.waiting, left: [] });
}

async function undoReview(
  parts: ReviewParts,
  seq: number | undefined,
  commandId: CommandId,
): Promise<Result<ReviewResult>> {
  const { log, services } = parts;
  const work = await openReview(parts);
  if (!work.ok) return work;
  const { waiting, reviews } = work.value;
  if (seq === undefined && waiting.length > 0)
    return ok({
      seq: log.commit([waitEvent(waiting.slice(0, -1), work.value.writing)], makeReceipt(commandId)),
      waits: true,
      failed: [],
    });
  if (isBusy(log)) return fail("not_idle");
  const review = seq === undefined ? reviews.at(-1) : reviews.find((one) => one.seq === seq);
  if (review === undefined) return fail("gone");
  const failed: ReviewFailure[] = [];
  const decided: DecidedFile[] = [];
  for (const undone of review.files) {
    const file = await work.value.read(undone.path, []);
    const one = file === null ? null : await undoFile(file, undone, services);
    if (one === null) failed.push({ path: undone.path, code: "changed_meanwhile" });
    else decided.push(one);
  }
  const files = await storeDecisions(decided, services, failed);
  if (isBusy(log)) return fail("not_idle");
  parts.state.mayWait = null;
  const done = await commitReview(work.value, { files, waiting, left: waiting, commandId, undone: review.seq });
  return ok({ seq: done.seq, waits: false, failed: [...failed, ...done.failed] });
}

async function acceptCommitted(
  parts: ReviewParts,
  files: CommittedContents,
  commandId: CommandId,
): Promise<Result<ReviewResult>> {
  const work = await openReview(parts);
  if (!work.ok) return work;
  const decided: DecidedFile[] = [];
  for (const path of work.value.files.keys()) {
    const file = files.paths.has(path) ? await work.value.read(path, work.value.waiting) : null;
    const one = file === null ? null : await decideCommitted(file, files);
    if (one !== null) decided.push(one);
  }
  if (decided.length === 0) return ok({ seq: parts.log.view().seq, waits: false, failed: [] });
  return ok(await applyOrWait(parts, work.value, decided, [], commandId));
}

/** Files that are read at once. */
const readAtOnce = 8;

async function readState({ files, waiting, reviews, look }: ReviewWork): Promise<ReviewState> {
  const listed: ReviewState["files"][number][] = [];
  let more = 0;
  let open = 0;
  const slots = makeSlots(readAtOnce);
  const sorted = [...files.keys()].sort();
  const found = await Promise.all(
    sorted.map((path) =>
      slots(async () => {
        const file = await look(path, waiting);
        return file === null || file.found === null ? [] : [{ path, hash: file.hash, ...file.found }];
      }),
    ),
  );
  for (const file of found.flat()) {
    open += Math.max(1, file.hunks.length);
    if (listed.length < serverLimits.changedFiles) listed.push(file);
    else more += 1;
  }
  const waitingHunks = waiting.reduce((sum, { hunks }) => sum + hunks, 0);
  const decided = reviews.flatMap((review) => review.files).reduce((sum, one) => sum + one.accepted + one.rejected, 0);
  return {
    files: listed,
    more,
    decided: decided + waitingHunks,
    waiting: waitingHunks,
    total: decided + waitingHunks + open,
    newest: reviews.at(-1)?.seq ?? null,
  };
}
