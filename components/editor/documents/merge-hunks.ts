/** Merges two versions, taking each hunk from one of them. Pure. */
import type { Hunk } from "@/lib/text/diff";

export type MergeSide = "mine" | "theirs";

/**
 * Returns a key per hunk from its text and context, so that a choice never passes to another text when the hunks
 * change. Equal hunks are numbered with their count, so that adding or removing one changes the keys of all of them.
 */
export function hunkKeys(hunks: readonly Hunk[]): readonly string[] {
  const texts = hunks.map(({ lines }) =>
    JSON.stringify(lines.map(({ kind, text, noNewline }) => [kind, text, noNewline])),
  );
  const seen = new Map<string, number>();
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return texts.map((text) => {
    const nth = (seen.get(text) ?? 0) + 1;
    seen.set(text, nth);
    return `${nth}/${counts.get(text) ?? 1} ${text}`;
  });
}

/** Builds the merged text. `hunks` = diff from `theirs` to mine; `sides` by hunk index, default mine. */
export function mergeHunks(theirs: string, hunks: readonly Hunk[], sides: readonly (MergeSide | undefined)[]): string {
  const lines = theirs.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const parts: string[] = [];
  let at = 0;
  for (const [index, hunk] of hunks.entries()) {
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    const leftOut = sides[index] === "theirs" ? "add" : "remove";
    parts.push(lines.slice(at, start).join(""));
    for (const line of hunk.lines)
      if (line.kind !== leftOut) parts.push(line.noNewline === true ? line.text : `${line.text}\n`);
    at = start + hunk.oldLines;
  }
  parts.push(lines.slice(at).join(""));
  return parts.join("");
}
