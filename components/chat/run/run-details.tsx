"use client";
/** The figures of a run, shown when its end line is expanded. */
import { useConversationMessages } from "../../messages/conversation-messages";
import { formatCachedPrefix } from "../context-usage/format-cached-prefix";
import type { RunSummary } from "./run-summary";

interface RunDetailsProps {
  readonly steps: number;
  readonly summary: RunSummary;
}

export function RunDetails({ steps, summary }: RunDetailsProps) {
  const { chat, figures, runDetails: details } = useConversationMessages();
  const { server, cachedPrefix, firstTokenMs, servedBy, readAgain, movesOften } = summary;
  const rows: readonly (readonly [string, string])[] = [
    [details.steps, figures.number(steps)],
    ...(firstTokenMs === null ? [] : [[details.firstToken, figures.duration(firstTokenMs)] as const]),
    ...(server.answers === 0
      ? []
      : ([
          [details.load, figures.duration(server.loadMs)],
          [details.read, `${figures.duration(server.readMs)} · ${chat.tokens(figures.tokens(server.promptTokens))}`],
          [details.write, `${figures.duration(server.writeMs)} · ${chat.tokens(figures.tokens(server.outputTokens))}`],
          [details.prefix, formatCachedPrefix(cachedPrefix, details, figures)],
        ] as const)),
    ...(readAgain === 0 ? [] : [[details.readAgain, chat.tokens(figures.tokens(readAgain))] as const]),
    ...(servedBy.length === 0 ? [] : [[details.servedBy, servedBy.join(", ")] as const]),
  ];
  return (
    <>
      <dl className="mt-1 ml-5 grid w-fit max-w-full animate-appear grid-cols-[auto_1fr] gap-x-6 gap-y-0.5 text-small tabular-nums">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-muted">{name}</dt>
            <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
      {movesOften && (
        <p className="mt-2 ml-5 max-w-[68ch] animate-appear text-small text-ink-muted">{details.movesOften}</p>
      )}
    </>
  );
}
