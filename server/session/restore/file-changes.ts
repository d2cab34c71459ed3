/**
 * Computes what a session changed in files between two log positions, from its stored states: correct in a dirty tree
 * and with several sessions at once (invariant I6).
 */
import type { ChangedFile, ChangeSet } from "@/lib/workspace/changes";
import { ok, type Result } from "@/lib/events/error";
import type { BlobId } from "@/lib/events/id";
import { asId, type Hash } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { type FileContent, createFileDiffer } from "@/lib/text/file-difference";
import type { SessionView } from "@/lib/view/view";
import { runStepsInSlices } from "@/server/base/steps";
import { neverAborted } from "@/server/base/abort";
import type { BlobStore } from "@/server/store/files/blobs";
import {
  type FileState,
  buildFileHistory,
  differsFromLeft,
  isContentLost,
  isRestoredBeyond,
  type PathHistory,
  stateAt,
} from "./file-history";
import type { SessionServices } from "../core/services";
import type { ProjectFiles } from "@/server/workspace/files/project-files";

/**
 * `to` absent = as the session last left the files, without what restores to a state before `from` did. Fails when the
 * project is missing; throws StoreError.
 */
export async function sessionChanges(
  { store, projectFiles }: SessionServices,
  { sessionId, projectId }: Pick<SessionView, "sessionId" | "projectId">,
  from: number,
  to: number | undefined,
): Promise<Result<ChangeSet>> {
  const found = await projectFiles(projectId, sessionId);
  if (!found.ok) return found;
  const changed = [...buildFileHistory(store.fileLog.read(sessionId)).values()]
    .flatMap((history) => {
      const before = stateAt(history, from);
      const after = to === undefined ? undefined : stateAt(history, to);
      const isRestored = to === undefined && isRestoredBeyond(history, from);
      return before === undefined || before === after || isRestored ? [] : [{ history, before, after }];
    })
    .sort((left, right) => (left.history.path < right.history.path ? -1 : 1));
  const difference = createFileDiffer(found.value);
  const files: ChangedFile[] = [];
  let more = 0;
  for (const { history, before, after } of changed) {
    if (files.length >= serverLimits.changedFiles) {
      more += 1;
      continue;
    }
    const end =
      after === undefined
        ? await readCurrentState(history, found.value, store.blobs)
        : readStoredState(after, store.blobs);
    const start = readStoredState(before, store.blobs);
    const isSame = start.hash === end.hash && start.content !== "lost" && (end.mode ?? start.mode) === start.mode;
    // A file that was created and deleted in between is no change.
    if (isSame && !(to === undefined && end.foreign === true)) continue;
    files.push({
      path: history.path,
      kind: start.content === null ? "created" : end.content === null ? "deleted" : "changed",
      ...(await runStepsInSlices(difference(start.content, end.content), neverAborted)),
      ...(to === undefined && end.foreign === true ? { changedSince: true } : {}),
    });
  }
  return ok({ files, more });
}

interface EndState {
  readonly hash: Hash | null;
  readonly content: FileContent;
  /** Absent = unknown. */
  readonly mode?: number;
  /** The disk has other content. */
  readonly foreign?: boolean;
}

/** A stored state with its bytes. */
export function readStoredState(state: FileState, blobs: Pick<BlobStore, "get">): EndState {
  if (state.blob === null) return { hash: null, content: isContentLost(state) ? "lost" : null, mode: state.mode };
  return { hash: asId<Hash>(state.blob), content: blobs.get(state.blob) ?? "lost", mode: state.mode };
}

/** State the session left: from the disk if it is still there, otherwise from the stored blobs. */
async function readCurrentState(
  history: PathHistory,
  files: ProjectFiles,
  blobs: Pick<BlobStore, "get">,
): Promise<EndState> {
  const now = await files.probe(history.path);
  const { hash, isCertain } = history.leftState;
  if (now.kind === "other") return { hash, content: readStoredContent(hash, blobs), foreign: true };
  const onDisk = now.kind === "file" ? now.hash : null;
  const disk = { hash: onDisk, content: now.kind === "file" ? (now.bytes ?? "lost") : null } as const;
  const mode = now.kind === "file" ? { mode: now.mode } : {};
  if (!differsFromLeft(history, onDisk)) return { ...disk, ...mode };
  // After an interrupted call only the disk shows what it did.
  return isCertain
    ? { hash, content: readStoredContent(hash, blobs), foreign: true }
    : { ...disk, ...mode, foreign: true };
}

const readStoredContent = (hash: Hash | null, blobs: Pick<BlobStore, "get">): FileContent =>
  hash === null ? null : (blobs.get(asId<BlobId>(hash)) ?? "lost");
