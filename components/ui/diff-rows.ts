/** Converts hunks to table rows, unified or side by side. Pure. */
import type { Hunk, HunkLine } from "@/lib/text/diff";

export interface Row {
  readonly hunk: number;
  readonly line: HunkLine;
  /** Line index on its side (old or new) of the hunk, for highlighting. */
  readonly at: number;
}

export interface Pair {
  readonly left: Row | null;
  readonly right: Row | null;
}

/** Returns the text of one side of a hunk, as highlighter input. */
export const sideText = (hunk: Hunk, side: "old" | "new"): string =>
  hunk.lines.flatMap((line) => (line.kind === (side === "old" ? "add" : "remove") ? [] : [line.text])).join("\n");

export function rowsOf(hunks: readonly Hunk[]): readonly Row[] {
  return hunks.flatMap((hunk, index) => {
    let oldAt = 0;
    let newAt = 0;
    return hunk.lines.map((line): Row => {
      const row = { hunk: index, line, at: line.kind === "remove" ? oldAt : newAt };
      if (line.kind !== "add") oldAt += 1;
      if (line.kind !== "remove") newAt += 1;
      return row;
    });
  });
}

/** Pairs removed lines with the added lines that follow; unchanged lines appear on both sides. */
export function pairsOf(rows: readonly Row[]): readonly Pair[] {
  const pairs: Pair[] = [];
  let removed: Row[] = [];
  let added: Row[] = [];
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
