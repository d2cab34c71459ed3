/**
 * Converts a conversation for models that call tools in their text: calls become part of the answer's text, results
 * the next user message. Pure and per message, so the prefix law still holds.
 */
import type { Json } from "@/lib/events/content";
import type { ToolMode } from "@/lib/events/event";
import type { ModelMessage } from "@/server/providers/provider";
import { weakMemo } from "@/server/base/weak-memo";

export type TextMode = Exclude<ToolMode, "native">;

type Answer = Extract<ModelMessage, { role: "assistant" }>;
type Call = NonNullable<Answer["calls"]>[number];
type ToolMessage = Extract<ModelMessage, { role: "tool" }>;
type UserMessage = Extract<ModelMessage, { role: "user" }>;

interface TextModeFormat {
  /** The thinking before a call; "" = omitted. */
  thought(thinking: string): string;
  call(name: string, input: Json): string;
  result(name: string, text: string): string;
}

const textModeFormats: Readonly<Record<TextMode, TextModeFormat>> = {
  react: {
    // A Thought line belongs to the format: a model that sees none stops writing them. Longer thinking is reasoning
    // of its own kind and is omitted.
    thought: (thinking) => (thinking.length > thoughtMaxChars ? "" : `Thought: ${thinking}`),
    call: (name, input) => `Action: ${name}\nAction Input: ${formatTextModeInput(input)}`,
    result: (_name, text) => `Observation: ${text}`,
  },
  xml: {
    thought: () => "",
    call: (name, input) => `<tool name="${name}">${formatElements(input)}</tool>`,
    // File content cannot close the surrounding element.
    result: (name, text) =>
      `<tool_result name="${name}">\n${text.replaceAll("</tool_result", "<\\/tool_result")}\n</tool_result>`,
  },
};

const thoughtMaxChars = 1_200;

const formatTextModeInput = (input: Json): string => (typeof input === "string" ? input : JSON.stringify(input));

/** One element per argument; a multi-line value starts and ends with a line break. */
function formatElements(input: Json): string {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return formatTextModeInput(input);
  const fields = Object.entries(input).map(([name, value]) => {
    const text = formatTextModeInput(value);
    return `<${name}>${text.includes("\n") ? `\n${text}\n` : text}</${name}>\n`;
  });
  return fields.length === 0 ? "" : `\n${fields.join("")}`;
}

/**
 * Renders a call that was read from the text verbatim (calls of one list share that text), a native call and one whose
 * text is missing in the format of this mode.
 */
const formatCalls = (calls: readonly Call[], wording: TextModeFormat): readonly string[] =>
  calls.flatMap((call, index) => {
    if (call.raw === undefined || call.raw === "") return [wording.call(call.name, call.input)];
    return call.raw === calls[index - 1]?.raw ? [] : [call.raw];
  });

const formatThought = ({ thinking = "" }: Answer, wording: TextModeFormat): string =>
  thinking.trim() === "" ? "" : wording.thought(thinking.trim());

interface MessageConverter {
  answer(message: Answer): ModelMessage;
  /** Merges the results of one answer into one message. */
  results(messages: readonly [ToolMessage, ...ToolMessage[]]): UserMessage;
}

function makeConverter(wording: TextModeFormat): MessageConverter {
  const groups = new WeakMap<ToolMessage, { readonly of: readonly ToolMessage[]; readonly message: UserMessage }>();
  return {
    answer: weakMemo((message) => ({
      role: "assistant",
      ...(message.reasoning === undefined ? {} : { reasoning: message.reasoning }),
      text: [formatThought(message, wording), message.text.trimEnd(), ...formatCalls(message.calls ?? [], wording)]
        .filter((part) => part !== "")
        .join("\n"),
    })),
    results(messages) {
      const cached = groups.get(messages[0]);
      if (cached !== undefined && hasSameMessages(cached.of, messages)) return cached.message;
      const images = messages.flatMap((message) => message.images ?? []);
      const converted: UserMessage = {
        role: "user",
        text: messages.map((message) => wording.result(message.name, message.text)).join("\n\n"),
        ...(images.length === 0 ? {} : { images }),
      };
      groups.set(messages[0], { of: messages, message: converted });
      return converted;
    },
  };
}

const hasSameMessages = (one: readonly ToolMessage[], other: readonly ToolMessage[]): boolean =>
  one.length === other.length && one.every((message, index) => message === other[index]);

const converters: Readonly<Record<TextMode, MessageConverter>> = {
  react: makeConverter(textModeFormats.react),
  xml: makeConverter(textModeFormats.xml),
};

/**
 * Whether message `index` has only a call that the user decided to run, and whose text is in the answer before it. A
 * compaction may have dropped that answer; the call is then rendered like a native one.
 */
function isInAnswerBefore(messages: readonly ModelMessage[], index: number): boolean {
  const [before, message] = [messages[index - 1], messages[index]];
  if (before?.role !== "assistant" || before.calls !== undefined || message?.role !== "assistant") return false;
  const { text, calls = [] } = message;
  return text === "" && calls.length > 0 && calls.every(({ raw }) => raw === "");
}

/**
 * For a model that calls natively: the result of a call that an answer contains as text is a user's message after that
 * answer. Without such calls the messages are returned unchanged.
 */
export function convertDecidedCalls(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const ids = new Set(
    messages.flatMap((message, index) =>
      message.role === "assistant" && isInAnswerBefore(messages, index)
        ? (message.calls ?? []).map(({ callId }) => callId)
        : [],
    ),
  );
  if (ids.size === 0) return messages;
  return messages.flatMap((message, index) => {
    if (isInAnswerBefore(messages, index)) return [];
    return message.role === "tool" && ids.has(message.callId) ? [converters.xml.results([message])] : [message];
  });
}

/** System and user messages stay the same objects; converted messages are memoized. */
export function convertToTextMode(messages: readonly ModelMessage[], mode: TextMode): readonly ModelMessage[] {
  const mapping = converters[mode];
  const mapped: ModelMessage[] = [];
  let results: ToolMessage[] = [];
  const flushResults = (): void => {
    const [first, ...more] = results;
    if (first !== undefined) mapped.push(mapping.results([first, ...more]));
    results = [];
  };
  for (const [index, message] of messages.entries()) {
    if (message.role === "tool") {
      results.push(message);
      continue;
    }
    flushResults();
    if (isInAnswerBefore(messages, index)) continue;
    mapped.push(message.role === "assistant" && message.calls !== undefined ? mapping.answer(message) : message);
  }
  flushResults();
  return mapped;
}
