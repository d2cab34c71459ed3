/** Texts in the rows of a terminal, and the cells they take. Pure. */
import type { IBuffer, IBufferLine } from "@xterm/xterm";

/** A match as cells, counted over all rows: row × columns + column. */
export interface CellRange {
  readonly from: number;
  /** After the last cell. */
  readonly to: number;
}

/** Text of a row, and the column (1-based) of each UTF-16 unit: characters may be two columns wide. */
export function readRow(line: IBufferLine): { readonly text: string; readonly columns: readonly number[] } {
  let text = "";
  const columns: number[] = [];
  for (let x = 0; x < line.length; x += 1) {
    const cell = line.getCell(x);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const chars = cell.getChars() || " ";
    text += chars;
    for (let unit = 0; unit < chars.length; unit += 1) columns.push(x + 1);
  }
  return { text, columns };
}

/**
 * Returns the matches of the expression in every line, from the top. A line that wraps is searched as a whole. Of more than
 * `max` matches these are the last ones, up to all of a line more. Empty matches are left out.
 */
export function findCellRanges(buffer: IBuffer, columns: number, pattern: RegExp, max: number): readonly CellRange[] {
  const lines: (readonly CellRange[])[] = [];
  let total = 0;
  for (let row = buffer.length - 1; row >= 0 && total <= max; row -= 1) {
    if (row > 0 && buffer.getLine(row)?.isWrapped === true) continue;
    const rows = readWrappedRows(buffer, row);
    const matches = [...rows.join("").matchAll(pattern)].filter(([text]) => text !== "");
    if (matches.length === 0) continue;
    const cellOf = mapCells(buffer, columns, row, rows);
    const ranges = matches.map(({ index, 0: text }) => ({
      from: cellOf(index).from,
      to: cellOf(index + text.length - 1).to,
    }));
    lines.push(ranges);
    total += ranges.length;
  }
  return lines.reverse().flat();
}

/** Texts of the rows of the line that starts at `row`. */
function readWrappedRows(buffer: IBuffer, row: number): readonly string[] {
  const texts: string[] = [];
  for (let line = buffer.getLine(row); line !== undefined; ) {
    const next = buffer.getLine(row + texts.length + 1);
    const wraps = next?.isWrapped === true;
    const text = line.translateToString(!wraps);
    // A wide character that does not fit into the last column leaves it empty.
    const isPadded = wraps && next.getCell(0)?.getWidth() === 2 && line.getCell(line.length - 1)?.getChars() === "";
    const isPaddingCell = isPadded && line.getCell(line.length - 1)?.getWidth() === 1;
    texts.push(isPaddingCell ? text.slice(0, -1) : text);
    line = wraps ? next : undefined;
  }
  return texts;
}

/** Returns the cells of a UTF-16 unit of the line that starts at `row`. */
function mapCells(buffer: IBuffer, columns: number, row: number, rows: readonly string[]) {
  const cells: CellRange[] = [];
  for (const [index, text] of rows.entries()) {
    const line = buffer.getLine(row + index);
    const starts = line === undefined ? [] : readRow(line).columns;
    for (const column of starts.slice(0, text.length)) {
      const from = (row + index) * columns + column - 1;
      cells.push({ from, to: from + (line?.getCell(column - 1)?.getWidth() ?? 1) });
    }
  }
  return (unit: number): CellRange => cells[unit] ?? { from: 0, to: 0 };
}

/**
 * Returns the index of the match to select; -1 = there is none. A new query keeps the match at the start of the selection,
 * so it grows while the user types.
 */
export function chooseMatch(
  matches: readonly CellRange[],
  selected: CellRange | null,
  direction: "next" | "previous",
  isNewQuery: boolean,
): number {
  const last = matches.length - 1;
  if (selected === null) return direction === "next" ? Math.min(0, last) : last;
  const { from } = selected;
  const index =
    direction === "next"
      ? matches.findIndex((match) => match.from > from || (isNewQuery && match.from === from))
      : matches.findLastIndex((match) => match.from < from || (isNewQuery && match.from === from));
  if (index !== -1) return index;
  return direction === "next" ? Math.min(0, last) : last;
}
