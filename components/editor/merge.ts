/** The text that comes of two versions when each change is taken from one of them. Pure; used by the compare dialog. */
import type { Hunk } from "@/lib/text/diff";

export type Side = "mine" | "theirs";

/**
 * A name for each hunk from its own text and the lines around it, for a choice that must not pass to another text when the hunks
 * change. Equal hunks are counted: with one more or one less of them, none keeps its name.
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
