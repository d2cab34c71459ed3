"use client";
/** Statistics of the models as figures and charts: tokens, time, models, tools. Loaded when the tab is opened. */
import { keepPreviousData } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Statistics as Answer } from "@/lib/protocol/history";
import type { Project } from "@/lib/workspace/project";
import { Button } from "../../ui/controls/button";
import { Segmented } from "../../ui/controls/segmented";
import { Skeleton } from "../../ui/indicators/skeleton";
import { type FullMessages, useFullMessages } from "../../messages/full-messages";
import { EmptyState } from "../list/empty-state";
import {
  type HistoryView,
  type StatisticsRange,
  statisticsRanges,
  localMidnight,
  startOfPeriod,
} from "../history/history-view";
import { ProjectChip } from "../history/history-filters";
import { Plot, type PlotColumn, type PlotPart } from "./plot";
import {
  type StatisticsColumn,
  toColumns,
  countSteps,
  formatDay,
  durationSteps,
  type ColumnSpan,
  sumStatistics,
} from "./statistics-columns";
import { ModelsTable, ToolsTable } from "./statistics-tables";
import { CallError } from "../../state/command-query";
import { useCommandQuery } from "../../state/use-command-query";

interface StatisticsProps {
  readonly view: HistoryView;
  readonly projects: readonly Project[];
  readonly onView: (view: HistoryView) => void;
}

/** Refetch interval: runs continue, and an old history is indexed gradually. */
const refetchMs = 5_000;

export function Statistics({ view, projects, onView }: StatisticsProps) {
  const messages = useFullMessages();
  const { statistics } = messages;
  const { projectId, range } = view;
  const input = useMemo(() => statisticsInput(projectId, range, Date.now()), [projectId, range]);
  const answer = useCommandQuery("history.statistics", input, {
    retry: false,
    placeholderData: keepPreviousData,
    refetchInterval: refetchMs,
  });
  const indexed = answer.data?.indexed ?? 1;
  return (
    <div aria-busy={answer.isPlaceholderData || undefined}>
      <div className="mb-6 flex flex-wrap items-center gap-2">
        <Segmented
          name={statistics.rangeName}
          value={range}
          options={statisticsRanges.map((one) => ({ value: one, label: statistics.range[one] }))}
          onChange={(next) => onView({ ...view, range: next })}
        />
        <ProjectChip {...{ view, projects, onView }} />
        {indexed < 1 && (
          <span role="status" className="text-small text-ink-muted tabular-nums">
            {statistics.indexed(messages.figures.percent(indexed))}
          </span>
        )}
      </div>
      {answer.isPending && <StatisticsSkeleton label={messages.common.loading} />}
      {answer.isError && (
        <EmptyState
          text={statistics.failed}
          note={answer.error instanceof CallError ? messages.errors.sentences[answer.error.error.code] : undefined}
        >
          <Button onClick={() => void answer.refetch()}>{messages.common.retry}</Button>
        </EmptyState>
      )}
      {answer.isSuccess && answer.data.days.length === 0 && (
        <EmptyState text={statistics.none} note={statistics.noneNote} />
      )}
      {answer.isSuccess && answer.data.days.length > 0 && <StatisticsFigures of={answer.data} range={range} />}
    </div>
  );
}

/** Builds the query. Without an end date, runs of the current minute are included. */
const statisticsInput = (projectId: HistoryView["projectId"], range: StatisticsRange, now: number) => ({
  projectId: projectId ?? undefined,
  ...(range === "all" ? {} : { from: startOfPeriod(Number(range), now) }),
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

function StatisticsFigures({ of, range }: { readonly of: Answer; readonly range: StatisticsRange }) {
  const messages = useFullMessages();
  const { statistics } = messages;
  const { figures } = messages;
  const { step, columns } = useMemo(() => {
    const now = Date.now();
    const from = range === "all" ? null : formatDay(startOfPeriod(Number(range), now));
    return toColumns(of.days, from, formatDay(now));
  }, [of, range]);
  const plotted = (valuesOf: (sums: StatisticsColumn["sums"]) => readonly number[]): readonly PlotColumn[] =>
    columns.map((column) => ({
      key: column.day,
      ...columnNames(messages, column.day, step),
      values: valuesOf(column.sums),
    }));
  const { tokens, phases } = plotParts(messages);
  return (
    <>
      <Totals of={of} />
      <Plot
        title={statistics.tokensBy[step]}
        whole={statistics.range[range]}
        parts={tokens}
        columns={plotted((sums) => [sums.outputTokens, sums.promptTokens])}
        format={figures.tokens}
        bases={countSteps}
      />
      <Plot
        title={statistics.timeBy[step]}
        whole={statistics.range[range]}
        parts={phases}
        columns={plotted((sums) => [sums.outputMs, sums.promptMs, sums.loadMs, sums.toolMs])}
        format={(value) => (value === 0 ? "0" : figures.duration(value))}
        bases={durationSteps}
      />
      {of.models.length > 0 && <ModelsTable models={of.models} />}
      {of.tools.length > 0 && <ToolsTable tools={of.tools} />}
    </>
  );
}

/** Writing has the same fill in both charts, and so has reading. */
function plotParts({ statistics }: FullMessages): Record<"tokens" | "phases", readonly PlotPart[]> {
  return {
    tokens: [
      { id: "answer", name: statistics.answer, fill: "solid" },
      { id: "prompt", name: statistics.prompt, fill: "light" },
    ],
    phases: [
      { id: "writing", name: statistics.writing, fill: "solid" },
      { id: "reading", name: statistics.reading, fill: "light" },
      { id: "loading", name: statistics.loading, fill: "hatched" },
      { id: "tools", name: statistics.tools, fill: "grey" },
    ],
  };
}

function columnNames(messages: FullMessages, day: string, step: ColumnSpan): Pick<PlotColumn, "name" | "fullName"> {
  const { locale } = messages.figures;
  const dates = locale === "en" ? "en-GB" : locale;
  const format = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(dates, options).format(localMidnight(day));
  if (step === "month")
    return {
      name: format({ month: "short", year: "2-digit" }),
      fullName: format({ month: "long", year: "numeric" }),
    };
  const fullName = format({
    weekday: step === "day" ? "short" : undefined,
    day: "numeric",
    month: "short",
    year: "numeric",
  });
  return {
    name: format({ day: "numeric", month: "short" }),
    fullName: step === "week" ? messages.statistics.weekOf(fullName) : fullName,
  };
}

function Totals({ of }: { readonly of: Answer }) {
  const messages = useFullMessages();
  const { statistics } = messages;
  const { figures } = messages;
  const sums = sumStatistics(of.days);
  const totals: readonly (readonly [string, string])[] = [
    [statistics.sessions, figures.number(of.sessions)],
    [statistics.runs, figures.number(sums.runs)],
    [statistics.prompt, figures.tokens(sums.promptTokens)],
    [statistics.answer, figures.tokens(sums.outputTokens)],
    [statistics.modelTime, figures.duration(sums.loadMs + sums.promptMs + sums.outputMs)],
    [statistics.lines, `+${figures.number(sums.added)} −${figures.number(sums.removed)}`],
  ];
  return (
    <dl className="mb-8 grid grid-cols-[repeat(auto-fit,minmax(7.5rem,1fr))] gap-x-4 gap-y-4">
      {totals.map(([name, value]) => (
        <div key={name} className="flex flex-col-reverse">
          <dt className="text-small text-ink-muted">{name}</dt>
          <dd className="text-head font-medium whitespace-nowrap tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function StatisticsSkeleton({ label }: { readonly label: string }) {
  return (
    <div className="grid gap-6">
      <Skeleton label={label} className="h-12" />
      <Skeleton className="h-44" />
      <Skeleton className="h-44" />
    </div>
  );
}
