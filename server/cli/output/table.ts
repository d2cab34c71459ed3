/** Formats a table for the terminal, with columns that are aligned by the width that characters have there. */
import { cellWidth } from "@/lib/text/cell-width";
import { printable } from "../arguments/options";
import { textColumns } from "@/lib/text/wrap-text";

const gap = "  ";
/** A column is not cut below this width, columns of the terminal. */
const minColumnWidth = 12;

/**
 * Returns the lines of a table with a head. If they are wider than `width`, the widest columns are cut, and the last ones left
 * out, but never the first: that names the row in other commands. `null` = any width.
 */
export function textTable(rows: readonly (readonly string[])[], width: number | null): readonly string[] {
  const cells = rows.map((row) => row.map(printable));
  const full = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => textColumns(row[column] ?? ""))));
  const widths = fitWidths(full, width ?? Number.POSITIVE_INFINITY);
  return cells.map((row) =>
    widths
      .map((each, column) => fillCell(row[column] ?? "", each))
      .join(gap)
      .trimEnd(),
  );
}

/** Returns the widths of the columns that are shown. */
function fitWidths(full: readonly number[], width: number): readonly number[] {
  const [first = 0, ...others] = full;
  const least = others.map((each) => Math.min(each, minColumnWidth));
  while (others.length > 1 && lineWidth([first, ...least]) > width) {
    others.pop();
    least.pop();
  }
  for (let excess = lineWidth([first, ...others]) - width; excess > 0; excess -= 1) {
    const widest = Math.max(...others);
    if (widest <= minColumnWidth) break;
    others[others.lastIndexOf(widest)] = widest - 1;
  }
  return [first, ...others];
}

const lineWidth = (widths: readonly number[]): number =>
  widths.reduce((sum, each) => sum + each + gap.length, -gap.length);

/** The text, cut or filled to this width. */
function fillCell(text: string, width: number): string {
  if (textColumns(text) <= width) return text + " ".repeat(width - textColumns(text));
  let cut = "";
  let used = 0;
  for (const char of text) {
    if (used + cellWidth(char) > width - 1) break;
    cut += char;
    used += cellWidth(char);
  }
  return `${cut}…${" ".repeat(width - 1 - used)}`;
}
