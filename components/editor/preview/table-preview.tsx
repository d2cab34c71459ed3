"use client";
/** Text with separated values as a table; its first row stays visible. */
import { type CSSProperties, memo, useEffect, useRef, useState } from "react";
import { cellWidth } from "@/lib/text/cell-width";
import { useFullMessages } from "../../messages/full-messages";
import { Skeleton } from "../../ui/indicators/skeleton";
import { classes } from "../../ui/theme/classes";
import { CenteredMessage } from "../centered-message";
import { FixedRowList } from "../../ui/layout/fixed-row-list";
import { type Delimiter, detectDelimiter, indexRows, readTableFields, type TableIndex } from "./table-text";
import { useLostFocus } from "./use-lost-focus";

const maxRows = 200_000;
const maxColumns = 100;
const maxCellChars = 400;
const rowPx = 28;
/** Time for which the rows are indexed before the page can react, ms. */
const sliceMs = 8;

interface Table extends TableIndex {
  readonly text: string;
  readonly delimiter: Delimiter;
  /** Width of the column with the row numbers, then of each shown column, in characters. */
  readonly widths: readonly number[];
}

export function TablePreview({ path, text }: { readonly path: string; readonly text: string }) {
  const { common, editor, figures } = useFullMessages();
  const table = useTable(path, text);
  const scroller = useRef<HTMLDivElement>(null);
  useLostFocus(scroller, table !== null);
  if (table === null) return <Skeleton label={common.loading} className="m-4 h-4 w-1/2" />;
  if (table.starts.length === 0) return <CenteredMessage text={editor.table.empty} note={path} />;
  const { starts, columns, isCut, widths } = table;
  const shown = [
    editor.table.size(figures.number(starts.length - 1), figures.number(columns)),
    ...(isCut ? [editor.table.cutRows(figures.number(maxRows))] : []),
    ...(columns > maxColumns ? [editor.table.cutColumns(figures.number(maxColumns))] : []),
  ];
  const style: CSSProperties & Record<"--row-width" | "--columns", string> = {
    "--row-width": `${widths.reduce((sum, width) => sum + width, 0)}ch`,
    "--columns": widths.map((width) => `${width}ch`).join(" "),
  };
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <p role="status" className="shrink-0 border-b border-line px-3 py-1 text-small text-ink-muted tabular-nums">
        {shown.join(" · ")}
      </p>
      <FixedRowList
        role="table"
        tabIndex={0}
        aria-label={editor.table.name}
        aria-rowcount={starts.length}
        aria-colcount={columns + 1}
        scroller={scroller}
        count={starts.length - 1}
        rowPx={rowPx}
        header={<TableRow table={table} index={0} />}
        row={(index) => <TableRow table={table} index={index + 1} />}
        style={style}
        className="min-h-0 flex-1 overflow-auto font-mono text-code -outline-offset-1 focus-visible:outline-1"
      />
    </div>
  );
}

/** Indexes the text in slices; null = not finished. */
function useTable(path: string, text: string): Table | null {
  const [table, setTable] = useState<Table | null>(null);
  useEffect(() => {
    const delimiter = detectDelimiter(path, text);
    const steps = indexRows(text, delimiter, maxRows);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const work = (): void => {
      const end = performance.now() + sliceMs;
      while (performance.now() < end) {
        const step = steps.next();
        if (step.done === true)
          return setTable({ ...step.value, text, delimiter, widths: measureColumns(step.value, text, delimiter) });
      }
      timer = setTimeout(work, 0);
    };
    work();
    return () => clearTimeout(timer);
  }, [path, text]);
  return table;
}

const measuredRows = 200;
/** Characters of a column, without its padding and border. */
const widthBounds = { min: 3, max: 40 };
const paddingChars = 4;

/** Measures rows of all parts of the text. */
function measureColumns({ starts, columns }: TableIndex, text: string, delimiter: Delimiter): readonly number[] {
  const widths = Array.from({ length: Math.min(columns, maxColumns) }, () => widthBounds.min);
  const step = Math.max(1, Math.floor(starts.length / measuredRows));
  for (let row = 0; row < starts.length; row += step)
    for (const [column, field] of readTableFields(
      text,
      starts[row] ?? 0,
      delimiter,
      maxColumns,
      widthBounds.max,
    ).entries()) {
      let width = 0;
      for (const char of field) width += cellWidth(char);
      widths[column] = Math.min(widthBounds.max, Math.max(widths[column] ?? 0, width));
    }
  return [String(starts.length).length, ...widths].map((width) => width + paddingChars);
}

const TableRow = memo(function TableRow({ table, index }: { readonly table: Table; readonly index: number }) {
  const { text, starts, delimiter } = table;
  const fields = readTableFields(text, starts[index] ?? text.length, delimiter, maxColumns, maxCellChars);
  const isHeader = index === 0;
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      style={{ height: rowPx }}
      className={classes(
        "grid min-w-(--row-width) grid-cols-(--columns) border-b border-line leading-[27px]",
        isHeader ? "bg-surface font-medium" : "bg-canvas",
      )}
    >
      <span
        role="rowheader"
        className="sticky left-0 bg-inherit pr-[1.5ch] text-right text-ink-faint tabular-nums select-none"
      >
        {isHeader ? "" : index}
      </span>
      {fields.map((field, column) => (
        <span
          key={column}
          role={isHeader ? "columnheader" : "cell"}
          title={field.length > widthBounds.max ? field : undefined}
          className="truncate border-l border-line px-[1.5ch] whitespace-pre"
        >
          {field}
        </span>
      ))}
    </div>
  );
});
