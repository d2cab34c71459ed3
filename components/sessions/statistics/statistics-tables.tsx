"use client";
/** Tables of models and tools, most used first. */
import type { ModelStatistics, ToolStatistics } from "@/lib/protocol/history";
import { useFullMessages } from "../../messages/full-messages";
import { tokensPerSecond } from "./statistics-columns";
import { ShareTable } from "./share-table";

const noValue = "–";

export function ModelsTable({ models }: { readonly models: readonly ModelStatistics[] }) {
  const messages = useFullMessages();
  const { statistics } = messages;
  const { figures } = messages;
  const speed = (tokens: number, milliseconds: number): string => {
    const value = tokensPerSecond(tokens, milliseconds);
    return value === null ? noValue : figures.speed(value);
  };
  return (
    <ShareTable
      title={statistics.models}
      first={statistics.model}
      heads={[
        statistics.answers,
        statistics.prompt,
        statistics.answer,
        statistics.readingSpeed,
        statistics.writingSpeed,
        statistics.edits,
      ]}
      rows={models.map((one) => ({
        name: one.model,
        weight: one.promptTokens + one.outputTokens,
        cells: [
          figures.number(one.answers),
          figures.tokens(one.promptTokens),
          figures.tokens(one.outputTokens),
          speed(one.promptTokens, one.promptMs),
          speed(one.outputTokens, one.outputMs),
          one.edits === 0
            ? noValue
            : statistics.editsApplied(figures.number(one.editsApplied), figures.number(one.edits)),
        ],
      }))}
    />
  );
}

export function ToolsTable({ tools }: { readonly tools: readonly ToolStatistics[] }) {
  const messages = useFullMessages();
  const { statistics } = messages;
  const { figures } = messages;
  return (
    <ShareTable
      title={statistics.toolCalls}
      first={statistics.tool}
      heads={[statistics.calls, statistics.failedCalls, statistics.denied, statistics.time]}
      rows={tools.map((one) => ({
        name: one.tool,
        weight: one.calls,
        cells: [
          figures.number(one.calls),
          one.failed === 0 ? noValue : `${figures.number(one.failed)} · ${figures.percent(one.failed / one.calls)}`,
          one.denied === 0 ? noValue : figures.number(one.denied),
          one.tookMs === 0 ? noValue : figures.duration(one.tookMs),
        ],
      }))}
    />
  );
}
