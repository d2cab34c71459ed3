"use client";
/** Table with a bar per row for comparison: models by tokens, tools by calls. */
import { type ReactNode, useId } from "react";

interface ShareRow {
  readonly name: string;
  /** Length of the bar, relative to the largest weight. */
  readonly weight: number;
  /** One cell for each further column. */
  readonly cells: readonly ReactNode[];
}

interface ShareTableProps {
  readonly title: string;
  readonly first: string;
  readonly heads: readonly string[];
  readonly rows: readonly ShareRow[];
}

export function ShareTable({ title, first, heads, rows }: ShareTableProps) {
  const titleId = useId();
  const most = Math.max(1, ...rows.map((row) => row.weight));
  return (
    <section aria-labelledby={titleId} className="mb-8">
      <h2 id={titleId} className="mb-2 font-medium">
        {title}
      </h2>
      <div
        role="region"
        aria-labelledby={titleId}
        tabIndex={0}
        className="overflow-x-auto rounded-card border border-line bg-raised"
      >
        <table className="w-full tabular-nums">
          <thead className="text-small text-ink-muted">
            <tr>
              <th scope="col" className="px-3 py-2 text-left font-medium">
                {first}
              </th>
              {heads.map((head) => (
                <th key={head} scope="col" className="px-3 py-2 text-right font-medium whitespace-nowrap">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name} className="border-t border-line">
                <th scope="row" className="w-full min-w-36 px-3 py-2 text-left font-normal">
                  <span className="block [overflow-wrap:anywhere]">{row.name}</span>
                  <span aria-hidden="true" className="mt-1 block h-1 rounded-full bg-ink/6">
                    <span
                      className="block h-full min-w-1 rounded-full bg-accent"
                      style={{ width: `${(row.weight / most) * 100}%` }}
                    />
                  </span>
                </th>
                {row.cells.map((cell, index) => (
                  <td key={heads[index]} className="px-3 py-2 text-right whitespace-nowrap">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
