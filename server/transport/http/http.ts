/**
 * The HTTP server: access rules first, then the routes, then the page. Requests that need the core (store, sessions)
 * wait for it. Socket upgrades are handled by the socket server.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AgentError } from "@/lib/events/error";
import { asId, type SessionId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import type { OwnerFileAccess } from "@/server/handlers/project/file-access";
import type { OwnerFileArchives } from "@/server/handlers/project/file-archives";
import type { OwnerFileUploads } from "@/server/handlers/project/file-uploads";
import type { SessionService } from "@/server/session/service/session-service";
import { browserName } from "../auth/browser-name";
import {
  type ListenAddress,
  hostAllowed,
  httpsAddress,
  mayChange,
  type ReachedAddress,
  reachedAddress,
  siteAllowed,
  targetAllowed,
} from "../auth/guard";
import { answerBadRequests } from "./address-listeners";
import { fileArchivePath, handleFileArchive } from "./file-archive";
import { readImportBody } from "./import-body";
import { allowsFileLink, handleProjectFile, projectFilePath } from "./project-file";
import { handleUpload } from "./upload";
import { sendEmpty, sendFound, sendJson, sendText, sendToHttps, sendWrongHost } from "./responses";
import type { FrontDoor } from "../front-door/front-door";
import { createPrefixedServer } from "../front-door/prefixed-server";
import type { SignedIn, SignIns } from "../auth/sign-in";
import type { ServeStatic } from "./static";

/** Parts available once the store is open. */
export interface HttpCore {
  readonly signIns: SignIns;
  /** Creates a sign-in link for a person, which also keeps the server running until it is ended. */
  freshLinkToken(): string;
  readonly sessions: Pick<SessionService, "prepare">;
  readonly fileAccess: Pick<OwnerFileAccess, "isLink" | "read">;
  readonly fileArchives: Pick<OwnerFileArchives, "open">;
  readonly fileUploads: OwnerFileUploads;
  /** Runs a command over HTTP: for scripts with the bearer token, and inputs too large for a packet. */
  call(
    name: string,
    input: unknown,
    client: string,
  ): Promise<{ readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: AgentError }>;
}

interface HttpOptions {
  readonly listenAddress: () => ListenAddress;
  readonly version: string;
  /** ms since the process started */
  readonly now: () => number;
  readonly serveStatic: ServeStatic;
  /** Absent = people sign in with the links of this server. */
  readonly frontDoor?: FrontDoor;
  /** Reports an exception of a request, with its method and path without secrets. */
  readonly reportBug: (context: string, error: unknown) => void;
  /** Resolves when the store is open; health waits for it. */
  readonly store: Promise<void>;
  /** Resolves later than `store`, when commands can be answered. */
  readonly core: Promise<HttpCore>;
  /** Time after which a client that reads nothing of a file is disconnected; by default two minutes. */
  readonly stalledFileMs?: number;
}

const stalledFileMs = 120_000;

/** Time in which a request of the owner must have arrived: a large upload over a slow network takes long. */
const requestMs = 3_600_000;
/** Time in which any other request must have arrived. */
const unknownRequestMs = 30_000;
const callMaxBytes = 3 * limits.editorMaxBytes;
/** Limit of an imported file: its characters have up to three bytes each. */
const importMaxBytes = 3 * limits.importMaxChars;
const signInMaxBytes = 4_096;
const labelMaxChars = 60;
/** Path to which authorization servers of MCP servers send the browser. */
const signInReturnPath = "/oauth/callback";

export function makeHttpServer(options: HttpOptions): Server {
  let readyMs: number | null = null;
  void options.store.then(() => {
    readyMs = options.now();
  });
  const prefix = options.listenAddress().publicAddress?.prefix ?? "";
  const server = createPrefixedServer(prefix, { requestTimeout: requestMs }, (request, response) => {
    handleRequest(request, response, options, () => readyMs).catch((error: unknown) => {
      // A client that disconnects in the middle of its body is not an error.
      const hasLeft = request.destroyed && !request.complete;
      if (!hasLeft) options.reportBug(`${request.method} ${(request.url ?? "").split("?", 1)[0]}`, error);
      if (!response.headersSent) sendJson(response, 500, { ok: false, error: { code: "internal" } });
      else response.destroy();
    });
  });
  // Node leaves out the headers above a number, of which one could be a second value that is refused; their bytes are bounded.
  server.maxHeadersCount = 0;
  answerBadRequests(server);
  return server;
}

async function handleRequest(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpOptions,
  readyMs: () => number | null,
): Promise<void> {
  const listenAddress = reachedAddress(request.socket, options.listenAddress());
  const allowTime = limitArrival(request);
  if (!targetAllowed(request.url)) return sendEmpty(response, 400);
  const path = request.url.split("?", 1)[0] ?? "/";
  if (path === "/healthz") return handleStoreHealth(request, response, readyMs() !== null);
  const refusal = options.frontDoor?.refusal(request) ?? null;
  if (refusal !== null) return sendText(response, 403, refusal);
  const prefix = options.listenAddress().publicAddress?.prefix ?? "";
  const https = httpsAddress(request.socket, request.headers.host, options.listenAddress());
  if (https !== null) return sendToHttps(response, `${https}${prefix}${request.url}`);
  if (!hostAllowed(request.headers.host, listenAddress)) return sendWrongHost(response, request.headers.host ?? "");
  if (path === prefix) return sendFound(response, `${prefix}/${request.url.slice(prefix.length)}`);
  if (path.startsWith("/api/") && !siteAllowed(request.headers["sec-fetch-site"]))
    return sendJson(response, 403, { ok: false, error: { code: "not_allowed" } });
  if (path === "/api/health") return handleHealth(request, response, options, readyMs);
  if (path.startsWith("/socket.io/")) return sendEmpty(response, 503);
  if (options.frontDoor?.answer !== undefined && (await options.frontDoor.answer(request, response, path))) return;
  if (path === signInReturnPath) return handleSignInReturn(request, response, await options.core, prefix);
  if (!path.startsWith("/api/")) {
    prepareSession(request, path, options);
    return options.serveStatic(request, response);
  }
  const core = await options.core;
  if (path === "/api/sign-in") return handleSignIn(request, response, { ...options, core, listenAddress });
  const access = core.signIns.access(request.headers);
  if (path === projectFilePath && (request.method === "GET" || request.method === "HEAD")) {
    if (access !== null || allowsFileLink(request, core))
      return handleProjectFile(request, response, core.fileAccess, options.stalledFileMs ?? stalledFileMs);
  }
  if (path === fileArchivePath && (request.method === "GET" || request.method === "HEAD")) {
    if (access !== null || core.signIns.isKnown(request.headers))
      return handleFileArchive(request, response, core.fileArchives, options.stalledFileMs ?? stalledFileMs);
  }
  if (access === null) {
    // The connection ends with the answer: the body is not read.
    response.setHeader("Connection", "close");
    return sendJson(response, 401, { ok: false, error: { code: "not_allowed" } });
  }
  if (request.method !== "POST") return sendEmpty(response, 405);
  if (!mayChange(request.headers, access === "bearer", listenAddress))
    return sendJson(response, 403, { ok: false, error: { code: "not_allowed" } });
  allowTime();
  if (path === "/api/link" && access === "bearer")
    return sendJson(response, 200, { ok: true, value: { token: core.signIns.freshLinkToken() } });
  if (path === "/api/call") return handleCall(request, response, core, access);
  if (path === "/api/import") return handleImport(request, response, core, access);
  if (path === projectFilePath) return handleUpload(request, response, core.fileUploads);
  return sendJson(response, 404, { ok: false, error: { code: "not_found" } });
}

/** Ends the connection if the request has not arrived in time; the returned function removes this limit. */
function limitArrival(request: IncomingMessage): () => void {
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, unknownRequestMs);
  const stop = (): void => clearTimeout(timer);
  request.once("close", stop);
  return stop;
}

/** Reads the log of the session that the requested page will open, while the browser still loads the program. */
function prepareSession({ headers }: IncomingMessage, path: string, { core }: HttpOptions): void {
  const id = /^\/s\/([A-Za-z0-9_-]+)$/.exec(path)?.[1];
  if (id === undefined) return;
  void core.then(({ signIns, sessions }) => {
    if (signIns.isKnown(headers)) sessions.prepare(asId<SessionId>(id));
  });
}

/** Public, for every name and without a sign-in: whether the store is open. */
function handleStoreHealth({ method }: IncomingMessage, response: ServerResponse, isOpen: boolean): void {
  if (method !== "GET" && method !== "HEAD") return sendEmpty(response, 405);
  sendJson(response, isOpen ? 200 : 503, { ok: isOpen });
}

/** Public: whether the store is open, and how long that took. */
async function handleHealth(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpOptions,
  readyMs: () => number | null,
): Promise<void> {
  if (request.method !== "GET" && request.method !== "HEAD") return sendEmpty(response, 405);
  await options.store;
  sendJson(response, 200, {
    ok: true,
    version: options.version,
    uptimeMs: Math.round(options.now()),
    startMs: Math.round(readyMs() ?? 0),
  });
}

/**
 * Public: an authorization server sends the browser here, without the cookie. Only the state in the address proves
 * anything. The next page has another address: this one contains a code.
 */
async function handleSignInReturn(
  request: IncomingMessage,
  response: ServerResponse,
  core: HttpCore,
  prefix: string,
): Promise<void> {
  if (request.method !== "GET") return sendEmpty(response, 405);
  const answer = await core.call("mcp.finish_sign_in", { address: request.url ?? "" }, "request");
  const value = answer.ok ? answer.value : null;
  const page = typeof value === "object" && value !== null && "page" in value ? value.page : null;
  const location = typeof page === "string" ? page : "/settings/tools";
  response.writeHead(303, {
    Location: prefix + location,
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
  });
  response.end();
}

interface SignInContext extends Pick<HttpOptions, "frontDoor"> {
  readonly core: HttpCore;
  readonly listenAddress: ReachedAddress;
}

async function handleSignIn(
  request: IncomingMessage,
  response: ServerResponse,
  { core, listenAddress, frontDoor }: SignInContext,
): Promise<void> {
  if (request.method !== "POST") return sendEmpty(response, 405);
  if (request.headers.origin !== undefined && !mayChange(request.headers, false, listenAddress))
    return sendJson(response, 403, { ok: false, error: { code: "not_allowed" } });
  const body = await readJson(request, response, signInMaxBytes);
  if (body === null) return;
  const { token, page } = parseSignIn(body);
  const agent = request.headers["user-agent"] ?? "";
  const label = browserName(agent) || agent.slice(0, labelMaxChars);
  // Only origins of this server come here. That of a proxy may be of https.
  const isEncrypted = listenAddress.isEncrypted === true || request.headers.origin?.startsWith("https:") === true;
  if (token === "") {
    const answer = frontDoor?.signIn(request, page) ?? { kind: "refused" };
    if (answer.kind === "refused") return sendJson(response, 401, { ok: false, error: { code: "not_allowed" } });
    if (answer.kind === "accepted") return sendSignedIn(response, core.signIns.admit(label, isEncrypted));
    response.setHeader("Set-Cookie", answer.cookie);
    return sendJson(response, 200, { ok: true, value: { signInAt: answer.address } });
  }
  const signedIn = core.signIns.exchange(token, label, request.socket.remoteAddress ?? "", isEncrypted);
  if (signedIn === "slow_down") return sendJson(response, 429, { ok: false, error: { code: "too_many" } });
  if (signedIn === null) return sendJson(response, 401, { ok: false, error: { code: "not_allowed" } });
  sendSignedIn(response, signedIn);
}

/** The token of a link; without one, the page to which a sign-in elsewhere returns. */
function parseSignIn(body: unknown): { readonly token: string; readonly page: string } {
  const fields = new Map<string, unknown>(Object.entries(body ?? {}));
  const [token, page] = [fields.get("token"), fields.get("page")];
  return { token: typeof token === "string" ? token : "", page: typeof page === "string" ? page : "/" };
}

function sendSignedIn(response: ServerResponse, { cookie, page }: SignedIn): void {
  response.setHeader("Set-Cookie", cookie);
  sendJson(response, 200, { ok: true, value: { page } });
}

async function handleCall(
  request: IncomingMessage,
  response: ServerResponse,
  core: HttpCore,
  access: "cookie" | "bearer",
): Promise<void> {
  const body = await readJson(request, response, callMaxBytes);
  if (body === null) return;
  if (typeof body !== "object" || !("name" in body) || typeof body.name !== "string")
    return sendJson(response, 400, { ok: false, error: { code: "bad_input" } });
  const answer = await core.call(body.name, "input" in body ? body.input : {}, access);
  sendJson(response, 200, answer);
}

/** session.import with the file as the raw body: a file of this size, escaped in JSON, would be parsed in one piece. */
async function handleImport(
  request: IncomingMessage,
  response: ServerResponse,
  core: HttpCore,
  access: "cookie" | "bearer",
): Promise<void> {
  if (!/^application\/x-ndjson\s*(;|$)/i.test(request.headers["content-type"] ?? "")) return sendEmpty(response, 415);
  const body = await readImportBody(request, importMaxBytes);
  if (body.kind === "too_large") return sendTooLarge(request, response, importMaxBytes);
  if (body.kind === "wrong") {
    sendJson(response, 400, { ok: false, error: { code: "bad_input" } });
    return void request.destroy();
  }
  sendJson(response, 200, await core.call("session.import", body.input, access));
}

function sendTooLarge(request: IncomingMessage, response: ServerResponse, limit: number): void {
  sendJson(response, 413, { ok: false, error: { code: "too_large", facts: { limit } } });
  request.destroy();
}

/** The parsed body; null = the response has already been sent. Only JSON is accepted. */
async function readJson(request: IncomingMessage, response: ServerResponse, maxBytes: number): Promise<unknown | null> {
  if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? "")) {
    sendEmpty(response, 415);
    return null;
  }
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size > maxBytes) {
      sendTooLarge(request, response, maxBytes);
      return null;
    }
    parts.push(part);
  }
  try {
    const value: unknown = JSON.parse(Buffer.concat(parts).toString("utf8"));
    if (value !== null) return value;
  } catch {
    // Falls through: invalid JSON and null get the same answer.
  }
  sendJson(response, 400, { ok: false, error: { code: "bad_input" } });
  return null;
}
