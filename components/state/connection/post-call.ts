/** Calls over HTTP, for those that exceed a packet of the socket. */
import type { CommandName } from "@/lib/protocol/command";
import { type ErrorCode, fail } from "@/lib/events/error";
import type { CallRequest } from "@/lib/protocol/call-request";
import type { CommandAnswer } from "@/lib/protocol/socket";
import { withBasePath } from "../base-path";

/**
 * Sends the request. Returns the answer of the server or of a proxy before it: an error page counts as an answer,
 * since repeating would return the same. Rejects only if no answer arrived. `headers` are added to the request.
 */
export async function postCall<N extends CommandName>(
  address: string,
  { path, type, body }: CallRequest,
  headers: Readonly<Record<string, string>>,
): Promise<CommandAnswer<N>> {
  const response = await fetch(address + withBasePath(path), {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": type, ...headers },
    body,
  });
  const text = await response.text();
  return parsePostedAnswer<CommandAnswer<N>>(text) ?? toHttpFailure(response.status);
}

/** Parses the body of an answer; null = it is not one of this server. */
export function parsePostedAnswer<A extends { readonly ok: boolean }>(text: string): A | null {
  try {
    const value: A | null = JSON.parse(text);
    return typeof value === "object" && value !== null && typeof value.ok === "boolean" ? value : null;
  } catch {
    return null;
  }
}

const errorByStatus: Readonly<Record<number, ErrorCode>> = {
  400: "bad_input",
  401: "not_allowed",
  403: "not_allowed",
  404: "not_found",
  408: "timeout",
  413: "too_large",
  421: "not_allowed",
  429: "too_many",
  502: "server_unreachable",
  503: "server_unreachable",
  504: "timeout",
};

export const toHttpFailure = (status: number) => fail(errorByStatus[status] ?? "bad_answer", `HTTP ${status}`);
