/** What the scripted model was asked as a model: not its lists and states, not being warmed up. */
import type { ScriptedRequest } from "../fixtures/scripted-model.mjs";

export interface ChatBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly tools?: readonly unknown[];
}

export interface Chat {
  readonly body: ChatBody;
  /** ms epoch of its arrival */
  readonly at: number;
  /** The answer is over. */
  readonly ended: boolean;
}

const isChat = (body: unknown): body is ChatBody =>
  typeof body === "object" &&
  body !== null &&
  "messages" in body &&
  Array.isArray(body.messages) &&
  body.messages.length > 0;

/** In the order they came in. */
export const chatsOf = (requests: readonly ScriptedRequest[]): readonly Chat[] =>
  requests.flatMap(({ path, body, at, end }) =>
    path === "/api/chat" && isChat(body) ? [{ body, at, ended: end !== undefined }] : [],
  );

export function lastChat(requests: readonly ScriptedRequest[]): Chat {
  const last = chatsOf(requests).at(-1);
  if (last === undefined) throw new Error("the model server was not asked");
  return last;
}
