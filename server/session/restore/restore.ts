/**
 * Restores files to a position of the log: the plan, and its execution. The intent and the current states are in the
 * log before the first file is written, so a restore can be undone by a restore.
 */
import type { RestoreFailure, RestorePlan, RestoreStep } from "@/lib/workspace/changes";
import type { Json } from "@/lib/events/content";
import type { ErrorCode, Result } from "@/lib/events/error";
import type { DurableEvent, RestoredFile } from "@/lib/events/event";
import type { CommandId, Hash } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { type FileContent, createFileDiffer } from "@/lib/text/file-difference";
import type { SessionView } from "@/lib/view/view";
import { runStepsInSlices } from "@/server/base/steps";
import { neverAborted } from "@/server/base/abort";
import type { Store } from "@/server/store/open-store";
import { StoreError } from "@/server/store/core/store-error";
import { readStoredState } from "./file-changes";
import { type FileState, type PathHistory, buildFileHistory, differsFromLeft, stateAt } from "./file-history";
import type { SessionLog } from "../core/session-log";
import type { ProjectFiles, DiskState } from "@/server/workspace/files/project-files";

export interface RestoreRequest {
  readonly toSeq: number;
  /** Only these; absent = all. */
  readonly paths?: readonly string[];
  /** Files that differ from the state the session left and may still be overwritten, with their current hash. */
  readonly overwrite?: readonly { readonly path: string; readonly hash: Hash | null }[];
}

export interface RestoreResult {
  readonly seq: number;
  readonly failed: readonly RestoreFailure[];
}

interface RestoreParts {
  readonly store: Pick<Store, "fileLog" | "blobs">;
  readonly projectFiles: ProjectFiles;
}

/** A file that differs from its target state. */
interface DifferingFile {
  readonly history: PathHistory;
  readonly current: DiskState;
  readonly target: FileState;
  readonly content: FileContent;
}

/** One file of a plan: its current state and its target state. */
interface PlannedFile {
  readonly step: RestoreStep;
  readonly current: DiskState;
  readonly target: FileState;
}

/** Plans restoring the files, or only one, as of `toSeq`; at most `restoreFiles` of them. Throws StoreError. */
export async function planRestore(
  parts: RestoreParts,
  { sessionId }: Pick<SessionView, "sessionId">,
  toSeq: number,
  onlyPath?: string,
): Promise<RestorePlan> {
  const steps: RestoreStep[] = [];
  let beyond = 0;
  const toStep = makeStepPlanner(parts);
  for await (const file of findDiffering(parts, sessionId, {
    toSeq,
    ...(onlyPath === undefined ? {} : { paths: [onlyPath] }),
  })) {
    if (steps.length < limits.restoreFiles) steps.push(await toStep(file));
    else beyond += 1;
  }
  return { toSeq, steps, beyond };
}

async function* findDiffering(
  { store, projectFiles }: RestoreParts,
  sessionId: SessionView["sessionId"],
  { toSeq, paths }: RestoreRequest,
): AsyncGenerator<DifferingFile> {
  const wanted = paths === undefined ? null : new Set(paths);
  const histories = [...buildFileHistory(store.fileLog.read(sessionId)).values()].filter(
    ({ path }) => wanted === null || wanted.has(path),
  );
  for (const history of histories.sort((left, right) => (left.path < right.path ? -1 : 1))) {
    const target = stateAt(history, toSeq);
    if (target === undefined) continue;
    const current = await projectFiles.probe(history.path);
    const { content, hash } = readStoredState(target, store.blobs);
    const isSame = current.kind !== "other" && content !== "lost" && hash === diskHash(current);
    if (!isSame || !hasSameMode(target, current)) yield { history, current, target, content };
  }
}

function makeStepPlanner({ projectFiles }: RestoreParts): (file: DifferingFile) => Promise<RestoreStep> {
  const difference = createFileDiffer(projectFiles);
  return async ({ history, current, target, content }) => {
    const now = diskHash(current);
    const action = target.blob === null && target.mode === 0 ? "remove" : now === null ? "create" : "write";
    const { added, removed, hunks } = await runStepsInSlices(difference(diskContent(current), content), neverAborted);
    return {
      path: history.path,
      action,
      added,
      removed,
      hunks,
      conflict: current.kind === "other" || differsFromLeft(history, now),
      now,
      ...(content === "lost" ? { lost: "not_kept" } : {}),
    };
  };
}

async function* planFiles(
  parts: RestoreParts,
  sessionId: SessionView["sessionId"],
  request: RestoreRequest,
): AsyncGenerator<PlannedFile> {
  const toStep = makeStepPlanner(parts);
  let steps = 0;
  for await (const file of findDiffering(parts, sessionId, request)) {
    if (steps >= limits.restoreFiles) return;
    steps += 1;
    yield { step: await toStep(file), current: file.current, target: file.target };
  }
}

const diskHash = (current: DiskState): Hash | null => (current.kind === "file" ? current.hash : null);
const diskContent = (current: DiskState): FileContent =>
  current.kind === "nothing" ? null : current.kind === "file" ? (current.bytes ?? "lost") : "lost";
const hasSameMode = (target: FileState, current: DiskState): boolean =>
  current.kind !== "file" || (current.mode & permissionBits) === (target.mode & permissionBits);
/** Mode bits a restored file gets: no set-id bits. */
const permissionBits = 0o777;

/** Reason why a step cannot be executed, before anything is written; null = none. */
function findObstacle({ step, current }: PlannedFile, overwrite: ReadonlyMap<string, Hash | null>): ErrorCode | null {
  if (step.lost !== undefined) return "not_kept";
  if (current.kind === "other") return current.code;
  // Without its bytes it could not be brought back; removed files go to the trash.
  if (current.kind === "file" && current.bytes === null && step.action === "write") return "too_large";
  if (step.conflict && (!overwrite.has(step.path) || overwrite.get(step.path) !== step.now)) return "changed_meanwhile";
  return null;
}

/**
 * Plans again, commits one `restore` (after `back`, the rewind of the conversation) with the receipt, then writes. Each
 * file is checked again by its hash when it is written. Failures are reported per file. Throws StoreError with nothing
 * written.
 */
export async function restoreFiles(
  parts: RestoreParts & { readonly log: SessionLog },
  order: RestoreRequest,
  back: DurableEvent | null,
  commandId: CommandId,
): Promise<RestoreResult> {
  const { store, projectFiles, log } = parts;
  const overwrite = new Map(order.overwrite?.map(({ path, hash }) => [path, hash]));
  const failed: RestoreFailure[] = [];
  const files: (RestoredFile & { readonly now: Hash | null; readonly to: number })[] = [];
  for await (const plan of planFiles(parts, log.view().sessionId, order)) {
    const code = findObstacle(plan, overwrite);
    if (code !== null) {
      failed.push({ path: plan.step.path, code });
      continue;
    }
    const { step, current, target } = plan;
    const bytes = current.kind === "file" ? current.bytes : null;
    files.push({
      path: step.path,
      before: bytes === null ? null : store.blobs.put(bytes),
      after: target.blob,
      mode: current.kind === "file" ? current.mode : 0,
      added: step.added,
      removed: step.removed,
      now: step.now,
      to: target.mode,
    });
  }
  const events: DurableEvent[] = back === null ? [] : [back];
  if (files.length > 0)
    events.push({ type: "restore", toSeq: order.toSeq, files: files.map(({ now: _now, to: _to, ...file }) => file) });
  const receipt = (seq: number): { readonly commandId: CommandId; readonly result: Json } => ({
    commandId,
    result: { seq, failed: failed.map(({ path, code }) => ({ path, code })) },
  });
  const seq = log.commit(events, receipt);
  for (const { path, after, now, to } of files) {
    const code = await catchStoreError(() => restoreFile({ store, projectFiles }, { path, after, now, to }));
    if (code !== null) failed.push({ path, code });
  }
  return { seq, failed };
}

/** Error code of the work, also of a StoreError, so that the remaining files are still processed; null = success. */
async function catchStoreError(work: () => Promise<Result<unknown>>): Promise<ErrorCode | null> {
  try {
    const done = await work();
    return done.ok ? null : done.error.code;
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  }
}

async function restoreFile(
  { store, projectFiles }: RestoreParts,
  file: Pick<RestoredFile, "path" | "after"> & { readonly now: Hash | null; readonly to: number },
) {
  if (file.after === null) return file.now === null ? nothingToDo : projectFiles.remove(file.path, file.now);
  const bytes = store.blobs.get(file.after);
  if (bytes === undefined) return { ok: false, error: { code: "not_kept" } } as const;
  return projectFiles.write(file.path, bytes, file.now, file.to & permissionBits);
}

const nothingToDo = { ok: true, value: undefined } as const;
