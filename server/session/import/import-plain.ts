/**
 * Imports a session in Gopi's format as other programs write it: messages, tool results, model changes and compactions
 * without our events.
 */
import * as z from "zod/mini";
import type { Block, Json } from "@/lib/events/content";
import { ok, type Result } from "@/lib/events/error";
import { asId, type CallId } from "@/lib/events/id";
import { beginTimeSlice } from "@/server/base/steps";
import { type ImportedSession, type ImportTarget, headerTitle, versionProblem } from "./import-gopi";
import { badLine, parseCount, type ImportFile, type ImportLine, parseTime } from "./import-lines";
import { ImportWriter } from "./import-writer";

export async function importPlain(
  { header, lines }: ImportFile,
  target: ImportTarget,
): Promise<Result<ImportedSession>> {
  const refused = versionProblem(header);
  if (refused !== null) return refused;
  const writer = new ImportWriter(target.start, parseTime(header.value.timestamp) ?? target.now);
  let model = "";
  let unknown = 0;
  /** Open calls of the newest assistant message, by the id in the file. */
  let calls = new Map<string, CallId>();
  const turn = beginTimeSlice();
  for (const [index, one] of lines.entries()) {
    const { line, value } = one;
    if (turn.isOver()) await turn.next();
    const at = parseTime(value.timestamp) ?? writer.at;
    const { type, role, content, summary } = value;
    if (type === "model_change" && typeof value.model === "string") model = value.model;
    else if (type === "compaction" && typeof summary === "string") {
      writer.addCompaction({ summary, tokensBefore: parseCount(value.token_before), keepFromSeq: null }, at);
    } else if (type !== "message" || (role !== "user" && role !== "assistant" && role !== "tool")) unknown += 1;
    else {
      const hasCalls = role === "assistant" && Array.isArray(value.tool_calls);
      if (typeof content !== "string" && !hasCalls) return badLine(line, "content");
      const blocks: readonly Block[] =
        typeof content === "string" && (content !== "" || !hasCalls) ? [{ type: "text", text: content }] : [];
      if (role === "user") writer.addUserMessage(blocks, at);
      else if (role === "assistant") {
        const collected = collectCalls(value.tool_calls, lines, index + 1);
        calls = collected.ids;
        writer.addAssistantMessage({ blocks: [...blocks, ...collected.blocks], stop: "done" }, at);
      } else {
        const id = resultId(one);
        if (!writer.hasOpenCalls || !calls.has(id)) {
          // A result without a matching call gets a call of its own.
          const callId = asId<CallId>(`g${index}-own`);
          calls = new Map([[id, callId]]);
          writer.addAssistantMessage(
            { blocks: [{ type: "call", callId, name: toolName(one), input: {} }], stop: "done" },
            at,
          );
        }
        const callId = calls.get(id);
        calls.delete(id);
        if (callId !== undefined) writer.addResult(callId, value.is_error === true ? "error" : "ok", blocks, at);
      }
    }
  }
  writer.endRun();
  return ok({ rows: writer.rows, title: headerTitle(header), model, unknown });
}

const plainCall = z.object({
  id: z.optional(z.string()),
  name: z.optional(z.string()),
  arguments: z.optional(z.json()),
  function: z.optional(z.object({ name: z.string(), arguments: z.optional(z.json()) })),
});

/** Results after a message that can become its calls, at most; each later one gets a message of its own. */
const maxResultsAhead = 256;

interface CollectedCalls {
  readonly ids: Map<string, CallId>;
  readonly blocks: readonly Block[];
}

/** Calls listed by a message, and calls that only the results directly after it (from `next` on) mention. */
function collectCalls(listed: unknown, lines: readonly ImportLine[], next: number): CollectedCalls {
  const ids = new Map<string, CallId>();
  const blocks: Block[] = [];
  const add = (id: string, name: string, input: Json): void => {
    if (ids.has(id)) return;
    // Other programs restart call numbers in each message; ours are unique in a session.
    const callId = asId<CallId>(`g${next}-${blocks.length}`);
    ids.set(id, callId);
    blocks.push({ type: "call", callId, name, input });
  };
  const list: readonly unknown[] = Array.isArray(listed) ? listed : [];
  for (const one of list) {
    const call = plainCall.safeParse(one);
    if (!call.success) continue;
    const { id = "", name = "tool", arguments: input, function: calledFunction } = call.data;
    add(id, calledFunction?.name ?? name, parseInput(calledFunction?.arguments ?? input));
  }
  for (let index = next; index - next < maxResultsAhead; index += 1) {
    const line = lines[index];
    if (line?.value.type !== "message" || line.value.role !== "tool") break;
    add(resultId(line), toolName(line), {});
  }
  return { ids, blocks };
}

const textOrEmpty = (value: unknown): string => (typeof value === "string" ? value : "");
const toolName = ({ value }: ImportLine): string => textOrEmpty(value.name) || "tool";
const resultId = ({ value }: ImportLine): string => textOrEmpty(value.tool_call_id);

/** Arguments as an object, or parsed from JSON text; unparsable text is kept. */
function parseInput(value: Json | undefined): Json {
  if (typeof value !== "string") return value ?? {};
  try {
    return z.json().parse(JSON.parse(value));
  } catch {
    return value;
  }
}
