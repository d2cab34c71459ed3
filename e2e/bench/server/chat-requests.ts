/** Selects the chat requests among the requests to the scripted model: without lists, states and warm-up requests. */
import type { ScriptedRequest } from "../../fixtures/scripted-model.mjs";

export interface ChatRequestBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly unknown[];
}

interface ChatRequest {
  readonly body: ChatRequestBody;
  /** ms since the epoch at which the request arrived */
  readonly at: number;
  /** The answer has ended. */
  readonly ended: boolean;
}

const isChatBody = (body: unknown): body is ChatRequestBody =>
  typeof body === "object" &&
  body !== null &&
  "messages" in body &&
  Array.isArray(body.messages) &&
  body.messages.length > 0;

/** Returns the chat requests in the order of arrival. */
export const chatRequests = (requests: readonly ScriptedRequest[]): readonly ChatRequest[] =>
  requests.flatMap(({ path, body, at, end }) =>
    path === "/api/chat" && isChatBody(body) ? [{ body, at, ended: end !== undefined }] : [],
  );

export function lastChatRequest(requests: readonly ScriptedRequest[]): ChatRequest {
  const last = chatRequests(requests).at(-1);
  if (last === undefined) throw new Error("the model server received no chat request");
  return last;
}

/** A request in the order of chat templates: system, tools, then the conversation. */
export const requestPrefix = (body: ChatRequestBody): string =>
  `${body.model}\n${systemPrompt(body)}\n${JSON.stringify(body.tools ?? [])}\n`;
export const flattenRequest = (body: ChatRequestBody): string =>
  requestPrefix(body) +
  body.messages
    .slice(1)
    .map((message) => `${JSON.stringify(message)}\n`)
    .join("");
export const systemPrompt = (body: ChatRequestBody): string =>
  body.messages[0]?.role === "system" ? body.messages[0].content : "";

/** Returns the number of UTF-16 units that both texts begin with. */
export function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
