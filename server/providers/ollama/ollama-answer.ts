/** Converts the lines of one streamed Ollama answer to parts, in order. Pure apart from its own state. */
import * as z from "zod/mini";
import type { Json } from "@/lib/events/content";
import { makeAnswerLimit } from "../wire/answer-limit";
import { parseCallInput } from "../wire/request/call-input";
import type { ModelPart, ServerReading } from "../provider";
import { optionalCount, optionalText } from "../wire/lenient-fields";
import { makeTextParts } from "../wire/think-tags";
import { parseAnswer } from "../wire/wire-errors";

const nullableText = z.optional(z.nullable(z.string()));
const toolCallSchema = z.object({
  id: optionalText,
  function: z.object({
    name: z.catch(z.string(), ""),
    /** Comes from JSON.parse. */
    arguments: z.optional(z.custom<Json>()),
  }),
});
const lineSchema = z.object({
  message: z.optional(
    z.object({
      content: nullableText,
      thinking: nullableText,
      tool_calls: z.optional(z.nullable(z.array(toolCallSchema))),
    }),
  ),
  done: z.optional(z.boolean()),
  done_reason: optionalText,
  load_duration: optionalCount,
  prompt_eval_count: optionalCount,
  prompt_eval_duration: optionalCount,
  eval_count: optionalCount,
  eval_duration: optionalCount,
});
type Line = z.infer<typeof lineSchema>;

const nsToMs = (ns: number | undefined): number => Math.round((ns ?? 0) / 1e6);

/** Servers omit counts when everything was cached or a request was cut: 0, never a guess. */
const toUsage = (last: Partial<Line>) => ({
  promptTokens: last.prompt_eval_count ?? 0,
  outputTokens: last.eval_count ?? 0,
  loadMs: nsToMs(last.load_duration),
  promptMs: nsToMs(last.prompt_eval_duration),
  outputMs: nsToMs(last.eval_duration),
});

const toReading = ({ prompt_eval_duration: ns }: Partial<Line>): ServerReading | undefined =>
  ns === undefined ? undefined : { promptMs: nsToMs(ns) };

/** Template marks that are counted but never sent; harmony has ten around an answer with thinking. */
const maxTemplateTokens = { plain: 8, thinking: 16 } as const;
/** Most characters per token on average, and the fewest. */
const pieceMaxChars = 6;
const leastCharsPerToken = 2;
/** Below this share of the received tokens no conclusion is drawn. */
const unseenShare = 0.25;

/** Counts the tokens received of an answer, as an upper bound: one non-ASCII character may be several tokens. */
function makeReceivedCounter() {
  let pieces = 0;
  let chars = 0;
  let beyondAscii = 0;
  let thinks = false;
  return {
    count(text: string, isThinking: boolean): void {
      if (text === "") return;
      pieces += 1;
      chars += text.length;
      beyondAscii += Buffer.byteLength(text) - text.length;
      thinks ||= isThinking;
    },
    /** Tokens of `counted` that were not received; 0 = none for certain. */
    unseen(counted: number): number {
      // Text that was held back for a while arrives as one large piece.
      const words = pieces * pieceMaxChars >= chars ? pieces : Math.ceil(chars / leastCharsPerToken);
      const seen = words + 2 * beyondAscii;
      const unseen = counted - seen;
      return unseen >= maxTemplateTokens[thinks ? "thinking" : "plain"] && unseen >= seen * unseenShare ? unseen : 0;
    },
  };
}

/**
 * `maxChars` (UTF-16 units) bounds text, thinking and inputs together; beyond it the answer ends as `length`. `outputTokens` = the
 * most that were requested.
 */
export function makeOllamaAnswer(maxChars: number, outputTokens = Number.POSITIVE_INFINITY) {
  const limit = makeAnswerLimit(maxChars);
  const texts = makeTextParts(limit);
  const seen = makeReceivedCounter();
  let called = false;

  function partsOf({ thinking, content, tool_calls }: NonNullable<Line["message"]>): readonly ModelPart[] {
    seen.count(thinking ?? "", true);
    seen.count(content ?? "", false);
    const parts: ModelPart[] = [
      ...texts.take("thinking", thinking ?? "", "thinking"),
      ...texts.take("text", content ?? ""),
    ];
    for (const { id, function: written } of tool_calls ?? []) {
      called = true;
      const input = parseCallInput(written.arguments);
      limit.count(JSON.stringify(input).length);
      if (limit.over) break;
      parts.push(...texts.flush(), { type: "call", id: id || undefined, name: written.name, input });
    }
    return parts;
  }

  return {
    /** Returns the parts of one parsed line; do not call it again after a `finish`. Throws ProviderError `bad_answer`. */
    take(value: unknown): readonly ModelPart[] {
      const last = parseAnswer(lineSchema, value);
      const before = limit.chars;
      const parts = last.message === undefined ? [] : partsOf(last.message);
      // Empty lines count too, so that an endless stream of them ends.
      if (limit.chars === before) limit.count(1);
      if (last.done !== true && !limit.over) return parts;
      // Versions before 0.32.6 report any answer with a call as a normal one.
      const isCut = limit.over || (called && (last.eval_count ?? 0) >= outputTokens);
      const stop = isCut || last.done_reason === "length" ? "length" : "done";
      const unseen = called || limit.over ? 0 : seen.unseen(last.eval_count ?? 0);
      const unseenTokens = unseen === 0 ? undefined : unseen;
      return [
        ...parts,
        ...texts.flush(),
        { type: "finish", stop, usage: toUsage(last), unseenTokens, reading: toReading(last) },
      ];
    },
  };
}
