/** Differences of files for change lists: counts, and hunks up to a total number of lines. */
import type { ChangedFile } from "../workspace/changes";
import { limits } from "../settings/settings";
import type { Steps } from "../async/steps";
import { diffLinesSteps } from "./diff";

/** Maximum diff lines of a change list. */
const changesMaxLines = 20_000;

/** null = the file does not exist; "lost" = it existed, but its content was not stored. */
export type FileContent = Uint8Array | null | "lost";

type FileDifference = Pick<ChangedFile, "added" | "removed" | "hunks" | "why">;

/** Files with a larger average size are not compared. */
const maxComparedBytes = limits.writeMaxBytes;

/** Creates a comparison with a shared budget of `maxLines` hunk lines. `text` decodes bytes; null = binary. */
export function createFileDiffer(
  { text }: { text(bytes: Uint8Array): string | null },
  maxLines: number = changesMaxLines,
): (before: FileContent, after: FileContent) => Steps<FileDifference> {
  let left = maxLines;
  return function* (before, after) {
    if (before === "lost" || after === "lost") return { added: 0, removed: 0, why: "not_kept" };
    if ((before?.length ?? 0) + (after?.length ?? 0) > 2 * maxComparedBytes)
      return { added: 0, removed: 0, why: "too_large" };
    const old = before === null ? "" : text(before);
    const now = after === null ? "" : text(after);
    if (old === null || now === null) return { added: 0, removed: 0, why: "binary" };
    const { added, removed, hunks } = yield* diffLinesSteps(old, now, {
      maxLines: Math.min(left, limits.previewMaxLines),
    });
    if (hunks === null) return { added, removed, why: "too_large" };
    left -= hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
    return { added, removed, hunks };
  };
}
