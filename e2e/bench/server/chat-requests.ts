/** Selects the chat requests among the requests to the scripted model: without lists, states and warm-up requests. */
import type { ScriptedRequest } from "../../fixtures/scripted-model.mjs";

export interface ChatRequestBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly unknown[];
}

export interface ChatRequest {
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
