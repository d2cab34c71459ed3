/**
 * Converts the file changes found after a command for the log and its card: the previous state of every file, and diffs
 * up to a limit.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { BlobId, Hash } from "@/lib/events/id";
import { asId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { limits } from "@/lib/settings/settings";
import { type FileContent, createFileDiffer } from "@/lib/text/file-difference";
import type { CallFileChange, UndoGap } from "@/lib/events/tool-kind";

import { runStepsInSlices } from "@/server/base/steps";
import { neverAborted } from "@/server/base/abort";
import type { Store } from "@/server/store/open-store";
import type { DetectedChanges, DetectedChange } from "./file-snapshots";
import { decodeTextOrNull } from "../encoding/text-encoding";

/** State of a file before a change, in the shape of file_change; `before` null = it did not exist. */
export interface PreviousState {
  readonly path: string;
  readonly before: BlobId | null;
  readonly mode: number;
}

/** File changes detected after a call. */
export interface DetectedFileChanges {
  /** State before the change, in the shape of file_change. */
  readonly befores: readonly PreviousState[];
  readonly changes: readonly CallFileChange[];
  /** Number of files that changed, or may have, without a stored state before. */
  readonly notKept: number;
  /** Why there may be changes that were not found. */
  readonly gap: UndoGap | null;
  /** Changed folders whose files are never stored. */
  readonly skipped: readonly string[];
}

/** Throws StoreError. */
export async function toFilesFound(
  found: DetectedChanges,
  blobs: Pick<Store["blobs"], "get">,
): Promise<DetectedFileChanges> {
  const difference = createFileDiffer({ text: decodeTextOrNull }, limits.previewMaxLines);
  const changes: CallFileChange[] = [];
  for (const change of found.changes) {
    const { path, before, after } = change;
    // Without the previous content it would appear as a new file; it is counted instead.
    if (before !== null && before.blob === null) continue;
    const isCompared = changes.length < serverLimits.changedFiles;
    const { added, removed, hunks } = isCompared
      ? await runStepsInSlices(
          difference(readSnapshotContent(before, blobs), readSnapshotContent(after, blobs)),
          neverAborted,
        )
      : { added: 0, removed: 0, hunks: undefined };
    changes.push({
      path,
      before: before?.blob ?? null,
      after: stateHash(after),
      added,
      removed,
      hunks,
    });
    await nextTurn();
  }
  return {
    befores: found.changes.map(previousStateOf),
    changes: changes.filter(isReportable(found)),
    notKept: found.notKept,
    gap: found.gap,
    skipped: found.skipped ?? [],
  };
}

const stateHash = (state: DetectedChange["after"]): Hash | null =>
  state === null || state.blob === null ? null : asId<Hash>(state.blob);

const previousStateOf = ({ path, before }: DetectedChange): PreviousState =>
  before === null ? { path, before: null, mode: 0 } : toPreviousState({ path, ...before });

/** State of an existing file. A mode without content means that the file existed but its content is not stored. */
export const toPreviousState = (file: {
  readonly path: string;
  readonly blob: BlobId | null;
  readonly mode: number;
}): PreviousState => ({
  path: file.path,
  before: file.blob,
  mode: file.blob === null ? file.mode || hiddenMode : file.mode,
});

/** Mode of an unreadable file. */
const hiddenMode = 0o400;

/** Excludes files now too large to hash: reporting them without a hash would mean that they were deleted. */
function isReportable(found: DetectedChanges): (change: CallFileChange) => boolean {
  const large = new Set(
    found.changes.flatMap(({ path, after }) => (after !== null && after.blob === null ? [path] : [])),
  );
  return ({ path }) => !large.has(path);
}

function readSnapshotContent(
  state: { readonly blob: BlobId | null } | null,
  blobs: Pick<Store["blobs"], "get">,
): FileContent {
  if (state === null) return null;
  return state.blob === null ? "lost" : (blobs.get(state.blob) ?? "lost");
}
