/**
 * Repairs the answers of a server before the client reads them. Its schemas refuse a whole list for one broken tool, and are
 * slow for large content: results are passed through them untouched, inside of an empty one, and are read by `lenientSchema` alone.
 * No schema of a server is ever compiled.
 */
import type { JSONRPCMessage, StandardSchemaV1, Transport } from "@modelcontextprotocol/client";
import { isJsonObject, type Json, type JsonObject } from "@/lib/events/content";
import { failMcp, McpError } from "../failure";
import { isMessage } from "./messages";

type MessageReceiver = NonNullable<Transport["onmessage"]>;

interface AnswerRepair {
  readonly receive: MessageReceiver;
  noteSent(message: JSONRPCMessage): void;
}

/** `deliver` gets the messages as the client accepts them. An answer to a request that was cancelled is left out. */
export function repairAnswers(deliver: MessageReceiver): AnswerRepair {
  /** Methods of the requests that have not been answered. */
  const methods = new Map<string, string>();
  return {
    receive(message: unknown, extra) {
      if (!isAnswer(message)) return isMessage(message) ? deliver(message, extra) : undefined;
      const method = methods.get(String(message.id));
      if (method === undefined || !methods.delete(String(message.id))) return;
      const { result, error, ...rest } = message;
      // Beside a result, some servers send an error that is null.
      const isFailed = error !== undefined && (error !== null || result === undefined);
      const repaired = isFailed
        ? { ...rest, error: repairError(error) }
        : { ...rest, result: repairResult(method, result ?? null) };
      if (isMessage(repaired)) deliver(repaired, extra);
    },
    noteSent(message) {
      if (!("method" in message)) return;
      if (message.method === "notifications/cancelled") methods.delete(String(message.params?.requestId));
      if ("id" in message) methods.set(String(message.id), message.method);
    },
  };
}

const isAnswer = (message: unknown): message is JsonObject =>
  typeof message === "object" && message !== null && "id" in message && !("method" in message);

function repairError(error: Json | undefined): JsonObject {
  if (!isJsonObject(error)) return { code: 0, message: Array.isArray(error) ? "" : String(error) };
  const { code, message, ...rest } = error;
  return {
    ...rest,
    code: typeof code === "number" && Number.isInteger(code) ? code : 0,
    message: typeof message === "string" ? message : "",
  };
}

/** Member of a result that has it as the server sent it. */
const rawKey = "gopi/raw";
/** The empty result of every method, in every revision. */
const emptyResult = {
  resultType: "complete",
  ...{ content: [], contents: [], messages: [], tools: [], prompts: [], resources: [] },
  ...{ ttlMs: 0, cacheScope: "private" },
};

function repairResult(method: string, result: Json): Json {
  if (isJsonObject(result) && result.resultType === "input_required") return result;
  if (/^(?:tools|prompts|resources)\//.test(method)) return { ...emptyResult, [rawKey]: result };
  if (!isJsonObject(result)) return result;
  return method === "initialize" ? repairHandshake(result) : { resultType: "complete", ...result };
}

/**
 * Reads a result of the client as the server sent it. Throws McpError: refused if it asks for what this connection does not
 * have, too_large if it is nested too deeply.
 */
export function readResult<T>(result: unknown, read: (raw: Json) => T): T {
  const raw = isAnyObject(result) ? result[rawKey] : undefined;
  if (!isJson(raw)) throw new McpError(failMcp({ reason: "refused" }).error);
  try {
    return read(raw);
  } catch {
    throw new McpError(failMcp({ reason: "too_large" }, "unreadable").error);
  }
}

const isAnyObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null;
/** Narrows a value that was parsed from JSON. */
const isJson = (value: unknown): value is Json => value !== undefined;

/** Returns a schema for a request of the client that accepts every result. */
export const lenientSchema = <T>(read: (raw: Json) => T): StandardSchemaV1<unknown, T> => ({
  "~standard": { version: 1, vendor: "gopi-web", validate: (result) => ({ value: readResult(result, read) }) },
});

/** Completes the answer to `initialize`. */
function repairHandshake({ capabilities, serverInfo, instructions, ...rest }: JsonObject): Json {
  const information = isJsonObject(serverInfo) ? serverInfo : {};
  return {
    ...rest,
    capabilities: isJsonObject(capabilities) ? onlyObjects(capabilities) : {},
    serverInfo: {
      name: typeof information.name === "string" ? information.name : "",
      version: typeof information.version === "string" ? information.version : "",
    },
    ...(typeof instructions === "string" ? { instructions } : {}),
  };
}

const onlyObjects = (capabilities: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(capabilities).flatMap(([name, value]): readonly [string, Json][] => {
      if (value === true) return [[name, {}]];
      return isJsonObject(value) ? [[name, value]] : [];
    }),
  );
