/**
 * The requests of one connection to a server over HTTP: without time limits, with the headers of the user and the token
 * of the sign-in, to one origin only. Answers that are messages are delivered directly, so that the same is accepted as
 * from a process; what the client cannot use is an error with a reason.
 */
import { isJsonObject, type JsonObject } from "@/lib/events/content";
import type { McpFailure } from "@/lib/events/error-reasons";
import type { FetchLike, JSONRPCMessage } from "@modelcontextprotocol/client";
import { neverAborted } from "@/server/base/abort";
import { parseJson } from "@/server/base/parse-json";
import { type NodeResponse, nodeFetch, SocketError } from "@/server/providers/wire/node-fetch";
import { failMcp, McpError } from "../failure";
import { limitEvents, readLimited, toWebResponse } from "./http-body";
import { acceptsPeer, hasOwnKey, type HttpOptions, isSafeTarget } from "./http-target";
import { maxLineBytes } from "./line-reader";
import { isMessage, parseMessages } from "./messages";

/** Characters of an answer that is not MCP, in an error. */
const maxStrayChars = 200;
const maxErrorBytes = 65_536;

interface HttpFetchOptions extends Pick<HttpOptions, "url" | "headers" | "authorization"> {
  /** With `sse` the answers come on the stream alone. */
  readonly kind: "http" | "sse";
  /** Gets the messages of an answer that is not a stream. */
  deliver(message: JSONRPCMessage): void;
  /** Makes what the server wrote fit for an error. */
  plain(text: string, maxChars: number): string;
}

const throwMcp = (failure: McpFailure, detail?: string): never => {
  throw new McpError(failMcp(failure, detail).error);
};

/** The host, and the proxy that it was to be reached through. */
export const hostFacts = ({ host }: URL, error: unknown): { readonly host: string; readonly proxy?: string } => ({
  host,
  ...(error instanceof SocketError && error.proxy !== null ? { proxy: error.proxy } : {}),
});

/** Returns a function with the interface of fetch. It rejects with McpError, or with the reason of the signal. */
export function makeHttpFetch(options: HttpFetchOptions): FetchLike {
  const server = new URL(options.url);
  const hasKey = hasOwnKey(options.headers);
  const authorization = hasKey ? null : options.authorization;
  const fails = (error: SocketError): never =>
    throwMcp({ reason: error.connected ? "cut" : "unreachable", ...hostFacts(server, error) }, error.message);

  async function send(
    url: URL,
    init: RequestInit | undefined,
    token: string | null,
    signal: AbortSignal,
  ): Promise<NodeResponse> {
    const headers = Object.fromEntries(new Headers(init?.headers));
    for (const [name, value] of Object.entries(options.headers)) headers[name.toLowerCase()] = value;
    if (token !== null) headers.authorization = `Bearer ${token}`;
    const body = typeof init?.body === "string" ? init.body : undefined;
    const request = { method: init?.method ?? "GET", headers, body, accepts: acceptsPeer(server) };
    try {
      return await nodeFetch(url.href, request, signal);
    } catch (error) {
      if (error instanceof SocketError) return fails(error);
      throw error;
    }
  }

  /** Sends it with the token, and once more with a renewed one. */
  async function sendAuthorized(url: URL, init: RequestInit | undefined, signal: AbortSignal): Promise<NodeResponse> {
    const token = (await authorization?.token(signal)) ?? null;
    const answer = await send(url, init, token, signal);
    if (answer.status !== 401) return answer;
    answer.destroy();
    if (hasKey) return throwMcp({ reason: "forbidden", status: 401 });
    const renewed = token === null || authorization === null ? null : await authorization.renew(token, signal);
    if (renewed === null) return throwMcp({ reason: "signed_out" });
    const second = await send(url, init, renewed, signal);
    if (second.status !== 401) return second;
    second.destroy();
    return throwMcp({ reason: "signed_out" });
  }

  /** Throws for a token without a permission that the request needs. */
  function checkScope(answer: NodeResponse): void {
    const challenge = answer.header("www-authenticate") ?? "";
    if (answer.status !== 403 || authorization === null) return;
    if (readParameter(challenge, "error")?.toLowerCase() !== "insufficient_scope") return;
    answer.destroy();
    const scopes = readScopes(readParameter(challenge, "scope"));
    authorization.require(scopes);
    throwMcp({ reason: "scope_missing", scopes });
  }

  return async (input, init) => {
    const url = new URL(String(input));
    if (url.origin !== server.origin) throwMcp({ reason: "redirected", address: url.origin });
    if (!isSafeTarget(url)) throwMcp({ reason: "insecure", host: url.host });
    const answer = await sendAuthorized(url, init, init?.signal ?? neverAborted);
    checkScope(answer);
    try {
      return await readAnswer(answer, url, init, options);
    } catch (error) {
      answer.destroy();
      if (error instanceof SocketError) return fails(error);
      throw error;
    }
  };
}

/** Returns a parameter of a challenge, of which the value may be quoted or not, with spaces around its sign (RFC 9110). */
function readParameter(challenge: string, name: string): string | undefined {
  for (const [, key, quoted, token] of challenge.matchAll(/([\w-]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g))
    if (key?.toLowerCase() === name) return quoted ?? token;
  return undefined;
}

const maxScopeChars = 500;

/** Returns the scopes of a server within the characters that they may have, separated by spaces. */
const readScopes = (written = ""): string => (written.slice(0, maxScopeChars).match(/[!#-[\]-~]+/g) ?? []).join(" ");

async function readAnswer(
  answer: NodeResponse,
  url: URL,
  init: RequestInit | undefined,
  { kind, deliver, plain }: HttpFetchOptions,
): Promise<Response> {
  const { status } = answer;
  const method = init?.method ?? "GET";
  const hasSession = new Headers(init?.headers).has("mcp-session-id");
  if (status >= 300 && status < 400) return readRedirect(answer, url, method);
  if (status === 403) throwMcp({ reason: "forbidden", status });
  if (status >= 500 || status < 200 || status === 429) throwMcp({ reason: "http_status", status });
  if (status === 404 && method === "POST" && hasSession) throwMcp({ reason: "session_expired" });
  if (status >= 400) {
    const body = await readLimited(answer, maxErrorBytes, "cut");
    const reply = status === 400 && method === "POST" && kind === "http" ? findReply(body, init) : null;
    if (reply === null && status === 400 && method === "POST" && hasSession)
      throwMcp({ reason: "session_expired" }, plain(body, maxStrayChars));
    if (reply === null) return toWebResponse(answer, body);
    deliver(reply);
    return toWebResponse(answer, null, 202);
  }
  const type = (answer.header("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase();
  if (type === "text/event-stream") return toWebResponse(answer, limitEvents(answer, maxLineBytes));
  // It has no stream beside the answers.
  if (method !== "POST" && kind === "http") return toWebResponse(answer, null, method === "GET" ? 405 : status);
  if (method === "POST" && kind === "sse") return toWebResponse(answer, null, 202);
  const text = await readLimited(answer, maxLineBytes, "fail");
  const messages = parseMessages(text);
  if (messages === null && (kind === "sse" || requestOf(init) !== null))
    throwMcp({ reason: "no_protocol", line: plain(text, maxStrayChars), host: url.host });
  for (const message of messages ?? []) if (isMessage(message)) deliver(message);
  return toWebResponse(answer, null, 202);
}

/** The request that is sent; null = it is none. */
function requestOf(init: RequestInit | undefined): JsonObject | null {
  const sent = typeof init?.body === "string" ? parseJson(init.body) : undefined;
  return isJsonObject(sent) && "id" in sent && "method" in sent ? sent : null;
}

/**
 * Returns the answer to the request in a body of status 400; null = the request was not run. Servers refuse requests with
 * that status and the id of the request, and sessions that they have forgotten with another id or none. An answer to the
 * handshake is left to the client, which may try another one.
 */
function findReply(body: string, init: RequestInit | undefined): JSONRPCMessage | null {
  const request = requestOf(init);
  if (request === null || request.method === "initialize") return null;
  const reply = parseMessages(body)?.find(({ id, method }) => id === request.id && method === undefined);
  return isMessage(reply) ? reply : null;
}

/** The client follows a redirect to the same origin that keeps the method. */
function readRedirect(answer: NodeResponse, url: URL, method: string): Response {
  const location = answer.header("location") ?? "";
  const { status } = answer;
  answer.destroy();
  if (!URL.canParse(location, url.href)) return throwMcp({ reason: "http_status", status });
  const target = new URL(location, url);
  const keepsMethod = method === "GET" || status === 307 || status === 308;
  if (target.origin !== url.origin || !keepsMethod)
    return throwMcp({ reason: "redirected", address: `${target.origin}${target.pathname}` });
  return new Response(null, { status, headers: { location } });
}
