/** The official client of one connection, with our limits, questions to the user and errors. */
import type { Client } from "@modelcontextprotocol/client";
import { pathToFileURL } from "node:url";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import { abortable } from "@/server/base/abort";
import { beginCallLimit, type CallLimit, type CallLimits } from "./call-limit";
import { type Clock, systemClock } from "./clock";
import { type Elicit, elicitWithin, readElicitation } from "./elicitation";
import { failMcp, McpError } from "./failure";
import { maxProgressChars, toPlainServerText } from "./server-text";
import { tooLargeCode } from "./transport/messages";
import { makeServerRedactor, type StdioOptions, type StdioTransport } from "./transport/stdio-transport";
import type { TolerantTransport } from "./transport/tolerant-transport";

export interface ConnectOptions {
  /** Of this program, as sent to servers. */
  readonly version: string;
  readonly server: StdioOptions;
  /** Asks the user on behalf of the server; absent = its questions are declined. */
  readonly elicit?: Elicit;
  /** The server reports that its list of tools has changed. */
  readonly onToolsChanged?: () => void;
  /** Gets the function that returns the last lines of a new process, which a failed start does not return. */
  readonly onProcess?: (log: () => readonly string[]) => void;
  readonly limits?: Partial<CallLimits>;
  readonly clock?: Clock;
}

export interface CallProgress {
  readonly progress: number;
  readonly total?: number;
  /** Plain text without secrets. */
  readonly message?: string;
}

const defaultLimits: CallLimits = { idleMs: 60_000, totalMs: 600_000 };
/** The client's own limit must not end a request: those here pause while the user is asked. */
export const clientTimeoutMs = 86_400_000;
/** Time for a server to say which versions it speaks, after it refused the handshake. */
const probeMs = 10_000;
const maxDetailChars = 300;

export type ClientModule = typeof import("@modelcontextprotocol/client");
/** handshake = `initialize`, of the revisions up to 2025; discovery = `server/discover` of 2026. */
export type Negotiation = "handshake" | "discovery";

export interface ClientLink {
  readonly client: Client;
  readonly transport: TolerantTransport;
  readonly process: StdioTransport;
  readonly closed: Promise<AgentError | null>;
  explain(error: unknown): AgentError;
  /** Sends a request within the limits. */
  request<T>(
    send: (options: RequestOptions) => Promise<T>,
    onProgress: ((progress: CallProgress) => void) | null,
    signal: AbortSignal,
  ): Promise<Result<T>>;
}

export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly onprogress?: (progress: CallProgress) => void;
}

export function makeClientLink(
  module: ClientModule,
  { version, server, elicit, onToolsChanged, limits, clock = systemClock }: ConnectOptions,
  transport: ClientLink["transport"],
  process: StdioTransport,
  negotiation: Negotiation,
): ClientLink {
  const client = new module.Client(
    { name: "gopi-web", version },
    {
      capabilities: { ...(server.project === null ? {} : { roots: {} }), elicitation: { form: {}, url: {} } },
      // Arguments and results are never judged by a schema of the server.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: false, data: undefined, errorMessage: String(input) }),
      },
      ...(negotiation === "discovery"
        ? { versionNegotiation: { mode: "auto" as const, probe: { timeoutMs: probeMs } } }
        : {}),
      listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: () => onToolsChanged?.() } },
    },
  );
  const running = new Set<CallLimit>();
  let questions = 0;
  const asking = async <T>(work: () => Promise<T>): Promise<T> => {
    questions += 1;
    for (const limit of running) limit.pause();
    try {
      return await work();
    } finally {
      questions -= 1;
      if (questions === 0) for (const limit of running) limit.resume();
    }
  };
  client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
    const request = elicit === undefined ? null : readElicitation(params);
    if (request === null || elicit === undefined) return { action: "decline" };
    const answer = await asking(() => elicitWithin(elicit, request, clock, mcpReq.signal));
    return answer.action === "accept" ? { action: "accept", content: copyContent(answer.content) } : answer;
  });
  const { project } = server;
  if (project !== null)
    client.setRequestHandler("roots/list", () => ({ roots: [{ uri: pathToFileURL(project).href, name: "project" }] }));
  const closed = new Promise<AgentError | null>((resolve) => {
    client.onclose = () => resolve(process.failure());
  });
  const redactor = makeServerRedactor(server);
  const plain = (text: string, maxChars: number): string => toPlainServerText(text, redactor, maxChars);
  const explain = (error: unknown): AgentError =>
    explainError(module, error, process.failure(), (text) => plain(text, maxDetailChars));
  return {
    client,
    transport,
    process,
    closed,
    explain,
    async request(send, onProgress, signal) {
      if (signal.aborted) return fail("aborted");
      const limit = beginCallLimit({ ...defaultLimits, ...limits }, clock, questions > 0);
      running.add(limit);
      const either = AbortSignal.any([signal, limit.signal]);
      const onprogress = (progress: CallProgress): void => {
        limit.progress();
        const { message } = progress;
        onProgress?.(message === undefined ? progress : { ...progress, message: plain(message, maxProgressChars) });
      };
      try {
        const sent = send({ signal: either, timeout: clientTimeoutMs, ...(onProgress === null ? {} : { onprogress }) });
        return ok(await abortable(sent, either));
      } catch (error) {
        if (signal.aborted) return fail("aborted");
        const reached = limit.reached();
        if (reached !== null) return failMcp({ reason: "no_answer", seconds: Math.round(reached / 1_000) });
        return { ok: false, error: explain(error) };
      } finally {
        limit.stop();
        running.delete(limit);
      }
    },
  };
}

const copyContent = (content: {
  readonly [name: string]: string | number | boolean | readonly string[];
}): { [name: string]: string | number | boolean | string[] } =>
  Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, typeof value === "object" ? [...value] : value]),
  );

function explainError(
  { ProtocolError, SdkError, SdkErrorCode }: ClientModule,
  error: unknown,
  failure: AgentError | null,
  plain: (text: string) => string,
): AgentError {
  if (error instanceof McpError) return error.error;
  if (failure !== null) return failure;
  const detail = plain(error instanceof Error ? error.message : String(error));
  if (error instanceof ProtocolError && error.code === tooLargeCode)
    return failMcp({ reason: "too_large" }, detail).error;
  const isClosed =
    error instanceof SdkError && [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected].includes(error.code);
  if (isClosed) return failMcp({ reason: "closed" }, detail).error;
  if (error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed)
    return failMcp({ reason: "no_version" }, detail).error;
  return failMcp({ reason: "refused" }, detail).error;
}
