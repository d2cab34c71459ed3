/**
 * A connection to one MCP server, of the revisions 2024-11-05 to 2026-07-28. The official client is loaded at the first
 * connection. A server is first addressed with the handshake of 2025; one that refuses it is started once more and asked
 * what it speaks.
 */
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { Steps } from "@/lib/async/steps";
import type { Json } from "@/lib/events/content";
import { abortable } from "@/server/base/abort";
import { runStepsInSlices } from "@/server/base/steps";
import type { SecretMask } from "@/server/security/redaction/mask-secrets";
import {
  type CallProgress,
  type ClientLink,
  type ClientModule,
  clientTimeoutMs,
  type ConnectOptions,
  loadClient,
  makeClientLink,
  type Negotiation,
  type RequestOptions,
} from "./client-link";
import { connectHttp } from "./connect-http";
import { failMcp, McpError } from "./failure";
import { maskContent, maskStart } from "./mask-content";
import {
  type ListKind,
  makeListReader,
  maskList,
  type McpList,
  type McpPrompt,
  type McpResource,
  type McpTool,
  promptList,
  resourceList,
  toolList,
} from "./server-lists";
import type { ForeignContent, ForeignResult } from "@/server/tools/toolbox/foreign-result";
import { lenientSchema, readResult } from "./transport/repair-answers";
import { repairPrompt, repairRead, repairToolResult } from "./transport/repair-content";
import { makeStdioTransport, type StdioOptions } from "./transport/stdio-transport";

/**
 * Requests fail with the errors of `failMcp`, and with aborted as soon as the signal fires: the server is informed, its
 * answer is not awaited.
 */
export interface McpConnection {
  /** Id of the process and of its group; null = there is none. */
  readonly pid: number | null;
  /** The server's own text about its use; "" = none. */
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
  /** Returns the content of its messages. */
  getPrompt(
    name: string,
    input: { readonly [name: string]: string },
    signal: AbortSignal,
  ): Promise<Result<readonly ForeignContent[]>>;
  /** The last lines it printed beside the protocol, masked. */
  log(): readonly string[];
  /** Resolves when the connection has ended: with the reason, or null when it was closed from here. */
  readonly closed: Promise<AgentError | null>;
  /** Ends the server with all its processes; resolves when they have ended. */
  close(): Promise<void>;
}

const maxInstructionChars = 2_048;

/**
 * Starts the server and connects to it. Fails with the reason when it cannot be used; when the signal fires, it is ended
 * and the call fails with aborted.
 */
export async function connectServer(options: ConnectOptions, signal: AbortSignal): Promise<Result<McpConnection>> {
  const module = await loadClient();
  const { server } = options;
  if (server.kind === "http") {
    const link = await connectHttp(module, options, server, signal);
    return link.ok ? ok(makeConnection(module, link.value, () => options.verdict?.write(null))) : link;
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
  const transport = makeStdioTransport(server);
  options.onProcess?.(transport.log);
  const link = makeClientLink(module, options, transport, negotiation);
  try {
    const connecting = link.client.connect(transport, { timeout: clientTimeoutMs, signal });
    // It rejects after an abort.
    connecting.catch(() => {});
    await abortable(connecting, signal);
    return ok(makeConnection(module, link));
  } catch (error) {
    const stray = transport.strayLine();
    await transport.close();
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

/** Header of a call that does not match its parameters: the tool has changed since it was listed (MCP 2026-07-28). */
const headerMismatchCode = -32_020;

/** Requests whose results are read as the server sent them. */
function makeRequests({ ProtocolError, isSpecType }: ClientModule, { client, request, transport }: ClientLink) {
  const mask: SecretMask = (text) => transport.mask()(text);
  /** Listed tools, by which the client binds their parameters to headers. */
  let listed: readonly McpTool[] = [];

  async function readPages<T>(kind: ListKind<T>, options: RequestOptions): Promise<McpList<T>> {
    const { add, list } = makeListReader(kind);
    let cursor: string | undefined;
    do {
      const params = cursor === undefined ? {} : { cursor };
      cursor = await client.request({ method: kind.method, params }, lenientSchema(add), options);
    } while (cursor !== undefined);
    return list();
  }

  async function readTools(options: RequestOptions): Promise<McpList<McpTool>> {
    const tools = await readPages(toolList, options);
    listed = tools.entries;
    return tools;
  }

  async function sendCall(name: string, input: { readonly [name: string]: Json }, options: RequestOptions) {
    const send = (): Promise<unknown> => {
      const definition = { name, inputSchema: listed.find((one) => one.name === name)?.inputSchema };
      const toolDefinition = isSpecType.Tool(definition) ? { toolDefinition: definition } : {};
      return client.callTool({ name, arguments: { ...input } }, { ...options, ...toolDefinition });
    };
    const result = await send().catch(async (error: unknown) => {
      if (!(error instanceof ProtocolError) || error.code !== headerMismatchCode) throw error;
      await readTools(options);
      return send();
    });
    return readResult(result, repairToolResult);
  }

  /** Sends a request, and masks the secrets that the server has in its result. */
  async function fetch<T>(
    send: (options: RequestOptions) => Promise<T>,
    masked: (result: T, mask: SecretMask) => Steps<T>,
    signal: AbortSignal,
    onProgress: ((progress: CallProgress) => void) | null = null,
  ): Promise<Result<T>> {
    const sent = await request(send, onProgress, signal);
    if (!sent.ok) return sent;
    try {
      return ok(await runStepsInSlices(masked(sent.value, mask), signal));
    } catch (error) {
      if (signal.aborted) return fail("aborted");
      throw error;
    }
  }

  return { readPages, readTools, sendCall, fetch };
}

/** `onUnlisted` is called when the tools could not be listed. */
function makeConnection(module: ClientModule, link: ClientLink, onUnlisted?: () => void): McpConnection {
  const { client, transport, closed } = link;
  const { readPages, readTools, sendCall, fetch } = makeRequests(module, link);
  const offers = client.getServerCapabilities() ?? {};
  const none = { ok: true, value: { entries: [], problems: [] } } as const;
  const list = <T>(kind: ListKind<T>, signal: AbortSignal): Promise<Result<McpList<T>>> =>
    fetch(
      (options) => readPages(kind, options),
      (found, mask) => maskList(kind, found, mask),
      signal,
    );
  return {
    get pid() {
      return transport.pid ?? null;
    },
    instructions: maskStart(client.getInstructions() ?? "", transport.mask(), maxInstructionChars),
    offersResources: offers.resources !== undefined,
    offersPrompts: offers.prompts !== undefined,
    async listTools(signal) {
      if (offers.tools === undefined) return none;
      const tools = await fetch(readTools, (found, mask) => maskList(toolList, found, mask), signal);
      if (!tools.ok && !signal.aborted) onUnlisted?.();
      return tools;
    },
    callTool: (name, input, onProgress, signal) =>
      fetch((options) => sendCall(name, input, options), maskResult, signal, onProgress),
    listResources: async (signal) => (offers.resources === undefined ? none : list(resourceList, signal)),
    readResource(uri, signal) {
      const request = { method: "resources/read", params: { uri } };
      return fetch((options) => client.request(request, lenientSchema(repairRead), options), maskContent, signal);
    },
    listPrompts: async (signal) => (offers.prompts === undefined ? none : list(promptList, signal)),
    getPrompt(name, input, signal) {
      const request = { method: "prompts/get", params: { name, arguments: { ...input } } };
      return fetch((options) => client.request(request, lenientSchema(repairPrompt), options), maskContent, signal);
    },
    log: transport.log,
    closed,
    async close() {
      await client.close();
      await transport.close();
    },
  };
}

function* maskResult(result: ForeignResult, mask: SecretMask): Steps<ForeignResult> {
  return { ...result, content: yield* maskContent(result.content, mask) };
}
