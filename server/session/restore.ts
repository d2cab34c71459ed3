/**
 * Restores files to a position of the log: the plan, and its execution. The intent and the current states are in the
 * log before the first file is written, so a restore can be undone by a restore.
 */
import type { RestoreFailure, RestorePlan, RestoreStep } from "@/lib/changes";
import type { Json } from "@/lib/content";
import type { ErrorCode, Result } from "@/lib/error";
import type { DurableEvent, RestoredFile } from "@/lib/event";
import type { CommandId, Hash } from "@/lib/id";
import { limits } from "@/lib/settings";
import { type Content, makeDifferences } from "@/lib/text/file-difference";
import type { SessionView } from "@/lib/view";
import { finishInTurns } from "../base/steps";
import type { Store } from "../store/open-store";
import { StoreError } from "../store/store-error";
import { kept } from "./file-changes";
import { type FileState, fileHistory, isForeign, stateAt } from "./file-history";
import type { Log } from "./log";
import type { ProjectHands, Standing } from "./services";

export interface RestoreOrder {
  readonly toSeq: number;
  /** Only these; absent = all. */
  readonly paths?: readonly string[];
  /** Files that differ from the state the session left and may still be overwritten, with their current hash. */
  readonly overwrite?: readonly { readonly path: string; readonly hash: Hash | null }[];
}

export interface Restored {
  readonly seq: number;
  readonly failed: readonly RestoreFailure[];
}

interface RestoreParts {
  readonly store: Pick<Store, "fileLog" | "blobs">;
  readonly hands: ProjectHands;
}

/** One file of a plan: its current state and its target state. */
interface Planned {
  readonly step: RestoreStep;
  readonly current: Standing;
  readonly target: FileState;
}

/** Plans restoring the files as of `toSeq`; at most `restoreFiles` of them. Throws StoreError. */
export async function planRestore(
  parts: RestoreParts,
  { sessionId }: Pick<SessionView, "sessionId">,
  toSeq: number,
): Promise<RestorePlan> {
  const steps: RestoreStep[] = [];
  for await (const { step } of planned(parts, sessionId, { toSeq })) steps.push(step);
  return { toSeq, steps };
}

/** A restore always runs to its end. */
const unaborted = new AbortController().signal;

async function* planned(
  { store, hands }: RestoreParts,
  sessionId: SessionView["sessionId"],
  { toSeq, paths }: RestoreOrder,
): AsyncGenerator<Planned> {
  const wanted = paths === undefined ? null : new Set(paths);
  const difference = makeDifferences(hands);
  const histories = [...fileHistory(store.fileLog.read(sessionId)).values()].filter(
    ({ path }) => wanted === null || wanted.has(path),
  );
  let steps = 0;
  for (const history of histories.sort((left, right) => (left.path < right.path ? -1 : 1))) {
    const target = stateAt(history, toSeq);
    if (target === undefined) continue;
    const current = await hands.look(history.path);
    const now = hashOf(current);
    const end = kept(target, store.blobs);
    if (current.kind !== "other" && end.content !== "lost" && end.hash === now && sameMode(target, current)) continue;
    if (steps >= limits.restoreFiles) return;
    steps += 1;
    const action = target.blob === null && target.mode === 0 ? "remove" : now === null ? "create" : "write";
    const { added, removed, hunks } = await finishInTurns(difference(contentOf(current), end.content), unaborted);
    const step: RestoreStep = {
      path: history.path,
      action,
      added,
      removed,
      ...(hunks === undefined ? {} : { hunks }),
      conflict: current.kind === "other" || isForeign(history, now),
      now,
      ...(end.content === "lost" ? { lost: "not_kept" } : {}),
    };
    yield { step, current, target };
  }
}

const hashOf = (current: Standing): Hash | null => (current.kind === "file" ? current.hash : null);
const contentOf = (current: Standing): Content =>
  current.kind === "nothing" ? null : current.kind === "file" ? (current.bytes ?? "lost") : "lost";
const sameMode = (target: FileState, current: Standing): boolean =>
  current.kind !== "file" || (current.mode & permissionBits) === (target.mode & permissionBits);
/** Mode bits a restored file gets: no set-id bits. */
const permissionBits = 0o777;

/** Reason why a step cannot be executed, before anything is written; null = none. */
function obstacle({ step, current }: Planned, overwrite: ReadonlyMap<string, Hash | null>): ErrorCode | null {
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
  parts: RestoreParts & { readonly log: Log },
  order: RestoreOrder,
  back: DurableEvent | null,
  commandId: CommandId,
): Promise<Restored> {
  const { store, hands, log } = parts;
  const overwrite = new Map(order.overwrite?.map(({ path, hash }) => [path, hash]));
  const failed: RestoreFailure[] = [];
  const files: (RestoredFile & { readonly now: Hash | null; readonly to: number })[] = [];
  for await (const plan of planned(parts, log.view().sessionId, order)) {
    const code = obstacle(plan, overwrite);
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
    const code = await trouble(() => putBack({ store, hands }, { path, after, now, to }));
    if (code !== null) failed.push({ path, code });
  }
  return { seq, failed };
}

/** Error code of the work, also of a StoreError, so that the remaining files are still processed; null = success. */
async function trouble(work: () => Promise<Result<unknown>>): Promise<ErrorCode | null> {
  try {
    const done = await work();
    return done.ok ? null : done.error.code;
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  }
}

async function putBack(
  { store, hands }: RestoreParts,
  file: Pick<RestoredFile, "path" | "after"> & { readonly now: Hash | null; readonly to: number },
) {
  if (file.after === null) return file.now === null ? noWork : hands.remove(file.path, file.now);
  const bytes = store.blobs.get(file.after);
  if (bytes === undefined) return { ok: false, error: { code: "not_kept" } } as const;
  return hands.write(file.path, bytes, file.now, file.to & permissionBits);
}

const noWork = { ok: true, value: undefined } as const;
