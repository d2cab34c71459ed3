"use client";
/**
 * Stacked bar chart over time as SVG. The pointer, a touch or the arrow keys select a column; the legend shows its
 * exact values.
 */
import { type KeyboardEvent, type PointerEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { classes } from "../../ui/theme/classes";
import { useFullMessages } from "../../messages/full-messages";
import { labelledColumns, axisTicks } from "./statistics-columns";

/** Fill pattern of a series; adjacent series differ by more than colour. */
type PlotFill = "solid" | "light" | "grey" | "hatched";

export interface PlotPart {
  readonly id: string;
  readonly name: string;
  readonly fill: PlotFill;
}

export interface PlotColumn {
  readonly key: string;
  /** Label below the axis, and its long form. */
  readonly name: string;
  readonly fullName: string;
  /** Values in the order of the parts, from the bottom up. */
  readonly values: readonly number[];
}

interface PlotProps {
  readonly title: string;
  /** Legend caption while no column is selected. */
  readonly whole: string;
  readonly parts: readonly PlotPart[];
  readonly columns: readonly PlotColumn[];
  readonly format: (value: number) => string;
  /** Candidate axis steps. */
  readonly bases: readonly number[];
}

const heightPx = 176;
const topPx = 8;
const footPx = 22;
const leftPx = 52;
const labelMinPx = 64;
const barMaxPx = 28;
/** Thinner bars have no outline. */
const outlineMinPx = 4;

export function Plot({ title, whole, parts, columns, format, bases }: PlotProps) {
  const titleId = useId();
  const [chosen, setChosen] = useState<number | null>(null);
  const column = chosen === null ? undefined : columns[chosen];
  const valueOf = (part: number): number =>
    column === undefined ? columns.reduce((sum, one) => sum + (one.values[part] ?? 0), 0) : (column.values[part] ?? 0);
  return (
    <section aria-labelledby={titleId} className="mb-8">
      <div className="mb-2 flex flex-wrap items-baseline gap-x-4 gap-y-1">
        <h2 id={titleId} className="font-medium">
          {title}
        </h2>
        <p className="min-w-24 text-small text-ink-muted tabular-nums">{column?.fullName ?? whole}</p>
        <ul className="ml-auto flex flex-wrap gap-x-4 gap-y-1 text-small max-tablet:ml-0">
          {parts.map((part, index) => (
            <li key={part.id} className="flex items-center gap-1.5">
              <Swatch fill={part.fill} />
              <span className="text-ink-muted">{part.name}</span>{" "}
              <span className="min-w-9 tabular-nums">{format(valueOf(index))}</span>
            </li>
          ))}
        </ul>
      </div>
      <Bars {...{ titleId, parts, columns, format, bases, chosen }} onChoose={setChosen} />
      <FiguresTable {...{ title, parts, columns, format }} />
    </section>
  );
}

interface BarsProps extends Pick<PlotProps, "parts" | "columns" | "format" | "bases"> {
  readonly titleId: string;
  readonly chosen: number | null;
  readonly onChoose: (column: number | null) => void;
}

function Bars({ titleId, parts, columns, format, bases, chosen, onChoose }: BarsProps) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = (): void => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const last = columns.length - 1;
  const at = chosen ?? last;
  const column = columns[at];
  const band = (width - leftPx) / Math.max(1, columns.length);
  const choose = (event: PointerEvent<HTMLDivElement>): void => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - leftPx;
    onChoose(band <= 0 ? null : Math.max(0, Math.min(last, Math.floor(x / band))));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    onChoose(Math.max(0, Math.min(last, next)));
  };
  const valueText = parts.map((part, index) => `${part.name} ${format(column?.values[index] ?? 0)}`).join(", ");
  return (
    <div
      ref={box}
      role="slider"
      tabIndex={0}
      aria-labelledby={titleId}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={Math.max(0, at)}
      aria-valuetext={`${column?.fullName ?? ""}: ${valueText}`}
      className="touch-pan-y rounded-control select-none"
      style={{ height: heightPx }}
      onPointerMove={choose}
      onPointerDown={choose}
      onPointerLeave={(event) => event.pointerType === "mouse" && onChoose(null)}
      onFocus={(event) => event.target.matches(":focus-visible") && onChoose(at)}
      onBlur={() => onChoose(null)}
      onKeyDown={onKeyDown}
    >
      {width > leftPx && <Drawing {...{ parts, columns, format, bases, chosen, width, band }} />}
    </div>
  );
}

interface DrawingProps extends Omit<BarsProps, "titleId" | "onChoose"> {
  readonly width: number;
  /** px of one column */
  readonly band: number;
}

function Drawing({ parts, columns, format, bases, chosen, width, band }: DrawingProps) {
  const most = Math.max(0, ...columns.map((column) => column.values.reduce((sum, value) => sum + value, 0)));
  const ticks = axisTicks(most, bases);
  const highest = ticks.at(-1) ?? 1;
  const plotHeight = heightPx - topPx - footPx;
  const base = topPx + plotHeight;
  const named = labelledColumns(columns.length, width - leftPx, labelMinPx);
  const bar = Math.max(1, Math.min(barMaxPx, band * 0.72));
  return (
    <svg width={width} height={heightPx} aria-hidden="true" className="block">
      <HatchPattern />
      {ticks.map((tick) => {
        const y = Math.round(base - (tick / highest) * plotHeight) + 0.5;
        return (
          <g key={tick}>
            <line x1={leftPx} x2={width} y1={y} y2={y} className={tick === 0 ? "stroke-ink-faint/60" : "stroke-line"} />
            <text x={leftPx - 8} y={y + 3.5} textAnchor="end" className="fill-ink-muted text-tiny tabular-nums">
              {format(tick)}
            </text>
          </g>
        );
      })}
      {chosen !== null && (
        <rect x={leftPx + chosen * band} y={topPx} width={band} height={plotHeight} className="fill-ink/6" />
      )}
      {columns.map((column, index) => {
        const left = leftPx + index * band;
        let top = base;
        return (
          <g key={column.key}>
            {column.values.map((value, part) => {
              const height = (value / highest) * plotHeight;
              top -= height;
              const { id, fill } = parts[part] ?? { id: "", fill: "solid" as const };
              return height <= 0 ? null : (
                <rect
                  key={id}
                  x={left + (band - bar) / 2}
                  y={top}
                  width={bar}
                  height={Math.max(1, height)}
                  className={fillClass(fill, bar >= outlineMinPx)}
                />
              );
            })}
            {named.has(index) && (
              <text
                x={index === columns.length - 1 ? width : left + band / 2}
                y={heightPx - 6}
                textAnchor={index === columns.length - 1 ? "end" : "middle"}
                className="fill-ink-muted text-tiny tabular-nums"
              >
                {column.name}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

const fillClass = (fill: PlotFill, isOutlined: boolean): string =>
  classes(
    fill === "solid" && "fill-accent",
    fill === "light" && (isOutlined ? "fill-accent/20 stroke-accent" : "fill-accent/50"),
    fill === "grey" && "fill-ink-muted",
    fill === "hatched" && (isOutlined ? "fill-[url(#hatched)] stroke-ink-faint" : "fill-ink-faint/50"),
  );

const HatchPattern = () => (
  <defs>
    <pattern id="hatched" width="4" height="4" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <line x1="0" y1="0" x2="0" y2="4" className="stroke-ink-faint" strokeWidth="1.5" />
    </pattern>
  </defs>
);

function Swatch({ fill }: { readonly fill: PlotFill }) {
  return (
    <svg width="10" height="10" aria-hidden="true" className="shrink-0">
      {fill === "hatched" && <HatchPattern />}
      <rect x="0.5" y="0.5" width="9" height="9" rx="2" className={fillClass(fill, true)} />
    </svg>
  );
}

/** The same values as a table, for screen readers and for copying. */
function FiguresTable({ title, parts, columns, format }: Pick<PlotProps, "title" | "parts" | "columns" | "format">) {
  const { statistics } = useFullMessages();
  return (
    <details className="mt-1 text-small">
      <summary className="w-fit rounded-control py-1 text-ink-muted hover:text-ink max-tablet:py-3">
        {statistics.asTable}
      </summary>
      <div
        tabIndex={0}
        role="region"
        aria-label={title}
        className="mt-1 max-h-72 overflow-auto rounded-card border border-line"
      >
        <table className="w-full tabular-nums">
          <thead className="sticky top-0 bg-surface text-left text-ink-muted">
            <tr>
              <th scope="col" className="px-3 py-1.5 font-medium">
                {statistics.day}
              </th>
              {parts.map((part) => (
                <th key={part.id} scope="col" className="px-3 py-1.5 text-right font-medium">
                  {part.name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {columns.toReversed().map((column) => (
              <tr key={column.key} className="border-t border-line">
                <th scope="row" className="px-3 py-1 text-left font-normal whitespace-nowrap">
                  {column.fullName}
                </th>
                {column.values.map((value, part) => (
                  <td key={parts[part]?.id} className="px-3 py-1 text-right whitespace-nowrap">
                    {format(value)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
