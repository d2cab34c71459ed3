/**
 * Converts the file changes found after a command for the log and its card: the previous state of every file, and diffs
 * up to a limit.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { BlobId, Hash } from "@/lib/id";
import { asId } from "@/lib/id";
import { limits } from "@/lib/settings";
import { type Content, makeDifferences } from "@/lib/text/file-difference";
import type { Change } from "@/lib/tool-kind";
import type { FilesFound } from "./agent/host";
import { finishInTurns } from "./base/steps";
import type { Store } from "./store/open-store";
import type { Found, FoundChange } from "./workspace/images";
import { decodeText } from "./workspace/text-encoding";

/** Never aborts: all changes are reported. */
const unaborted = new AbortController().signal;

/** Throws StoreError. */
export async function foundChanges(found: Found, blobs: Pick<Store["blobs"], "get">): Promise<FilesFound> {
  const difference = makeDifferences({ text: textOf }, limits.previewMaxLines);
  const changes: Change[] = [];
  for (const change of found.changes.slice(0, limits.restoreFiles)) {
    const { path, before, after } = change;
    // Without the previous content it would appear as a new file; it is counted instead.
    if (before !== null && before.blob === null) continue;
    const isCompared = changes.length < limits.changedFiles;
    const { added, removed, hunks } = isCompared
      ? await finishInTurns(difference(contentOf(before, blobs), contentOf(after, blobs)), unaborted)
      : { added: 0, removed: 0, hunks: undefined };
    changes.push({
      path,
      before: before?.blob ?? null,
      after: hashOfState(after),
      added,
      removed,
      ...(hunks === undefined ? {} : { hunks }),
    });
    await nextTurn();
  }
  return { befores: found.changes.map(beforeOf), changes: changes.filter(isTold(found)), notKept: found.notKept };
}

const hashOfState = (state: FoundChange["after"]): Hash | null =>
  state === null || state.blob === null ? null : asId<Hash>(state.blob);

const beforeOf = ({ path, before }: FoundChange): FilesFound["befores"][number] =>
  before === null ? { path, before: null, mode: 0 } : stateOf({ path, ...before });

/** State of an existing file. A mode without content means that the file existed but its content is not stored. */
export const stateOf = (file: {
  readonly path: string;
  readonly blob: BlobId | null;
  readonly mode: number;
}): FilesFound["befores"][number] => ({
  path: file.path,
  before: file.blob,
  mode: file.blob === null ? file.mode || hiddenMode : file.mode,
});

/** Mode of an unreadable file. */
const hiddenMode = 0o400;

/** Excludes files now too large to hash: reporting them without a hash would mean that they were deleted. */
function isTold(found: Found): (change: Change) => boolean {
  const large = new Set(
    found.changes.flatMap(({ path, after }) => (after !== null && after.blob === null ? [path] : [])),
  );
  return ({ path }) => !large.has(path);
}

function contentOf(state: { readonly blob: BlobId | null } | null, blobs: Pick<Store["blobs"], "get">): Content {
  if (state === null) return null;
  return state.blob === null ? "lost" : (blobs.get(state.blob) ?? "lost");
}

function textOf(bytes: Uint8Array): string | null {
  const decoded = decodeText(Buffer.from(bytes));
  return decoded.ok ? decoded.value.text : null;
}
