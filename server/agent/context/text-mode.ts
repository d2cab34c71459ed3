/**
 * Converts a conversation for models that call tools in their text: calls become part of the answer's text, results
 * the next user message. Pure and per message, so the prefix law still holds.
 */
import type { Json } from "@/lib/content";
import type { ToolMode } from "@/lib/event";
import type { ModelMessage } from "../../providers/provider";
import { beside } from "./beside";

export type TextMode = Exclude<ToolMode, "native">;

type Answer = Extract<ModelMessage, { role: "assistant" }>;
type Call = NonNullable<Answer["calls"]>[number];
type ToolMessage = Extract<ModelMessage, { role: "tool" }>;
type UserMessage = Extract<ModelMessage, { role: "user" }>;

interface Wording {
  /** The thinking before a call; "" = omitted. */
  thought(thinking: string): string;
  call(name: string, input: Json): string;
  result(name: string, text: string): string;
}

const wordings: Readonly<Record<TextMode, Wording>> = {
  react: {
    // A Thought line belongs to the format: a model that sees none stops writing them. Longer thinking is reasoning
    // of its own kind and is omitted.
    thought: (thinking) => (thinking.length > thoughtMaxChars ? "" : `Thought: ${thinking}`),
    call: (name, input) => `Action: ${name}\nAction Input: ${inputText(input)}`,
    result: (_name, text) => `Observation: ${text}`,
  },
  xml: {
    thought: () => "",
    call: (name, input) => `<tool name="${name}">${elementsOf(input)}</tool>`,
    // File content cannot close the surrounding element.
    result: (name, text) =>
      `<tool_result name="${name}">\n${text.replaceAll("</tool_result", "<\\/tool_result")}\n</tool_result>`,
  },
};

const thoughtMaxChars = 1_200;

const inputText = (input: Json): string => (typeof input === "string" ? input : JSON.stringify(input));

/** One element per argument; a multi-line value starts and ends with a line break. */
function elementsOf(input: Json): string {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return inputText(input);
  const fields = Object.entries(input).map(([name, value]) => {
    const text = inputText(value);
    return `<${name}>${text.includes("\n") ? `\n${text}\n` : text}</${name}>\n`;
  });
  return fields.length === 0 ? "" : `\n${fields.join("")}`;
}

/**
 * A call that was read from the text is rendered verbatim (calls of one list share that text), a native call in the
 * format of this mode.
 */
const callTexts = (calls: readonly Call[], wording: Wording): readonly string[] =>
  calls.flatMap((call, index) => {
    if (call.raw === undefined) return [wording.call(call.name, call.input)];
    return call.raw === calls[index - 1]?.raw ? [] : [call.raw];
  });

const thoughtOf = ({ thinking = "" }: Answer, wording: Wording): string =>
  thinking.trim() === "" ? "" : wording.thought(thinking.trim());

interface Mapping {
  answer(message: Answer): ModelMessage;
  /** Merges the results of one answer into one message. */
  results(messages: readonly [ToolMessage, ...ToolMessage[]]): UserMessage;
}

function mappingOf(wording: Wording): Mapping {
  const groups = new WeakMap<ToolMessage, { readonly of: readonly ToolMessage[]; readonly told: UserMessage }>();
  return {
    answer: beside((message) => ({
      role: "assistant",
      text: [thoughtOf(message, wording), message.text.trimEnd(), ...callTexts(message.calls ?? [], wording)]
        .filter((part) => part !== "")
        .join("\n"),
    })),
    results(messages) {
      const cached = groups.get(messages[0]);
      if (cached !== undefined && isSame(cached.of, messages)) return cached.told;
      const images = messages.flatMap((message) => message.images ?? []);
      const converted: UserMessage = {
        role: "user",
        text: messages.map((message) => wording.result(message.name, message.text)).join("\n\n"),
        ...(images.length === 0 ? {} : { images }),
      };
      groups.set(messages[0], { of: messages, told: converted });
      return converted;
    },
  };
}

const isSame = (one: readonly ToolMessage[], other: readonly ToolMessage[]): boolean =>
  one.length === other.length && one.every((message, index) => message === other[index]);

const mappings: Readonly<Record<TextMode, Mapping>> = {
  react: mappingOf(wordings.react),
  xml: mappingOf(wordings.xml),
};

/** System and user messages stay the same objects; converted messages are memoized. */
export function inTextMode(messages: readonly ModelMessage[], mode: TextMode): readonly ModelMessage[] {
  const mapping = mappings[mode];
  const mapped: ModelMessage[] = [];
  let results: ToolMessage[] = [];
  const flushResults = (): void => {
    const [first, ...more] = results;
    if (first !== undefined) mapped.push(mapping.results([first, ...more]));
    results = [];
  };
  for (const message of messages) {
    if (message.role === "tool") {
      results.push(message);
      continue;
    }
    flushResults();
    mapped.push(message.role === "assistant" && message.calls !== undefined ? mapping.answer(message) : message);
  }
  flushResults();
  return mapped;
}
