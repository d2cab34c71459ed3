"use client";
/**
 * Diff view: line numbers, + and − in addition to colour, changed words, visible hidden characters. Unified; side by
 * side from 1000 px of its own width.
 */
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Hunk, HunkLine } from "@/lib/text/diff";
import { classes } from "../theme/classes";
import { languageOfPath } from "./code-language";
import { CodeLine } from "./code-line";
import { pairDiffRows, type DiffRow, toDiffRows, sideText } from "./diff-rows";
import { type ColouredLines, useHighlight } from "./highlighter";
import type { HiddenNames } from "../text/visible-text";

export interface DiffViewProps {
  readonly hunks: readonly Hunk[];
  /** Its extension selects the language. */
  readonly path: string;
  readonly names: HiddenNames;
  readonly label: string;
  /** Fixed layout; absent = by width. */
  readonly shape?: "unified" | "split";
  /** Long lines wrap instead of scrolling; the layout is unified. */
  readonly wraps?: boolean;
  /** Draws a control before a changed line, in place of its only number; `className` places it. The layout is unified. */
  readonly control?: (line: HunkLine) => ReactNode;
  readonly className?: string;
}

const splitFromPx = 1000;
const lineSigns: Record<HunkLine["kind"], string> = { same: " ", add: "+", remove: "−" };
/** The colour of comments has too little contrast on the ground of a changed line. */
const lineClass: Record<HunkLine["kind"], string> = {
  same: "",
  add: "bg-added-line [--code-token-comment:var(--ink-muted)]",
  remove: "bg-removed-line [--code-token-comment:var(--ink-muted)]",
};
const signClass: Record<HunkLine["kind"], string> = { same: "", add: "text-added", remove: "text-removed" };
const markClass: Record<HunkLine["kind"], string> = { same: "", add: "bg-added-word", remove: "bg-removed-word" };

type LineColours = (row: DiffRow) => ColouredLines[number] | undefined;

/** Highlights each side as one text; a hunk's lines start after those of the previous hunks. */
function useColours(hunks: readonly Hunk[], path: string): LineColours {
  const language = languageOfPath(path);
  const sides = useMemo(
    () => ({
      old: hunks.map((hunk) => sideText(hunk, "old")).join("\n"),
      now: hunks.map((hunk) => sideText(hunk, "new")).join("\n"),
      oldStarts: hunkOffsets(hunks, "add"),
      newStarts: hunkOffsets(hunks, "remove"),
    }),
    [hunks],
  );
  const old = useHighlight(sides.old, language);
  const now = useHighlight(sides.now, language);
  return ({ hunk, line, at }) =>
    line.kind === "remove" ? old?.[(sides.oldStarts[hunk] ?? 0) + at] : now?.[(sides.newStarts[hunk] ?? 0) + at];
}

function hunkOffsets(hunks: readonly Hunk[], without: HunkLine["kind"]): readonly number[] {
  let at = 0;
  return hunks.map((hunk) => {
    const start = at;
    at += hunk.lines.filter((line) => line.kind !== without).length;
    return start;
  });
}

export function DiffView(props: DiffViewProps) {
  const { hunks, path, names, label, shape: fixedShape, wraps = false, control, className } = props;
  const box = useRef<HTMLDivElement>(null);
  const [wide, setWide] = useState(false);
  const shape = wraps || control !== undefined ? "unified" : fixedShape;
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null || shape !== undefined) return;
    const observer = new ResizeObserver(() => setWide(element.clientWidth >= splitFromPx));
    observer.observe(element);
    return () => observer.disconnect();
  }, [shape]);
  const rows = useMemo(() => toDiffRows(hunks), [hunks]);
  const colourOf = useColours(hunks, path);
  const split = shape === undefined ? wide : shape === "split";
  return (
    <div
      ref={box}
      role="region"
      aria-label={label}
      tabIndex={0}
      data-shape={split ? "split" : "unified"}
      className={classes(
        "@container overflow-auto bg-canvas font-mono text-code outline-offset-[-2px] [tab-size:4]",
        className,
      )}
    >
      {split ? (
        <SplitDiff rows={rows} colourOf={colourOf} names={names} />
      ) : (
        <UnifiedDiff rows={rows} colourOf={colourOf} names={names} wraps={wraps} control={control} />
      )}
    </div>
  );
}

interface SideProps {
  readonly rows: readonly DiffRow[];
  readonly colourOf: LineColours;
  readonly names: HiddenNames;
}

const numberClass = "pr-2.5 text-right text-small leading-5 text-ink-faint tabular-nums select-none";

const wrappedLine =
  "grid-cols-[34px_14px_minmax(0,1fr)] whitespace-pre-wrap [overflow-wrap:anywhere] @xl:grid-cols-[44px_44px_16px_minmax(0,1fr)]";

function UnifiedDiff({ rows, colourOf, names, wraps, control }: SideProps & Pick<DiffViewProps, "wraps" | "control">) {
  return (
    <div className={classes("py-1.5", wraps !== true && "min-w-max")}>
      {rows.map((row, index) => (
        <div key={index} className={hunkGapBefore(rows, index)}>
          <div
            data-line={row.line.kind}
            className={classes(
              wraps === true
                ? wrappedLine
                : "grid-cols-[34px_14px_auto] whitespace-pre @xl:grid-cols-[44px_44px_16px_auto]",
              "grid",
              lineClass[row.line.kind],
            )}
          >
            {row.line.kind !== "same" && control?.(row.line)}
            <span className={classes(numberClass, "hidden @xl:block")}>{row.line.oldLine}</span>
            <span className={classes(numberClass, "hidden @xl:block")}>{row.line.newLine}</span>
            <span className={classes(numberClass, "@xl:hidden")}>
              {(control === undefined || row.line.kind === "same") && (row.line.newLine ?? row.line.oldLine)}
            </span>
            <LineSign line={row.line} />
            <LineText row={row} colourOf={colourOf} names={names} />
          </div>
        </div>
      ))}
    </div>
  );
}

function SplitDiff({ rows, colourOf, names }: SideProps) {
  const pairs = useMemo(() => pairDiffRows(rows), [rows]);
  return (
    <div className="grid grid-cols-2 py-1.5">
      {(["left", "right"] as const).map((side) => (
        <div key={side} className={classes("min-w-0 overflow-x-auto", side === "right" && "border-l border-line")}>
          <div className="min-w-max">
            {pairs.map((pair, index) => {
              const row = pair[side];
              const before = pairs[index - 1];
              const hunk = (pair.left ?? pair.right)?.hunk;
              const starts = before !== undefined && (before.left ?? before.right)?.hunk !== hunk;
              const number = side === "left" ? row?.line.oldLine : row?.line.newLine;
              return (
                <div key={index} className={starts ? hunkGap : undefined}>
                  <div
                    data-line={row?.line.kind ?? "none"}
                    className={classes(
                      "grid h-5 grid-cols-[44px_16px_auto] whitespace-pre",
                      row === null ? "bg-ink/3" : lineClass[row.line.kind],
                    )}
                  >
                    <span className={numberClass}>{number}</span>
                    {row !== null && <LineSign line={row.line} />}
                    {row !== null && <LineText row={row} colourOf={colourOf} names={names} />}
                  </div>
                </div>
              );
            })}
          </div>
        </div>
      ))}
    </div>
  );
}

const hunkGap = "mt-1.5 border-t border-dashed border-line pt-1.5";
const hunkGapBefore = (rows: readonly DiffRow[], index: number): string | undefined =>
  index > 0 && rows[index - 1]?.hunk !== rows[index]?.hunk ? hunkGap : undefined;

const LineSign = ({ line }: { readonly line: HunkLine }) => (
  <span className={classes("select-none", signClass[line.kind])}>{lineSigns[line.kind]}</span>
);

function LineText({
  row,
  colourOf,
  names,
}: {
  readonly row: DiffRow;
  readonly colourOf: LineColours;
  readonly names: HiddenNames;
}) {
  const { line } = row;
  const colours = colourOf(row);
  return (
    <span className="pr-4">
      <CodeLine text={line.text} names={names} markClass={markClass[line.kind]} colours={colours} marks={line.marks} />
      {line.noNewline === true && (
        <span aria-hidden className="pl-1 text-ink-faint select-none">
          ⏎̸
        </span>
      )}
    </span>
  );
}
