/** Prints rows: as a table, or as lines of JSON. */
import { textTable } from "./table";

/** The text of a row's cell in each column, by the title of the column. */
type TableColumns<Row> = Readonly<Record<string, (row: Row) => string>>;

/** Prints one object per line with `json`, otherwise a table that fits the terminal, or `empty` if there are no rows. */
export function printRows<Row>(
  rows: readonly Row[],
  columns: TableColumns<Row>,
  { json, empty }: { readonly json: boolean; readonly empty: string },
): void {
  const table = [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((cellOf) => cellOf(row)))];
  if (json) printLines(rows.map((row) => JSON.stringify(row)));
  else if (rows.length === 0) process.stderr.write(`gopi-web: ${empty}\n`);
  else printLines(textTable(table, process.stdout.isTTY ? process.stdout.columns : null));
}

export const printLines = (lines: readonly string[]): void =>
  void process.stdout.write(lines.map((line) => `${line}\n`).join(""));
