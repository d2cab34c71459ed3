/** Converts the events of one streamed answer to parts, in order. Pure apart from its own state. */
import * as z from "zod/mini";
import { makeAnswerLimit } from "./answer-limit";
import { callSchema, type CallFragment, legacyCallSchema, makeCalls } from "./openai-calls";
import type { ModelPart } from "./provider";
import { makeThinkTags } from "./think-tags";
import { brokenAnswer } from "./wire-errors";

const text = z.catch(z.optional(z.nullable(z.string())), undefined);
const count = z.catch(z.optional(z.number()), undefined);
/** Usually text; a list of typed parts on some servers. */
const piece = z.object({ type: text, text, thinking: z.optional(z.unknown()) });
const content = z.optional(z.nullable(z.union([z.string(), z.array(piece)])));
const detail = z.object({ text, summary: text });

const message = z.object({
  content,
  refusal: text,
  reasoning_content: text,
  reasoning: text,
  thinking: text,
  reasoning_details: z.catch(z.optional(z.nullable(z.array(detail))), undefined),
  tool_calls: z.optional(z.nullable(z.array(callSchema))),
  function_call: z.optional(z.nullable(legacyCallSchema)),
});
type Message = z.infer<typeof message>;

const usage = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_cache_hit_tokens: count,
  prompt_tokens_details: z.catch(z.optional(z.nullable(z.object({ cached_tokens: count }))), undefined),
});
/** Specific to llama.cpp; prompt_n excludes cached tokens. */
const timings = z.object({
  cache_n: count,
  prompt_n: count,
  prompt_ms: count,
  predicted_n: count,
  predicted_ms: count,
});

const chunk = z.object({
  choices: z.optional(
    z.nullable(
      z.array(
        z.object({
          index: count,
          delta: z.optional(z.nullable(message)),
          message: z.optional(z.nullable(message)),
          finish_reason: text,
          usage: z.catch(z.optional(z.nullable(usage)), undefined),
        }),
      ),
    ),
  ),
  usage: z.catch(z.optional(z.nullable(usage)), undefined),
  timings: z.catch(z.optional(z.nullable(timings)), undefined),
});

/** Thinking text of a message; a server that sends it under two names at once means the same text. */
function thinkingOf({ reasoning_content, reasoning, thinking, reasoning_details }: Message): string {
  const named = [reasoning_content, reasoning, thinking].find((one) => (one ?? "") !== "");
  return named ?? (reasoning_details ?? []).map((one) => one.text ?? one.summary ?? "").join("");
}

const nested = z.array(z.object({ text }));

function piecesOf(given: Message["content"]): readonly { readonly kind: "text" | "thinking"; readonly text: string }[] {
  if (typeof given === "string") return [{ kind: "text", text: given }];
  return (given ?? []).map((one) => {
    if (one.type !== "thinking") return { kind: "text", text: one.text ?? "" } as const;
    if (typeof one.thinking === "string") return { kind: "thinking", text: one.thinking } as const;
    const parts = nested.safeParse(one.thinking);
    return { kind: "thinking", text: parts.success ? parts.data.map((each) => each.text ?? "").join("") : "" } as const;
  });
}

export interface Answer {
  /** Returns the parts of one event; do not call it again after a `finish`. Throws ProviderError `bad_answer`. */
  take(value: unknown): readonly ModelPart[];
  /** Returns the held-back parts and the last part, after the last event. */
  end(): readonly ModelPart[];
}

export interface AnswerOptions {
  /** UTF-16 units; bounds text, thinking and inputs together. Beyond it the answer ends as `length`. */
  readonly maxChars: number;
  /** ms; times a server does not report are measured from the creation of the answer. */
  readonly now: () => number;
}

type Usage = Extract<ModelPart, { type: "finish" }>["usage"];

type Ending =
  | { readonly stop: "done" | "length" }
  | { readonly code: "answer_filtered" | "server_error" | "server_busy"; readonly retryable: boolean };

/** Maps `finish_reason`; a missing or unknown one is a normal end. */
function endingOf(reason: string): Ending {
  switch (reason) {
    case "length":
    case "max_tokens":
      return { stop: "length" };
    case "content_filter":
    case "sensitive":
      return { code: "answer_filtered", retryable: false };
    case "error":
    case "network_error":
      return { code: "server_error", retryable: true };
    case "insufficient_system_resource":
      return { code: "server_busy", retryable: true };
    default:
      return { stop: "done" };
  }
}

export function makeAnswer({ maxChars, now }: AnswerOptions): Answer {
  const tags = makeThinkTags();
  const limit = makeAnswerLimit(maxChars);
  const calls = makeCalls();
  const counts = makeCounts(now);
  let reason = "";
  /** The server separates thinking itself, so a think tag in the text is plain text. */
  let splitByServer = false;

  function onThinking(whole: string): readonly ModelPart[] {
    const fitting = limit.fit(whole);
    if (fitting === "") return [];
    splitByServer = true;
    return [...tags.flush(), { type: "thinking", text: fitting }];
  }
  function onText(whole: string): readonly ModelPart[] {
    const fitting = limit.fit(whole);
    if (fitting === "") return [];
    return splitByServer ? [{ type: "text", text: fitting }] : tags.push(fitting);
  }
  function onCall(fragment: CallFragment): readonly ModelPart[] {
    const parts = calls.take(fragment, limit.fit);
    return parts.length === 0 ? [] : [...tags.flush(), ...parts];
  }
  const partsOf = (delta: Message): readonly ModelPart[] => [
    ...onThinking(thinkingOf(delta)),
    ...piecesOf(delta.content).flatMap((one) => (one.kind === "text" ? onText(one.text) : onThinking(one.text))),
    ...onText(delta.refusal ?? ""),
    ...(delta.tool_calls ?? []).flatMap(onCall),
    ...(delta.function_call === undefined || delta.function_call === null
      ? []
      : onCall({ function: delta.function_call })),
  ];
  function finished(ending: Ending): readonly ModelPart[] {
    const held = [...tags.flush(), ...calls.complete()];
    if ("stop" in ending) return [...held, { type: "finish", stop: ending.stop, usage: counts.usage() }];
    const error = { code: ending.code, detail: `finish_reason: ${reason}` };
    return [...held, { type: "failed", error, retryable: ending.retryable }];
  }

  return {
    take(value) {
      const parsed = chunk.safeParse(value);
      if (!parsed.success) throw brokenAnswer(JSON.stringify(value) ?? "");
      const choice = parsed.data.choices?.find(({ index = 0 }) => index === 0);
      const before = limit.chars;
      const delta = choice?.delta ?? choice?.message;
      const parts = delta === undefined || delta === null ? [] : partsOf(delta);
      reason = (choice?.finish_reason ?? "") || reason;
      counts.take(parsed.data.usage ?? choice?.usage, parsed.data.timings, parts.length > 0);
      // Empty events count too, so that an endless stream of them ends.
      if (limit.chars === before) limit.count(1);
      return limit.over ? [...parts, ...finished({ stop: "length" })] : parts;
    },
    end: () => finished(endingOf(reason)),
  };
}

type Told = z.infer<typeof usage>;
type Timings = z.infer<typeof timings>;

/**
 * Collects counts and times from the server. Missing times are measured: until the first token, and from there to the
 * last.
 */
function makeCounts(now: () => number) {
  const startedAt = now();
  let firstAt: number | undefined;
  let lastAt = startedAt;
  let reported: Told = {};
  let times: Timings = {};
  return {
    take(newReported: Told | null | undefined, newTimes: Timings | null | undefined, isToken: boolean) {
      reported = newReported ?? reported;
      times = newTimes ?? times;
      if (!isToken) return;
      lastAt = now();
      firstAt ??= lastAt;
    },
    usage(): Usage {
      const cached = reported.prompt_tokens_details?.cached_tokens ?? reported.prompt_cache_hit_tokens ?? times.cache_n;
      const read = times.prompt_n === undefined ? undefined : times.prompt_n + (times.cache_n ?? 0);
      return {
        promptTokens: reported.prompt_tokens ?? read ?? 0,
        ...(cached === undefined ? {} : { cachedTokens: cached }),
        outputTokens: reported.completion_tokens ?? times.predicted_n ?? 0,
        loadMs: 0,
        promptMs: Math.round(times.prompt_ms ?? Math.max((firstAt ?? startedAt) - startedAt, 0)),
        outputMs: Math.round(times.predicted_ms ?? Math.max(lastAt - (firstAt ?? lastAt), 0)),
      };
    },
  };
}
