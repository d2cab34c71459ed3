/** Turns the lines of one streamed answer into parts, in order of arrival. Pure but for its own state; called by ollama. */
import * as z from "zod/mini";
import type { Json } from "@/lib/content";
import { brokenAnswer } from "./ollama-errors";
import type { ModelPart } from "./provider";
import { makeThinkTags } from "./think-tags";

const text = z.optional(z.nullable(z.string()));
const count = z.catch(z.optional(z.number()), undefined);
const call = z.object({
  id: z.catch(z.optional(z.string()), undefined),
  function: z.object({
    name: z.catch(z.string(), ""),
    /** JSON.parse made it. */
    arguments: z.optional(z.custom<Json>()),
  }),
});
const line = z.object({
  message: z.optional(z.object({ content: text, thinking: text, tool_calls: z.optional(z.nullable(z.array(call))) })),
  done: z.optional(z.boolean()),
  done_reason: z.catch(z.optional(z.string()), undefined),
  load_duration: count,
  prompt_eval_count: count,
  prompt_eval_duration: count,
  eval_count: count,
  eval_duration: count,
});
type Line = z.infer<typeof line>;

const nsToMs = (ns: number | undefined): number => Math.round((ns ?? 0) / 1e6);

/** Servers leave counts out when everything was cached or a request was cut: 0, never a guess. */
const usageOf = (last: Partial<Line>) => ({
  promptTokens: last.prompt_eval_count ?? 0,
  outputTokens: last.eval_count ?? 0,
  loadMs: nsToMs(last.load_duration),
  promptMs: nsToMs(last.prompt_eval_duration),
  outputMs: nsToMs(last.eval_duration),
});

/** An object as a rule; text that is JSON of an object is read, other text stays as the model wrote it. */
function inputOf(written: Json | undefined): Json {
  if (written === undefined || written === null || written === "") return {};
  if (typeof written !== "string") return written;
  try {
    const parsed: Json = JSON.parse(written);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed) ? parsed : written;
  } catch {
    return written;
  }
}

/** The first `length` UTF-16 units, without half a character at the end. */
const cutText = (whole: string, length: number): string => whole.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");

export interface Answer {
  /** The parts of one parsed line; after a `finish` nothing more is to be read. Throws ProviderError `bad_answer`. */
  take(value: unknown): readonly ModelPart[];
}

/** `maxChars` bounds text, thinking and inputs together, UTF-16 units; what lies over it ends the answer as `length`. */
export function makeAnswer(maxChars: number): Answer {
  const tags = makeThinkTags();
  let chars = 0;
  /** The server splits thinking off itself, so a tag in the text is text. */
  let splitByServer = false;

  /** What of `whole` still fits. */
  const fitting = (whole: string): string => {
    const room = Math.max(maxChars - chars, 0);
    chars += whole.length;
    return whole.length <= room ? whole : cutText(whole, room);
  };

  function partsOf(message: NonNullable<Line["message"]>): ModelPart[] {
    const parts: ModelPart[] = [];
    const thinking = fitting(message.thinking ?? "");
    if (thinking !== "") {
      splitByServer = true;
      parts.push({ type: "thinking", text: thinking });
    }
    const content = fitting(message.content ?? "");
    if (content !== "" && splitByServer) parts.push({ type: "text", text: content });
    else if (content !== "") parts.push(...tags.push(content));
    for (const { id, function: written } of message.tool_calls ?? []) {
      const input = inputOf(written.arguments);
      chars += JSON.stringify(input).length;
      if (chars > maxChars) break;
      parts.push(...tags.flush());
      parts.push({ type: "call", ...(id === undefined || id === "" ? {} : { id }), name: written.name, input });
    }
    return parts;
  }

  return {
    take(value) {
      const parsed = line.safeParse(value);
      if (!parsed.success) throw brokenAnswer(JSON.stringify(value) ?? "");
      const last = parsed.data;
      const before = chars;
      const parts = last.message === undefined ? [] : partsOf(last.message);
      // Empty lines count too: a server that sends them for ever is stopped like any other.
      if (chars === before) chars += 1;
      const over = chars > maxChars;
      if (last.done !== true && !over) return parts;
      const stop = over || last.done_reason === "length" ? "length" : "done";
      return [...parts, ...tags.flush(), { type: "finish", stop, usage: usageOf(last) }];
    },
  };
}
