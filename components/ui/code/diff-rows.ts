/** Converts hunks to table rows, unified or side by side. Pure. */
import type { Hunk, HunkLine } from "@/lib/text/diff";

export interface DiffRow {
  readonly hunk: number;
  readonly line: HunkLine;
  /** Line index on its side (old or new) of the hunk, for highlighting. */
  readonly at: number;
}

interface DiffPair {
  readonly left: DiffRow | null;
  readonly right: DiffRow | null;
}

/** Returns the text of one side of a hunk, as highlighter input. */
export const sideText = (hunk: Hunk, side: "old" | "new"): string =>
  hunk.lines.flatMap((line) => (line.kind === (side === "old" ? "add" : "remove") ? [] : [line.text])).join("\n");

export function toDiffRows(hunks: readonly Hunk[]): readonly DiffRow[] {
  return hunks.flatMap((hunk, index) => {
    let oldAt = 0;
    let newAt = 0;
    return hunk.lines.map((line): DiffRow => {
      const row = { hunk: index, line, at: line.kind === "remove" ? oldAt : newAt };
      if (line.kind !== "add") oldAt += 1;
      if (line.kind !== "remove") newAt += 1;
      return row;
    });
  });
}

/** Pairs removed lines with the added lines that follow; unchanged lines appear on both sides. */
export function pairDiffRows(rows: readonly DiffRow[]): readonly DiffPair[] {
  const pairs: DiffPair[] = [];
  let removed: DiffRow[] = [];
  let added: DiffRow[] = [];
  const flush = (): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      pairs.push({ left: removed[index] ?? null, right: added[index] ?? null });
    }
    removed = [];
    added = [];
  };
  for (const row of rows) {
    if (row.line.kind === "same" || row.hunk !== (removed[0] ?? added[0] ?? row).hunk) flush();
    if (row.line.kind === "remove" && added.length > 0) flush();
    if (row.line.kind === "same") pairs.push({ left: row, right: row });
    else if (row.line.kind === "remove") removed.push(row);
    else added.push(row);
  }
  flush();
  return pairs;
}
