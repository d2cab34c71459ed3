/** The difference of two states of a file as lists show it: counts, and hunks while there is room for them. Used by whoever makes such a list. */
import type { ChangedFile } from "../changes";
import { limits } from "../settings";
import type { Steps } from "../steps";
import { diffLinesSteps } from "./diff";

/** null = nothing stood there; "lost" = something did whose bytes are not to be had. */
export type Content = Uint8Array | null | "lost";

export type Difference = Pick<ChangedFile, "added" | "removed" | "hunks" | "why">;

/** Larger texts take too long to compare. */
const comparedBytes = limits.writeMaxBytes;

/** Hands out the lines that one list may show. `text` of bytes; null = they are no text. */
export function makeDifferences(
  { text }: { text(bytes: Uint8Array): string | null },
  maxLines: number = limits.changesMaxLines,
): (before: Content, after: Content) => Steps<Difference> {
  let left = maxLines;
  return function* (before, after) {
    if (before === "lost" || after === "lost") return { added: 0, removed: 0, why: "not_kept" };
    if ((before?.length ?? 0) + (after?.length ?? 0) > 2 * comparedBytes)
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
