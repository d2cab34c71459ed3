/**
 * Computes what a session changed in files between two log positions, from its stored states: correct in a dirty tree
 * and with several sessions at once.
 */
import type { ChangedFile, ChangeSet } from "@/lib/changes";
import { ok, type Result } from "@/lib/error";
import type { BlobId } from "@/lib/id";
import { asId, type Hash } from "@/lib/id";
import { limits } from "@/lib/settings";
import { type Content, makeDifferences } from "@/lib/text/file-difference";
import type { SessionView } from "@/lib/view";
import { finishInTurns } from "../base/steps";
import type { BlobStore } from "../store/blobs";
import { type FileState, fileHistory, isForeign, isLost, type PathHistory, stateAt } from "./file-history";
import type { ProjectHands, SessionServices } from "./services";

/** The list is always computed to its end. */
const unaborted = new AbortController().signal;

/** `to` absent = as the session last left the files. Fails when the project is missing; throws StoreError. */
export async function sessionChanges(
  { store, hands }: Pick<SessionServices, "store" | "hands">,
  { sessionId, projectId }: Pick<SessionView, "sessionId" | "projectId">,
  from: number,
  to: number | undefined,
): Promise<Result<ChangeSet>> {
  const found = await hands(projectId, sessionId);
  if (!found.ok) return found;
  const changed = [...fileHistory(store.fileLog.read(sessionId)).values()]
    .flatMap((history) => {
      const before = stateAt(history, from);
      const after = to === undefined ? undefined : stateAt(history, to);
      return before === undefined || before === after ? [] : [{ history, before, after }];
    })
    .sort((left, right) => (left.history.path < right.history.path ? -1 : 1));
  const difference = makeDifferences(found.value);
  const files: ChangedFile[] = [];
  let more = 0;
  for (const { history, before, after } of changed) {
    if (files.length >= limits.changedFiles) {
      more += 1;
      continue;
    }
    const end = after === undefined ? await asLeft(history, found.value, store.blobs) : kept(after, store.blobs);
    const start = kept(before, store.blobs);
    const isSame = start.hash === end.hash && start.content !== "lost" && (end.mode ?? start.mode) === start.mode;
    // A file that was created and deleted in between is no change.
    if (isSame && !(to === undefined && end.foreign === true)) continue;
    files.push({
      path: history.path,
      kind: start.content === null ? "created" : end.content === null ? "deleted" : "changed",
      ...(await finishInTurns(difference(start.content, end.content), unaborted)),
      ...(to === undefined && end.foreign === true ? { changedSince: true } : {}),
    });
  }
  return ok({ files, more });
}

interface End {
  readonly hash: Hash | null;
  readonly content: Content;
  /** Absent = unknown. */
  readonly mode?: number;
  /** The disk has other content. */
  readonly foreign?: boolean;
}

/** A stored state with its bytes. */
export function kept(state: FileState, blobs: Pick<BlobStore, "get">): End {
  if (state.blob === null) return { hash: null, content: isLost(state) ? "lost" : null, mode: state.mode };
  return { hash: asId<Hash>(state.blob), content: blobs.get(state.blob) ?? "lost", mode: state.mode };
}

/** State the session left: from the disk if it is still there, otherwise from the stored blobs. */
async function asLeft(history: PathHistory, hands: ProjectHands, blobs: Pick<BlobStore, "get">): Promise<End> {
  const now = await hands.look(history.path);
  const { hash, isCertain } = history.left;
  if (now.kind === "other") return { hash, content: contentOf(hash, blobs), foreign: true };
  const onDisk = now.kind === "file" ? now.hash : null;
  const disk = { hash: onDisk, content: now.kind === "file" ? (now.bytes ?? "lost") : null } as const;
  const mode = now.kind === "file" ? { mode: now.mode } : {};
  if (!isForeign(history, onDisk)) return { ...disk, ...mode };
  // After an interrupted call only the disk shows what it did.
  return isCertain ? { hash, content: contentOf(hash, blobs), foreign: true } : { ...disk, ...mode, foreign: true };
}

const contentOf = (hash: Hash | null, blobs: Pick<BlobStore, "get">): Content =>
  hash === null ? null : (blobs.get(asId<BlobId>(hash)) ?? "lost");
