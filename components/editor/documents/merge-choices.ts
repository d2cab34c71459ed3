/** The conflicts of a merge as the user decides them: keys and hunks to show. Pure. */
import { diffLines, type Hunk } from "@/lib/text/diff";
import type { MergePart } from "@/lib/text/merge-texts";

interface MergeConflict {
  /**
   * Made of the texts and the lines around, so that a choice never passes to another text when the file changes again.
   * Equal conflicts are numbered with their count: adding or removing one changes the keys of all of them.
   */
  readonly key: string;
  /** From the version on disk to the editor's, with the lines around; numbers are lines of the version on disk and of the merge. */
  readonly hunks: readonly Hunk[];
}

const contextLines = 3;

export function listMergeConflicts(parts: readonly MergePart[]): readonly MergeConflict[] {
  const counts = new Map<string, number>();
  let line = 0;
  const found = parts.flatMap((part, index) => {
    const from = line;
    line += countLines(part.kind === "text" ? part.text : part.theirs);
    if (part.kind === "text") return [];
    const above = contextOf(parts[index - 1], "above");
    const below = contextOf(parts[index + 1], "below");
    const text = JSON.stringify([above, part.mine, part.theirs, below]);
    const nth = (counts.get(text) ?? 0) + 1;
    counts.set(text, nth);
    const start = from - countLines(above);
    const { hunks } = diffLines(above + part.theirs + below, above + part.mine + below);
    return [{ text, nth, hunks: (hunks ?? []).map((hunk) => shiftHunk(hunk, start)) }];
  });
  return found.map(({ text, nth, hunks }) => ({ key: `${nth}/${counts.get(text) ?? 1} ${text}`, hunks }));
}

const countLines = (text: string): number => text.match(/[^\n]*\n|[^\n]+/g)?.length ?? 0;

/** The lines before or after a conflict, up to the next one. */
function contextOf(part: MergePart | undefined, side: "above" | "below"): string {
  if (part?.kind !== "text") return "";
  const lines = part.text.match(/[^\n]*\n|[^\n]+/g) ?? [];
  return (side === "above" ? lines.slice(-contextLines) : lines.slice(0, contextLines)).join("");
}

const shiftHunk = (hunk: Hunk, by: number): Hunk => ({
  ...hunk,
  oldStart: hunk.oldStart + by,
  newStart: hunk.newStart + by,
  lines: hunk.lines.map((line) => ({
    ...line,
    ...(line.oldLine === undefined ? {} : { oldLine: line.oldLine + by }),
    ...(line.newLine === undefined ? {} : { newLine: line.newLine + by }),
  })),
});
