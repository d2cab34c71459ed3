/**
 * A connection to one MCP server, of the revisions 2024-11-05 to 2026-07-28. The official client is loaded at the first
 * connection. A server is first addressed with the handshake of 2025; one that refuses it is started once more and asked
 * what it speaks.
 */
import { loadOnce } from "@/lib/async/load-once";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { Json } from "@/lib/events/content";
import { abortable } from "@/server/base/abort";
import { makeMutex } from "@/server/base/concurrency";
import { runStepsInSlices } from "@/server/base/steps";
import type { SecretMask } from "@/server/security/redaction/mask-secrets";
import {
  type CallProgress,
  type ClientLink,
  type ClientModule,
  clientTimeoutMs,
  type ConnectOptions,
  makeClientLink,
  type Negotiation,
  type RequestOptions,
} from "./client-link";
import { connectHttp } from "./connect-http";
import { failMcp, McpError } from "./failure";
import { maskContent, maskEntries, maskStart } from "./mask-content";
import { type McpPrompt, type McpResource, type McpTool, toMcpPrompt, toMcpResource, toMcpTool } from "./server-lists";
import type { JsonObject } from "./transport/messages";
import type { ForeignContent, ForeignResult } from "@/server/tools/toolbox/foreign-result";
import type { ListMethod, ListProblem } from "./transport/repair-lists";
import { makeStdioTransport, type StdioOptions } from "./transport/stdio-transport";
import { makeTolerantTransport, type McpPromptMessage, type McpResult } from "./transport/tolerant-transport";

export interface McpList<T> {
  readonly entries: readonly T[];
  readonly problems: readonly ListProblem[];
}

/**
 * Requests fail with the errors of `failMcp`, and with aborted as soon as the signal fires: the server is informed, its
 * answer is not awaited.
 */
export interface McpConnection {
  /** Id of the process and of its group; null = there is none. */
  readonly pid: number | null;
  /** What the server says about its use; "" = nothing. */
  readonly instructions: string;
  readonly offersResources: boolean;
  readonly offersPrompts: boolean;
  listTools(signal: AbortSignal): Promise<Result<McpList<McpTool>>>;
  callTool(
    name: string,
    input: { readonly [name: string]: Json },
    onProgress: (progress: CallProgress) => void,
    signal: AbortSignal,
  ): Promise<Result<ForeignResult>>;
  listResources(signal: AbortSignal): Promise<Result<McpList<McpResource>>>;
  readResource(uri: string, signal: AbortSignal): Promise<Result<readonly ForeignContent[]>>;
  listPrompts(signal: AbortSignal): Promise<Result<McpList<McpPrompt>>>;
  getPrompt(
    name: string,
    input: { readonly [name: string]: string },
    signal: AbortSignal,
  ): Promise<Result<readonly McpPromptMessage[]>>;
  /** The last lines it printed beside the protocol, masked. */
  log(): readonly string[];
  /** Resolves when the connection has ended: with the reason, or null when it was closed from here. */
  readonly closed: Promise<AgentError | null>;
  /** Ends the server with all its processes; resolves when they have ended. */
  close(): Promise<void>;
}

const maxInstructionChars = 2_048;

const loadClient = loadOnce(() => import("@modelcontextprotocol/client"));

/**
 * Starts the server and connects to it. Fails with the reason when it cannot be used; when the signal fires, it is ended
 * and the call fails with aborted.
 */
export async function connectServer(options: ConnectOptions, signal: AbortSignal): Promise<Result<McpConnection>> {
  const module = await loadClient();
  const { server } = options;
  if (server.kind === "http") {
    const link = await connectHttp(module, options, server, signal);
    return link.ok ? ok(makeConnection(link.value, () => options.verdict?.write(null))) : link;
  }
  for (const negotiation of ["handshake", "discovery"] as const) {
    if (signal.aborted) return fail("aborted");
    const connected = await tryConnect(module, options, server, negotiation, signal);
    if (connected !== "other version") return connected;
  }
  return failMcp({ reason: "no_version" });
}

async function tryConnect(
  module: ClientModule,
  options: ConnectOptions,
  server: StdioOptions,
  negotiation: Negotiation,
  signal: AbortSignal,
): Promise<Result<McpConnection> | "other version"> {
  const process = makeStdioTransport(server);
  options.onProcess?.(process.log);
  const transport = makeTolerantTransport(process);
  const link = makeClientLink(module, options, transport, process, negotiation);
  try {
    const connecting = link.client.connect(transport, { timeout: clientTimeoutMs, signal });
    // It rejects after an abort.
    connecting.catch(() => {});
    await abortable(connecting, signal);
    return ok(makeConnection(link));
  } catch (error) {
    const stray = process.strayLine();
    await process.close();
    if (signal.aborted && stray !== null) return failMcp({ reason: "no_protocol", line: stray });
    if (signal.aborted) return fail("aborted");
    return isOtherVersion(module, error) ? "other version" : { ok: false, error: link.explain(error) };
  }
}

/** The server refused the version, does not have the handshake, or answered it with a version that is unknown here. */
function isOtherVersion({ ProtocolError, ProtocolErrorCode, SdkError }: ClientModule, error: unknown): boolean {
  if (error instanceof SdkError || error instanceof McpError) return false;
  if (!(error instanceof ProtocolError)) return error instanceof Error;
  return [ProtocolErrorCode.UnsupportedProtocolVersion, ProtocolErrorCode.MethodNotFound].includes(error.code);
}

/** Requests whose answers are taken from the transport. */
function makeRequests({ transport, request, inner }: ClientLink) {
  const mutex = makeMutex();
  const mask: SecretMask = (text) => inner.mask()(text);

  async function list<T>(
    method: ListMethod,
    send: (options: RequestOptions) => Promise<unknown>,
    toEntry: (entry: JsonObject) => T,
    signal: AbortSignal,
  ): Promise<Result<McpList<T>>> {
    // The pages of two requests of one list would be mixed.
    const read = async (): Promise<Result<McpList<T>>> => {
      const sent = await request(send, null, signal);
      if (!sent.ok) return sent;
      const { entries, problems } = transport.lastList(method);
      return ok({ entries: (await runStepsInSlices(maskEntries(entries, mask), signal)).map(toEntry), problems });
    };
    return mutex.hold(method, read, signal).catch((error: unknown) => {
      if (signal.aborted) return fail("aborted");
      throw error;
    });
  }

  async function fetch<K extends McpResult["kind"]>(
    kind: K,
    send: (options: RequestOptions) => Promise<unknown>,
    onProgress: ((progress: CallProgress) => void) | null,
    signal: AbortSignal,
  ): Promise<Result<Extract<McpResult, { kind: K }>>> {
    const take = (standIn: unknown): McpResult | null => transport.takeResult(standIn);
    const taken = await request(async (options) => take(await send(options)), onProgress, signal);
    if (!taken.ok) return taken;
    const isKind = (result: McpResult | null): result is Extract<McpResult, { kind: K }> => result?.kind === kind;
    return isKind(taken.value) ? ok(taken.value) : failMcp({ reason: "refused" });
  }

  /** Returns the content without the secrets that the server has. */
  async function masked(content: readonly ForeignContent[], signal: AbortSignal): Promise<Result<typeof content>> {
    try {
      return ok(await runStepsInSlices(maskContent(content, mask), signal));
    } catch (error) {
      if (signal.aborted) return fail("aborted");
      throw error;
    }
  }

  return { list, fetch, masked };
}

/** `onUnlisted` is called when the tools could not be listed. */
function makeConnection(link: ClientLink, onUnlisted?: () => void): McpConnection {
  const { client, inner, closed } = link;
  const { list, fetch, masked } = makeRequests(link);
  const offers = client.getServerCapabilities() ?? {};
  const refresh = { cacheMode: "refresh" } as const;
  const none = { ok: true, value: { entries: [], problems: [] } } as const;
  return {
    get pid() {
      return inner.pid ?? null;
    },
    instructions: maskStart(client.getInstructions() ?? "", inner.mask(), maxInstructionChars),
    offersResources: offers.resources !== undefined,
    offersPrompts: offers.prompts !== undefined,
    async listTools(signal) {
      if (offers.tools === undefined) return none;
      const send = (options: RequestOptions) => client.listTools({}, { ...refresh, ...options });
      const listed = await list("tools/list", send, toMcpTool, signal);
      if (!listed.ok && !signal.aborted) onUnlisted?.();
      return listed;
    },
    async callTool(name, input, onProgress, signal) {
      const send = (options: RequestOptions) => client.callTool({ name, arguments: { ...input } }, options);
      const result = await fetch("call", send, onProgress, signal);
      if (!result.ok) return result;
      const content = await masked(result.value.content, signal);
      return content.ok ? ok({ ...result.value, content: content.value }) : content;
    },
    listResources: async (signal) =>
      offers.resources === undefined
        ? none
        : list(
            "resources/list",
            (options) => client.listResources({}, { ...refresh, ...options }),
            toMcpResource,
            signal,
          ),
    async readResource(uri, signal) {
      const send = (options: RequestOptions) => client.readResource({ uri }, { ...refresh, ...options });
      const result = await fetch("resource", send, null, signal);
      return result.ok ? masked(result.value.content, signal) : result;
    },
    listPrompts: async (signal) =>
      offers.prompts === undefined
        ? none
        : list("prompts/list", (options) => client.listPrompts({}, { ...refresh, ...options }), toMcpPrompt, signal),
    async getPrompt(name, input, signal) {
      const result = await fetch(
        "prompt",
        (options) => client.getPrompt({ name, arguments: { ...input } }, options),
        null,
        signal,
      );
      if (!result.ok) return result;
      const messages: McpPromptMessage[] = [];
      for (const { role, content } of result.value.messages) {
        const shown = await masked(content, signal);
        if (!shown.ok) return shown;
        messages.push({ role, content: shown.value });
      }
      return ok(messages);
    },
    log: inner.log,
    closed,
    async close() {
      await client.close();
      await inner.close();
    },
  };
}
