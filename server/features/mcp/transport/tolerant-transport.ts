/**
 * A transport around any transport: repairs what servers get wrong, so that one broken tool or content never costs the
 * others. Results with content do not pass the client, which refuses or slowly checks them; they are fetched with
 * `takeResult`. No schema of a server is ever compiled.
 */
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { Json } from "@/lib/events/content";
import { isJsonObject, isMessage, type JsonObject, tooLargeCode } from "./messages";
import type { ForeignContent, ForeignResult } from "@/server/tools/toolbox/foreign-result";
import { repairContent, repairResource, repairToolResult } from "./repair-content";
import { isListMethod, type ListMethod, makeListRepair, type RepairedList, repairHandshake } from "./repair-lists";

/** A result that the client got a stand-in for. */
export type McpResult =
  | ({ readonly kind: "call" } & ForeignResult)
  | { readonly kind: "resource"; readonly content: readonly ForeignContent[] }
  | { readonly kind: "prompt"; readonly messages: readonly McpPromptMessage[] };

export interface McpPromptMessage {
  readonly role: "user" | "assistant";
  readonly content: readonly ForeignContent[];
}

export interface TolerantTransport extends Transport {
  /** Returns, once, the repaired result that the client got as a stand-in; null for any other value. */
  takeResult(standIn: unknown): McpResult | null;
  /** The list that was requested last. */
  lastList(method: ListMethod): RepairedList;
}

export function makeTolerantTransport(inner: Transport): TolerantTransport {
  /** Methods of the requests that have not been answered. */
  const methods = new Map<string, string>();
  const lists = makeListRepair();
  const standIns = makeStandIns();

  function repairResult(method: string, result: Json): Json {
    if (isJsonObject(result) && result.resultType === "input_required") return result;
    if (isListMethod(method)) return lists.repair(method, result);
    if (method === "initialize") return repairHandshake(result);
    return standIns.replace(method, result) ?? (isJsonObject(result) ? { resultType: "complete", ...result } : result);
  }

  function receiveAnswer(answer: JsonObject): void {
    const id = String(answer.id);
    const method = methods.get(id);
    // The answer to a request that was cancelled.
    if (method === undefined) return;
    methods.delete(id);
    const repaired =
      "error" in answer
        ? { ...answer, error: repairError(answer.error) }
        : { ...answer, result: repairResult(method, answer.result ?? null) };
    if (isMessage(repaired)) transport.onmessage?.(repaired);
  }

  function receive(message: JSONRPCMessage, extra: MessageExtra): void {
    if (!isAnswer(message)) return transport.onmessage?.(message, extra);
    try {
      receiveAnswer(message);
    } catch (error) {
      // For example nested so deeply that it cannot be read.
      transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
      const failed = { jsonrpc: "2.0", id: message.id, error: { code: tooLargeCode, message: "unreadable" } };
      if (isMessage(failed)) transport.onmessage?.(failed);
    }
  }

  function noteSent(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if (message.method === "notifications/cancelled") methods.delete(String(message.params?.requestId));
    if (!("id" in message)) return;
    methods.set(String(message.id), message.method);
    if (isListMethod(message.method) && message.params?.cursor === undefined) lists.begin(message.method);
  }

  const transport: TolerantTransport = {
    async start() {
      inner.onclose = () => transport.onclose?.();
      inner.onerror = (error) => transport.onerror?.(error);
      inner.onmessage = receive;
      await inner.start();
    },
    send(message, options) {
      noteSent(message);
      return inner.send(message, options);
    },
    close: () => inner.close(),
    get hasPerRequestStream() {
      return inner.hasPerRequestStream;
    },
    get sessionId() {
      return inner.sessionId;
    },
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
    setSupportedProtocolVersions: (versions) => inner.setSupportedProtocolVersions?.(versions),
    takeResult: standIns.take,
    lastList: lists.last,
  };
  // The client treats transports with these members as those to a process.
  return "pid" in inner && "stderr" in inner ? Object.assign(transport, { pid: inner.pid, stderr: null }) : transport;
}

type MessageExtra = Parameters<NonNullable<Transport["onmessage"]>>[1];

const isAnswer = (message: unknown): message is JsonObject =>
  typeof message === "object" && message !== null && "id" in message && !("method" in message);

function repairError(error: Json | undefined): JsonObject {
  if (!isJsonObject(error)) return { code: 0, message: typeof error === "string" ? error : JSON.stringify(error) };
  const { code, message, ...rest } = error;
  return {
    ...rest,
    code: typeof code === "number" && Number.isInteger(code) ? code : 0,
    message: typeof message === "string" ? message : "",
  };
}

/** Member of `_meta` in a stand-in. */
const standInKey = "gopi/result";

/** Holds the results with content, and gives the client results without content in their place. */
function makeStandIns() {
  const results = new Map<string, McpResult>();
  let last = 0;
  const hold = (result: McpResult, empty: JsonObject): JsonObject => {
    last += 1;
    results.set(`${last}`, result);
    const caching = { ttlMs: 0, cacheScope: "private" };
    return { ...empty, ...caching, resultType: "complete", _meta: { [standInKey]: `${last}` } };
  };
  return {
    /** null = results of this method pass the client. */
    replace(method: string, result: Json): JsonObject | null {
      switch (method) {
        case "tools/call":
          return hold({ kind: "call", ...repairToolResult(result) }, { content: [] });
        case "resources/read":
          return hold(
            { kind: "resource", content: membersOf(result, "contents").map(repairResource) },
            { contents: [] },
          );
        case "prompts/get":
          return hold({ kind: "prompt", messages: membersOf(result, "messages").map(repairMessage) }, { messages: [] });
        default:
          return null;
      }
    },
    take(value: unknown): McpResult | null {
      const meta = typeof value === "object" && value !== null && "_meta" in value ? value._meta : null;
      if (typeof meta !== "object" || meta === null || !(standInKey in meta)) return null;
      const key = String(meta[standInKey]);
      const result = results.get(key) ?? null;
      results.delete(key);
      return result;
    },
  };
}

function membersOf(result: Json, name: string): readonly JsonObject[] {
  const list = isJsonObject(result) ? result[name] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

const repairMessage = ({ role, content }: JsonObject): McpPromptMessage => ({
  role: role === "assistant" ? "assistant" : "user",
  content: repairContent(content),
});
