/**
 * Converts the session files of other agents to lines of Gopi's format: Claude Code (`~/.claude/projects`), Codex
 * (`~/.codex/sessions`, rollout files), and bare messages with `role` and `content`, as Golem, Kimi-Go and many scripts write
 * them. Thinking, attachments and lines of subagents are left out.
 */
import { isRecord } from "@/lib/events/content";
import { parseJson } from "@/server/base/parse-json";
import { beginTimeSlice } from "@/server/base/steps";
import type { ImportLine } from "./import-lines";

type Fields = ImportLine["value"];

interface Call {
  readonly id: unknown;
  readonly name: unknown;
  readonly arguments: unknown;
}

/** A message of the conversation; consecutive ones of the assistant become one. */
type Part =
  | { readonly role: "user"; readonly text: string }
  | { readonly role: "assistant"; readonly text: string; readonly calls: readonly Call[] }
  | { readonly role: "tool"; readonly id: unknown; readonly text: string; readonly isError: boolean };

const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const textOrEmpty = (value: unknown): string => (typeof value === "string" ? value : "");

/** A text, or the texts of a list of content parts. */
const contentText = (content: unknown): string =>
  typeof content === "string"
    ? content
    : listOf(content)
        .map(({ text }) => textOrEmpty(text))
        .filter((text) => text !== "")
        .join("\n\n");

interface ForeignFormat {
  /** Whether the first lines are of this format. */
  isOf(first: readonly Fields[]): boolean;
  /** The lines of the conversation in order; absent = all. */
  choose?(lines: readonly ImportLine[]): readonly ImportLine[];
  parts(value: Fields): readonly Part[];
  title?(lines: readonly ImportLine[]): string;
  readonly model?: (value: Fields) => string;
}

/** No line has it. */
const noId = Symbol("no id");

const claudeCode: ForeignFormat = {
  isOf: (first) => first.some(({ sessionId, message }) => typeof sessionId === "string" && isRecord(message)),
  choose(lines) {
    const messages = lines.filter(({ value }) => isRecord(value.message) && value.isSidechain !== true);
    // Without ids, or with a circle of them, the order of the file is all there is.
    if (messages.some(({ value }) => typeof value.uuid !== "string")) return lines;
    const byId = new Map(lines.map((line) => [line.value.uuid, line]));
    const chain = new Set<ImportLine>();
    for (let line = messages.at(-1); line !== undefined; ) {
      if (chain.has(line)) return lines;
      chain.add(line);
      const { parentUuid, logicalParentUuid } = line.value;
      line = byId.get(parentUuid ?? logicalParentUuid ?? noId);
    }
    return [...chain].reverse();
  },
  parts(value) {
    if (!isRecord(value.message) || value.isMeta === true || value.isSidechain === true) return [];
    const { role, content } = value.message;
    const text = contentText(
      typeof content === "string" ? content : listOf(content).filter(({ type }) => type === "text"),
    );
    if (role === "assistant") {
      const calls = listOf(content).filter(({ type }) => type === "tool_use");
      return [{ role, text, calls: calls.map(({ id, name, input }) => ({ id, name, arguments: input })) }];
    }
    const results = listOf(content).flatMap((part): Part[] =>
      part.type === "tool_result"
        ? [{ role: "tool", id: part.tool_use_id, text: contentText(part.content), isError: part.is_error === true }]
        : [],
    );
    return text === "" ? results : [...results, { role: "user", text }];
  },
  title: (lines) => textOrEmpty(lines.find(({ value }) => value.type === "summary")?.value.summary),
  model: ({ message }) => (isRecord(message) ? textOrEmpty(message.model) : ""),
};

/** Messages of the user that Codex wrote itself. */
const ownContext = /^<(?:environment_context|user_instructions|turn_aborted|permissions instructions)>/;

/** The output of a call: a text, a text with measured values as JSON, or an object. */
function codexOutput(output: unknown): { readonly text: string; readonly isError: boolean } {
  if (isRecord(output)) return { text: textOrEmpty(output.content), isError: output.success === false };
  const text = contentText(output);
  const parsed = text.startsWith('{"output":') ? parseJson(text) : undefined;
  return { text: isRecord(parsed) ? textOrEmpty(parsed.output) : text, isError: false };
}

const codex: ForeignFormat = {
  isOf: (first) => first.some(({ type, payload }) => type === "session_meta" && isRecord(payload)),
  parts({ type, payload }) {
    if (type !== "response_item" || !isRecord(payload)) return [];
    const text = contentText(payload.content);
    switch (payload.type) {
      case "message":
        if (payload.role === "assistant") return [{ role: "assistant", text, calls: [] }];
        // The program's own context is sent in messages of the user that begin with a tag.
        return payload.role === "user" && !ownContext.test(text) ? [{ role: "user", text }] : [];
      case "function_call":
      case "custom_tool_call": {
        const input = payload.arguments ?? payload.input;
        return [
          { role: "assistant", text: "", calls: [{ id: payload.call_id, name: payload.name, arguments: input }] },
        ];
      }
      case "function_call_output":
      case "custom_tool_call_output":
        return [{ role: "tool", id: payload.call_id, ...codexOutput(payload.output) }];
      default:
        return [];
    }
  },
  model: ({ type, payload }) => (type === "turn_context" && isRecord(payload) ? textOrEmpty(payload.model) : ""),
};

const bareMessages: ForeignFormat = {
  isOf: ([first]) => first !== undefined && typeof first.role === "string" && first.type === undefined,
  parts({ role, content, tool_calls: calls, tool_call_id: id }) {
    const text = contentText(content);
    if (role === "user") return [{ role, text }];
    if (role === "tool") return [{ role, id, text, isError: false }];
    if (role !== "assistant") return [];
    const named = listOf(calls).map((call) => {
      const source = isRecord(call.function) ? call.function : call;
      return { id: call.id, name: source.name, arguments: source.arguments };
    });
    return [{ role, text, calls: named }];
  },
};

const formats = [claudeCode, codex, bareMessages];
/** Types of the lines with which the files of Gopi and pi begin. */
const ownHeaders: ReadonlySet<unknown> = new Set(["header", "session"]);
/** Lines by which a format is recognized. */
const firstLines = 20;

const startOf = (first: readonly Fields[]): unknown =>
  first.find(({ timestamp }) => typeof timestamp === "string" && timestamp !== "")?.timestamp;

/** Returns the file's session in Gopi's format with its header; null = the file is of none of these agents. */
export async function convertForeignLines(lines: readonly ImportLine[]): Promise<readonly ImportLine[] | null> {
  const first = lines.slice(0, firstLines).map(({ value }) => value);
  if (ownHeaders.has(first[0]?.type)) return null;
  const format = formats.find((one) => one.isOf(first));
  if (format === undefined) return null;
  const title = format.title?.(lines) ?? "";
  const written: ImportLine[] = [{ line: 1, value: { type: "header", title, timestamp: startOf(first) } }];
  let answer: { line: number; timestamp: unknown; texts: string[]; calls: Call[] } | null = null;
  let model = "";
  const endAnswer = (): void => {
    if (answer === null) return;
    const { line, timestamp, texts, calls } = answer;
    answer = null;
    const content = texts.join("\n\n");
    written.push({ line, value: { type: "message", role: "assistant", content, tool_calls: calls, timestamp } });
  };
  const slice = beginTimeSlice();
  for (const { line, value } of format.choose?.(lines) ?? lines) {
    if (slice.isOver()) await slice.next();
    const { timestamp } = value;
    const named = format.model?.(value) ?? "";
    if (named !== "" && named !== model) {
      model = named;
      written.push({ line, value: { type: "model_change", model } });
    }
    for (const part of format.parts(value)) {
      if (part.role === "assistant") {
        answer ??= { line, timestamp, texts: [], calls: [] };
        if (part.text !== "") answer.texts.push(part.text);
        answer.calls.push(...part.calls);
        continue;
      }
      endAnswer();
      const { role, text: content } = part;
      const result = part.role === "tool" ? { tool_call_id: part.id, is_error: part.isError } : {};
      written.push({ line, value: { type: "message", role, content, timestamp, ...result } });
    }
  }
  endAnswer();
  return written;
}
