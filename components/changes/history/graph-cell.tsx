/** The part of the commit graph in one row. */
import type { GraphRow } from "@/lib/workspace/commit-graph";

/** Distance of two lanes, px. */
export const lanePx = 12;
/** Lanes that are drawn; lines of further ones are left out. */
export const shownLanes = 8;

const colours = ["var(--accent)", "var(--ask-edge)", "var(--danger)", "var(--ink-muted)"] as const;
const colourOf = (lane: number): string => colours[lane % colours.length] ?? colours[0];
const centreOf = (lane: number): number => lane * lanePx + lanePx / 2;

interface GraphCellProps {
  readonly row: GraphRow;
  /** Height of the row, px. */
  readonly height: number;
  readonly isMerge: boolean;
}

export function GraphCell({ row, height, isMerge }: GraphCellProps) {
  const middle = height / 2;
  const lanes = Math.min(row.lanes, shownLanes);
  return (
    <svg aria-hidden width={lanes * lanePx} height={height} className="shrink-0">
      {row.lines.map(({ half, from, to }) => {
        const [top, end] = half === "above" ? [0, middle] : [middle, height];
        const bend = (top + end) / 2;
        return (
          <path
            key={`${half} ${from} ${to}`}
            d={`M${centreOf(from)} ${top}C${centreOf(from)} ${bend} ${centreOf(to)} ${bend} ${centreOf(to)} ${end}`}
            fill="none"
            stroke={colourOf(half === "above" ? from : to)}
            strokeWidth={2}
          />
        );
      })}
      <circle
        cx={centreOf(row.lane)}
        cy={middle}
        r={isMerge ? 3 : 4}
        fill={isMerge ? "var(--surface)" : colourOf(row.lane)}
        stroke={colourOf(row.lane)}
        strokeWidth={2}
      />
    </svg>
  );
}
