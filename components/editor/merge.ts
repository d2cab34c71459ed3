/** The text that comes of two versions when each change is taken from one of them. Pure; used by the compare dialog. */
import type { Hunk } from "@/lib/text/diff";

export type Side = "mine" | "theirs";

/** `hunks` = the difference from `theirs` to mine; `sides` by index of the hunk, mine where none is given. */
export function mergedText(theirs: string, hunks: readonly Hunk[], sides: readonly (Side | undefined)[]): string {
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
