/** Calls over HTTP, for those that exceed a packet of the socket. */
import type { CommandName } from "@/lib/command";
import type { ErrorCode } from "@/lib/error";
import type { Answer } from "@/lib/socket";

/** Request of a call over HTTP. */
export interface PostedCall {
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

/** Builds the request. An imported file follows its command unencoded, so that the server can read it line by line. */
export function postedCall(name: CommandName, input: object): PostedCall {
  if (name === "session.import" && "text" in input && typeof input.text === "string") {
    const { text, ...command } = input;
    return { path: "/api/import", type: "application/x-ndjson", body: `${JSON.stringify(command)}\n${text}` };
  }
  return { path: "/api/call", type: "application/json", body: JSON.stringify({ name, input }) };
}

/**
 * Sends the request. Returns the answer of the server or of a proxy before it: an error page counts as an answer,
 * since repeating would return the same. Rejects only if no answer arrived. `headers` are added to the request.
 */
export async function postCall<N extends CommandName>(
  address: string,
  { path, type, body }: PostedCall,
  headers: Readonly<Record<string, string>>,
): Promise<Answer<N>> {
  const response = await fetch(`${address}${path}`, {
    method: "POST",
    credentials: "same-origin",
    headers: { "content-type": type, ...headers },
    body,
  });
  const text = await response.text();
  return readAnswer<N>(text) ?? { ok: false, error: refusalOf(response.status) };
}

function readAnswer<N extends CommandName>(text: string): Answer<N> | null {
  try {
    const value: Answer<N> | null = JSON.parse(text);
    return typeof value === "object" && value !== null && typeof value.ok === "boolean" ? value : null;
  } catch {
    return null;
  }
}

const codes: Readonly<Record<number, ErrorCode>> = {
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

const refusalOf = (status: number): { readonly code: ErrorCode; readonly detail: string } => ({
  code: codes[status] ?? "bad_answer",
  detail: `HTTP ${status}`,
});
