/** Reads messages of MCP (JSON-RPC) from lines of a process's output. */
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isJsonObject, type Json, type JsonObject } from "@/lib/events/content";
import { parseJson } from "@/server/base/parse-json";
import type { OutputLine } from "./line-reader";

/** Code of the error that answers a request in place of an answer over the limit. */
export const tooLargeCode = -32_098;
/** Code of the error that answers a request whose stream ended without an answer. */
export const cutCode = -32_097;

const looksLikeMessage = (value: Json): value is JsonObject =>
  isJsonObject(value) && ("method" in value || ("id" in value && ("result" in value || "error" in value)));

/** Has the members of a message; the client checks the rest. */
export const isMessage = (value: unknown): value is JSONRPCMessage =>
  typeof value === "object" && value !== null && "jsonrpc" in value;

/** Returns the messages of a line, which may be a batch; null = it is something else. */
export function parseMessages(line: string): readonly JsonObject[] | null {
  // A look at the first character is cheaper than the exception of the parser.
  if (!/^\s*[[{]/.test(line)) return null;
  const value = parseJson(line);
  const values = Array.isArray(value) ? value : value === undefined ? [] : [value];
  const messages = values.filter(looksLikeMessage);
  if (messages.length === 0 || messages.length < values.length) return null;
  return messages.map((message) => ({ ...message, jsonrpc: "2.0" }));
}

/** Returns an error for the request that a line over the limit seems to answer; null = its id is not visible. */
export function tooLargeAnswer({ head, tail, bytes }: Extract<OutputLine, { kind: "long" }>): JSONRPCMessage | null {
  const first = /^\s*\{(?:"jsonrpc":\s*"2\.0",\s*)?"id":\s*(\d{1,15})\s*,/.exec(head);
  const last = /"id":\s*(\d{1,15})\s*(?:,\s*"jsonrpc":\s*"2\.0"\s*)?\}\s*$/.exec(tail);
  const id = first?.[1] ?? last?.[1];
  if (id === undefined) return null;
  return { jsonrpc: "2.0", id: Number(id), error: { code: tooLargeCode, message: `an answer of ${bytes} bytes` } };
}
