/** One row of the bench's table: a figure, its reference value from the same run, its budget. */

export interface BenchRow {
  /** Identifies the row in the JSON. */
  readonly id: string;
  readonly what: string;
  /** "not measured: reason" when there is no figure. */
  readonly measured: string;
  readonly yardstick: string;
  readonly budget: string;
  /** Null = no reference, or not measured. */
  readonly met: boolean | null;
  /** All figures behind the row; the name ends with the unit. */
  readonly figures: Readonly<Record<string, number>>;
}

/** Makes the row of a suite, or of one figure, that could not be measured. */
export const unmeasuredRow = (id: string, label: string, reason: string): BenchRow => ({
  id,
  what: label,
  measured: `not measured: ${reason}`,
  yardstick: "-",
  budget: "-",
  met: null,
  figures: {},
});

/** Returns the value below which this share of the samples lies (nearest rank); NaN without samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
}

export const median = (samples: readonly number[]): number => {
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
};

/** Formats milliseconds, with one decimal below a hundred: "12.3 ms". */
export const formatMs = (value: number): string => `${value < 100 ? value.toFixed(1) : Math.round(value)} ms`;
export const formatMegabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;
export const formatKilobytes = (bytes: number): string => `${(bytes / 1_000).toFixed(1)} KB`;
export const formatRatio = (ratio: number): string => `${ratio.toFixed(2)} ×`;

const headings = ["what", "measured", "yardstick", "budget", ""] as const;

/** Formats the rows as a plain-text table. */
export function formatTable(rows: readonly BenchRow[]): string {
  const verdict = (row: BenchRow): string => (row.met === null ? "" : row.met ? "met" : "OVER");
  const cells = rows.map((row) => [row.what, row.measured, row.yardstick, row.budget, verdict(row)]);
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((line) => line[column]?.length ?? 0)),
  );
  const lineOf = (line: readonly string[]): string =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(" | ")
      .trimEnd();
  return [lineOf(headings), widths.map((width) => "-".repeat(width)).join("-|-"), ...cells.map(lineOf)].join("\n");
}
