/** Formats a table for the terminal, with columns that are aligned by the width that characters have there. */
import { cellWidth } from "@/lib/text/cell-width";
import { printable } from "../arguments/options";

const gap = "  ";
/** A column is not cut below this width, columns of the terminal. */
const minColumnWidth = 6;

/**
 * Returns the lines of a table with a head. If they are wider than `width`, the widest columns are cut, except the first:
 * that names the row in other commands. `null` = any width.
 */
export function textTable(rows: readonly (readonly string[])[], width: number | null): readonly string[] {
  const cells = rows.map((row) => row.map(printable));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => textWidth(row[column] ?? ""))));
  fitWidths(widths, width ?? Number.POSITIVE_INFINITY);
  return cells.map((row) =>
    row
      .map((cell, column) => fillCell(cell, widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  );
}

/** Narrows the widest columns until a line has at most this width, or none can be narrower. */
function fitWidths(widths: number[], width: number): void {
  let excess = widths.reduce((sum, each) => sum + each + gap.length, -gap.length) - width;
  for (; excess > 0; excess -= 1) {
    const widest = Math.max(...widths.slice(1));
    if (widest <= minColumnWidth) return;
    widths[widths.lastIndexOf(widest)] = widest - 1;
  }
}

const textWidth = (text: string): number => [...text].reduce((sum, char) => sum + cellWidth(char), 0);

/** The text, cut or filled to this width. */
function fillCell(text: string, width: number): string {
  if (textWidth(text) <= width) return text + " ".repeat(width - textWidth(text));
  let cut = "";
  let used = 0;
  for (const char of text) {
    if (used + cellWidth(char) > width - 1) break;
    cut += char;
    used += cellWidth(char);
  }
  return `${cut}…${" ".repeat(width - 1 - used)}`;
}
