/** Converts the events of one streamed answer to parts, in order. Pure apart from its own state. */
import * as z from "zod/mini";
import type { ReasoningField } from "@/lib/events/content";
import { findQueuePosition } from "../../wire/queue-position";
import { makeAnswerLimit } from "../../wire/answer-limit";
import { callSchema, type CallFragment, legacyCallSchema, makeCallAssembler } from "./openai-calls";
import type { ModelPart, ServerReading } from "../../provider";
import { lenient, optionalCount, optionalText } from "../../wire/lenient-fields";
import { makeTextParts, type ThinkPart } from "../../wire/think-tags";
import { parseAnswer } from "../../wire/wire-errors";

/** Usually text; a list of typed parts on some servers. */
const contentPartSchema = z.object({ type: optionalText, text: optionalText, thinking: z.optional(z.unknown()) });
const contentSchema = z.optional(z.nullable(z.union([z.string(), z.array(contentPartSchema)])));
const reasoningDetailSchema = z.object({ text: optionalText, summary: optionalText });

const messageSchema = z.looseObject({
  content: contentSchema,
  refusal: optionalText,
  reasoning_content: optionalText,
  reasoning: optionalText,
  thinking: optionalText,
  reasoning_details: lenient(z.array(reasoningDetailSchema)),
  tool_calls: z.optional(z.nullable(z.array(callSchema))),
  function_call: z.optional(z.nullable(legacyCallSchema)),
});
type Message = z.infer<typeof messageSchema>;

const usageSchema = z.object({
  prompt_tokens: optionalCount,
  completion_tokens: optionalCount,
  prompt_cache_hit_tokens: optionalCount,
  prompt_tokens_details: lenient(z.object({ cached_tokens: optionalCount })),
});
/** Specific to llama.cpp; prompt_n excludes cached tokens. */
const timingsSchema = z.object({
  cache_n: optionalCount,
  prompt_n: optionalCount,
  prompt_ms: optionalCount,
  predicted_n: optionalCount,
  predicted_ms: optionalCount,
});

/** Specific to llama.cpp, requested by `return_progress`: tokens of the prompt; `processed` includes cached ones. */
const readingSchema = z.object({ total: z.number(), cache: z.number(), processed: z.number() });

const chunkSchema = z.object({
  id: optionalText,
  choices: z.optional(
    z.nullable(
      z.array(
        z.object({
          index: optionalCount,
          delta: z.optional(z.nullable(messageSchema)),
          message: z.optional(z.nullable(messageSchema)),
          finish_reason: optionalText,
          usage: lenient(usageSchema),
        }),
      ),
    ),
  ),
  usage: lenient(usageSchema),
  timings: lenient(timingsSchema),
  prompt_progress: lenient(readingSchema),
});

function readingParts(reading: z.infer<typeof readingSchema> | undefined): readonly ModelPart[] {
  if (reading === undefined) return [];
  const { total, cache, processed } = reading;
  return [{ type: "phase", phase: "reading", tokens: total - cache, read: Math.max(0, processed - cache) }];
}

const reasoningFields = ["reasoning_content", "reasoning", "thinking"] as const satisfies readonly ReasoningField[];

/** Thinking of a message with its field; a server that sends it under two names at once means the same text. */
function messageThinking(message: Message): readonly [text: string, field?: ReasoningField] {
  const field = reasoningFields.find((name) => (message[name] ?? "") !== "");
  if (field !== undefined) return [message[field] ?? "", field];
  return [(message.reasoning_details ?? []).map((one) => one.text ?? one.summary ?? "").join("")];
}

const nestedTextsSchema = z.array(z.object({ text: optionalText }));

function contentPieces(content: Message["content"]): readonly ThinkPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return (content ?? []).map(({ type, text, thinking }) => {
    if (type !== "thinking") return { type: "text", text: text ?? "" };
    if (typeof thinking === "string") return { type, text: thinking };
    const parts = nestedTextsSchema.safeParse(thinking);
    return { type, text: (parts.data ?? []).map((each) => each.text ?? "").join("") };
  });
}

export interface OpenAiAnswerOptions {
  /** UTF-16 units; bounds text, thinking and inputs together. Beyond it the answer ends as `length`. */
  readonly maxChars: number;
  /** Most tokens that were requested; absent = not known. */
  readonly outputTokens?: number;
  /** ms; times a server does not report are measured from the creation of the answer. */
  readonly now: () => number;
}

type Usage = Extract<ModelPart, { type: "finish" }>["usage"];

/** 0 = not reported */
function countTokens(
  reported: z.infer<typeof usageSchema>,
  times: z.infer<typeof timingsSchema>,
): Pick<Usage, "promptTokens" | "outputTokens"> {
  const read = times.prompt_n === undefined ? 0 : times.prompt_n + (times.cache_n ?? 0);
  return {
    promptTokens: reported.prompt_tokens ?? read,
    outputTokens: reported.completion_tokens ?? times.predicted_n ?? 0,
  };
}

type Ending =
  | { readonly stop: "done" | "length" }
  | { readonly code: "answer_filtered" | "server_error" | "server_busy"; readonly retryable: boolean };

const filtered: Ending = { code: "answer_filtered", retryable: false };
const failedThere: Ending = { code: "server_error", retryable: true };
/** By `finish_reason`; a missing or unknown one is a normal end. */
const endings = new Map<string, Ending>([
  ["length", { stop: "length" }],
  ["max_tokens", { stop: "length" }],
  ["content_filter", filtered],
  ["sensitive", filtered],
  ["error", failedThere],
  ["network_error", failedThere],
  ["insufficient_system_resource", { code: "server_busy", retryable: true }],
]);

const isNonEmptyField = ([name, value]: readonly [string, unknown]): boolean =>
  name !== "role" && (typeof value === "string" || Array.isArray(value) ? value.length > 0 : (value ?? null) !== null);

/** Interval between two phases of comments, ms: each keeps the wait from being called silent. */
const commentIntervalMs = 1_000;

/** A comment that says nothing of the wait. */
const keepAlive = /^\W*(?:$|(?:ping|keep-?alive|heartbeat)\b)/i;

/** Phases of a wait of which a server or a router writes comments. */
function makeWaits(now: () => number) {
  let startedAt = now();
  let position: number | undefined;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let hasEnded = false;
  return {
    /** Returns the time at which the request was made, or was last in a queue: reading begins then. */
    readingSince: (): number => startedAt,
    /** The server counts what it reads: comments report nothing any more. */
    end: (): void => void (hasEnded = true),
    take(comment: string): readonly ModelPart[] {
      if (hasEnded) return [];
      const before = position;
      if (!keepAlive.test(comment)) position = findQueuePosition(comment);
      if (position !== undefined) startedAt = now();
      if (position === before && now() - reportedAt < commentIntervalMs) return [];
      reportedAt = now();
      return [{ type: "phase", ...(position === undefined ? { phase: "reading" } : { phase: "queued", position }) }];
    },
  };
}

export function makeOpenAiAnswer({ maxChars, outputTokens = Number.POSITIVE_INFINITY, now }: OpenAiAnswerOptions) {
  const limit = makeAnswerLimit(maxChars);
  const texts = makeTextParts(limit);
  const calls = makeCallAssembler();
  let reported: z.infer<typeof usageSchema> = {};
  let times: z.infer<typeof timingsSchema> = {};
  const waits = makeWaits(now);
  let firstAt: number | undefined;
  let lastAt = waits.readingSince();
  let reason = "";
  /** `begun`: the first token arrived. `endedAt`, ms: the finish reason arrived. `id`: the server's, of the answer. */
  const progress: { begun: boolean; endedAt?: number; id?: string } = { begun: false };
  function onCall(fragment: CallFragment): readonly ModelPart[] {
    const parts = calls.take(fragment, limit.fit);
    return parts.length === 0 ? [] : [...texts.flush(), ...parts];
  }
  const partsOf = (delta: Message): readonly ModelPart[] => [
    ...texts.take("thinking", ...messageThinking(delta)),
    ...contentPieces(delta.content).flatMap(({ type, text }) => texts.take(type, text)),
    ...texts.take("text", delta.refusal ?? ""),
    ...(delta.tool_calls ?? []).flatMap(onCall),
    ...(delta.function_call ? onCall({ function: delta.function_call }) : []),
  ];
  const reading = (): ServerReading | undefined => {
    const cachedTokens =
      reported.prompt_tokens_details?.cached_tokens ?? reported.prompt_cache_hit_tokens ?? times.cache_n;
    const { prompt_ms: promptMs } = times;
    return cachedTokens === undefined && promptMs === undefined ? undefined : { cachedTokens, promptMs };
  };
  /** Missing times are measured: until the first token, and from there to the last. */
  const usage = (): Usage => ({
    ...countTokens(reported, times),
    cachedTokens: reading()?.cachedTokens,
    loadMs: 0,
    promptMs: Math.round(times.prompt_ms ?? Math.max((firstAt ?? 0) - waits.readingSince(), 0)),
    outputMs: Math.round(times.predicted_ms ?? Math.max(lastAt - (firstAt ?? lastAt), 0)),
  });
  function finished(ending: Ending): readonly ModelPart[] {
    const complete = calls.complete();
    const held = [...texts.flush(), ...complete];
    if ("stop" in ending) {
      // Some servers report any answer with a call as a normal one.
      const isCut = complete.length > 0 && (calls.isCut(reason !== "") || usage().outputTokens >= outputTokens);
      return [...held, { type: "finish", stop: isCut ? "length" : ending.stop, usage: usage(), reading: reading() }];
    }
    const error = { code: ending.code, detail: `finish_reason: ${reason}` };
    return [...held, { type: "failed", error, retryable: ending.retryable }];
  }

  return {
    /** Returns the phase of a comment before the first token. */
    takeComment: (text: string): readonly ModelPart[] => (progress.begun ? [] : waits.take(text)),
    /** Returns the parts of one event; do not call it again after a `finish`. Throws ProviderError `bad_answer`. */
    take(value: unknown): readonly ModelPart[] {
      const { choices, timings, prompt_progress: reading, ...chunk } = parseAnswer(chunkSchema, value);
      const choice = choices?.find(({ index = 0 }) => index === 0);
      progress.id ??= chunk.id;
      const before = limit.chars;
      const delta = choice?.delta ?? choice?.message;
      const parts = delta ? partsOf(delta) : [];
      progress.begun ||= Object.entries(delta ?? {}).some(isNonEmptyField);
      reason = choice?.finish_reason || reason;
      if (reason !== "") progress.endedAt ??= now();
      reported = chunk.usage ?? choice?.usage ?? reported;
      times = timings ?? times;
      if (parts.length > 0) lastAt = now();
      if (parts.length > 0) firstAt ??= lastAt;
      // Empty events count too, so that an endless stream of them ends.
      if (limit.chars === before) limit.count(1);
      if (limit.over) return [...parts, ...finished({ stop: "length" })];
      if (reading !== undefined) waits.end();
      return progress.begun ? parts : [...readingParts(reading), ...parts];
    },
    /** Returns the held-back parts and the last part, after the last event. */
    end: () => finished(endings.get(reason) ?? { stop: "done" }),
    progress,
  };
}
