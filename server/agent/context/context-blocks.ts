/** Asks the context sources for the blocks of a place. */
import type { ContextTopic } from "@/lib/events/content";
import { lastContextText } from "./compile";
import type { ContextBlock, ContextFacts, ContextInput, ContextPlace, ContextSource } from "./context-source";

/** Returns the sources of a place in their order there. */
export const sourcesAt = (sources: readonly ContextSource[], place: ContextPlace): readonly ContextSource[] =>
  sources
    .flatMap((source) => {
      const order = source.order[place];
      return order === undefined ? [] : [{ source, order }];
    })
    .toSorted((a, b) => a.order - b.order)
    .map(({ source }) => source);

/** Returns the blocks to send at a place now. Texts that the compiled context still contains are not repeated. */
export function dueContext(
  sources: readonly ContextSource[],
  place: Exclude<ContextPlace, "compaction">,
  facts: ContextFacts,
): readonly ContextBlock[] {
  const blocks: ContextBlock[] = [];
  const before: ContextTopic[] = [];
  for (const source of sourcesAt(sources, place)) {
    const { topic, kind } = source;
    const text = dueText(source, sourceInput(source, facts, before));
    if (text === null) continue;
    blocks.push({ type: "context", kind, topic, text });
    before.push(topic);
  }
  return blocks;
}

const sourceInput = (
  { topic, share }: ContextSource,
  facts: ContextFacts,
  before: readonly ContextTopic[],
): ContextInput => ({
  ...facts,
  last: () => lastContextText(facts.view, topic),
  maxTokens: () => share?.(facts.window()) ?? Number.POSITIVE_INFINITY,
  before,
});

function dueText(source: ContextSource, input: ContextInput): string | null {
  if (source.resend === "when_absent" && input.last() !== null) return null;
  const text = source.text(input);
  if (text === null || source.resend !== "when_changed") return text;
  return text === (input.last() ?? source.assumed) ? null : text;
}

/** Returns the text of a source, computed again for at most `maxTokens`; null = nothing. */
export const currentText = (source: ContextSource, facts: ContextFacts, maxTokens: number): string | null =>
  source.text({ ...facts, last: () => null, maxTokens: () => maxTokens, before: [] });
