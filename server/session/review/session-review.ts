/**
 * The user's decisions about the agent's changes in a session: accepted into the baseline of a file, or taken out of the
 * file. The decision and the present content are in the log before a file is written; during a run it waits in the log
 * for the end of the turn.
 */
import type { Json } from "@/lib/events/content";
import { fail, ok, type Result } from "@/lib/events/error";
import type { DurableEvent } from "@/lib/events/event";
import type { CommandId } from "@/lib/events/id";
import type { WaitingReview } from "@/lib/events/review-events";
import { isSameContent } from "@/lib/review/baseline";
import type { ReviewDecision, ReviewFailure, ReviewResult, ReviewState } from "@/lib/review/review-files";
import { serverLimits } from "@/lib/settings/server-limits";
import { neverAborted } from "@/server/base/abort";
import { makeMutex } from "@/server/base/concurrency";
import type { ProjectFiles } from "@/server/workspace/files/project-files";
import type { SessionServices } from "../core/services";
import { readReceipt, type SessionLog } from "../core/session-log";
import { type CommittedContents, decideCommitted } from "./accept-committed";
import { type DecidedFile, decideFile, type StoredDecision, storeDecision, toWaiting, undoFile } from "./decide-file";
import { type ReadFile, readReviewedFile } from "./read-review";
import { buildReviewHistory, type ReviewHistory } from "./review-history";

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
}

/** The history, and the files, that one command works with. */
interface ReviewWork extends ReviewHistory {
  readonly projectFiles: ProjectFiles;
  read(path: string, waiting: readonly WaitingReview[]): Promise<ReadFile | null>;
}

export function makeSessionReview({ log, services }: Pick<ReviewParts, "log" | "services">): SessionReview {
  const parts: ReviewParts = { log, services, state: { mayWait: null } };
  const mutex = makeMutex();
  const alone = <T>(work: () => Promise<T>): Promise<T> => mutex.hold("", work, neverAborted);
  const once = (commandId: CommandId, work: () => Promise<Result<ReviewResult>>): Promise<Result<ReviewResult>> =>
    alone(async () => {
      const before = readReceipt(services, log.view().sessionId, commandId);
      return before === null ? work() : ok({ ...before, waits: isBusy(log), failed: [] });
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

async function openReview({ log, services, state }: ReviewParts): Promise<Result<ReviewWork>> {
  const { store } = services;
  const { projectId, sessionId } = log.view();
  const found = await services.projectFiles(projectId, sessionId);
  if (!found.ok) return found;
  const history = buildReviewHistory(readLogs(services, sessionId));
  state.mayWait = history.waiting.length > 0;
  const parts = { blobs: store.blobs, projectFiles: found.value };
  return ok({
    ...history,
    projectFiles: found.value,
    read: (path, waiting) => readReviewedFile(parts, path, history.files.get(path) ?? [], waiting),
  });
}

/** Commits the decisions, then writes the files; each is checked again by its hash. */
async function commitReview(
  { log, services }: ReviewParts,
  { projectFiles }: ReviewWork,
  decided: readonly DecidedFile[],
  failed: ReviewFailure[],
  after: { readonly commandId?: CommandId; readonly undone?: number; readonly waiting?: readonly WaitingReview[] },
): Promise<ReviewResult> {
  const files: StoredDecision[] = [];
  for (const one of decided) {
    const stored = await storeDecision(one, services);
    if (typeof stored === "string") failed.push({ path: one.file.path, code: stored });
    else files.push(stored);
  }
  const events: DurableEvent[] = after.waiting === undefined ? [] : [{ type: "review_wait", waiting: after.waiting }];
  if (files.length > 0)
    events.push({
      type: "review",
      files: files.map(({ write: _write, disk: _disk, ...file }) => file),
      ...(after.undone === undefined ? {} : { undone: after.undone }),
    });
  const { commandId } = after;
  const seq = log.commit(events, commandId === undefined ? undefined : receiptOf(commandId));
  for (const { path, before, after: target, mode, write, disk } of files) {
    if (before === target) continue;
    const hash = disk.kind === "file" ? disk.hash : null;
    const done =
      write !== null
        ? await projectFiles.write(path, write, hash, mode)
        : hash === null
          ? ok(undefined)
          : await projectFiles.remove(path, hash);
    if (!done.ok) failed.push({ path, code: done.error.code });
  }
  return { seq, waits: false, failed };
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
    const file = await work.value.read(decision.path, work.value.waiting);
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
  const { log, services } = parts;
  if (!isBusy(log)) return commitReview(parts, work, decided, failed, { commandId });
  const waiting = [...work.waiting, ...decided.map((one) => toWaiting(one, services))];
  const seq = log.commit([{ type: "review_wait", waiting }], receiptOf(commandId));
  parts.state.mayWait = true;
  return { seq, waits: true, failed };
}

async function applyWaiting(parts: ReviewParts): Promise<void> {
  const { log, services, state } = parts;
  state.mayWait ??= services.store.fileLog.hasWaitedReview(log.view().sessionId);
  if (!state.mayWait) return;
  const work = await openReview(parts);
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
  await commitReview(parts, work.value, decided, [], { waiting: [] });
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
      seq: log.commit([{ type: "review_wait", waiting: waiting.slice(0, -1) }], receiptOf(commandId)),
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
  return ok(await commitReview(parts, work.value, decided, failed, { commandId, undone: review.seq }));
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

/** The logs of the session and of its subagents. */
function readLogs({ store }: SessionServices, sessionId: Parameters<typeof store.fileLog.readReview>[0]) {
  const below = (id: typeof sessionId): readonly (typeof sessionId)[] =>
    store.sessions.subagents(id).flatMap((child) => [child.id, ...below(child.id)]);
  return [sessionId, ...below(sessionId)].map((id) => ({
    isOwn: id === sessionId,
    records: store.fileLog.readReview(id),
  }));
}

async function readState({ files, waiting, reviews, read }: ReviewWork): Promise<ReviewState> {
  const listed: ReviewState["files"][number][] = [];
  let more = 0;
  let open = 0;
  for (const path of [...files.keys()].sort()) {
    const file = await read(path, waiting);
    if (file === null || file.found === null) continue;
    open += Math.max(1, file.found.hunks.length);
    if (listed.length < serverLimits.changedFiles) listed.push({ path, hash: file.hash, ...file.found });
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

const receiptOf =
  (commandId: CommandId) =>
  (seq: number): { readonly commandId: CommandId; readonly result: Json } => ({ commandId, result: { seq } });
