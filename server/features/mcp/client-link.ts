/** The official client of one connection, with our limits, questions to the user and errors. */
import type { Client, PriorDiscovery } from "@modelcontextprotocol/client";
import { pathToFileURL } from "node:url";
import { loadOnce } from "@/lib/async/load-once";
import { type AgentError, fail, ok, type Result, thrownText } from "@/lib/events/error";
import { abortable } from "@/server/base/abort";
import { runStepsInSlices } from "@/server/base/steps";
import type { SecretMask } from "@/server/security/redaction/mask-secrets";
import { beginCallLimit, type CallLimit, type CallLimits, type Clock, systemClock } from "./call-limit";
import { type Elicit, elicitWithin, readElicitation, readRequiredAddresses, type TimedAnswer } from "./elicitation";
import { failMcp, failureIn } from "./failure";
import { maxProgressChars, toPlainServerText } from "./server-text";
import type { HttpOptions } from "./transport/http-target";
import { cutCode, tooLargeCode } from "./transport/messages";
import type { ServerTransport } from "./transport/server-transport";
import type { StdioOptions } from "./transport/stdio-transport";

export interface ConnectOptions {
  /** Version of this program, as sent to servers. */
  readonly version: string;
  readonly server: StdioOptions | HttpOptions;
  /** Memory of the transport and discovery of servers at addresses; absent = each connection finds them out again. */
  readonly verdict?: VerdictMemory;
  /** Asks the user on behalf of the server; absent = its questions are declined. */
  readonly elicit?: Elicit;
  /** The server reports that the user has finished at an address that a call required. */
  readonly onAddressFinished?: (elicitationId: string) => void;
  /** The server reports that its list of tools has changed. */
  readonly onToolsChanged?: () => void;
  /** The same of its prompts or resources. */
  readonly onOffersChanged?: () => void;
  /** Gets the function that returns the last lines of a new process, which a failed start does not return. */
  readonly onProcess?: (log: () => readonly string[]) => void;
  readonly limits?: Partial<CallLimits>;
  readonly clock?: Clock;
}

/** Transport and discovery of a server at an address. */
export interface HttpVerdict {
  readonly transport: "http" | "sse";
  readonly prior: PriorDiscovery;
}

export interface VerdictMemory {
  read(): HttpVerdict | null;
  /** Null = it was wrong. */
  write(verdict: HttpVerdict | null): void;
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
/** A server may report each of many files that change. */
const offersDelayMs = 250;

export type ClientModule = typeof import("@modelcontextprotocol/client");
/** Loads the official client once, at its first use. */
export const loadClient = loadOnce(() => import("@modelcontextprotocol/client"));
/** handshake = `initialize`, of the revisions up to 2025; discovery = `server/discover` of 2026. */
export type Negotiation = "handshake" | "discovery";

export interface ClientLink {
  readonly client: Client;
  readonly transport: ServerTransport;
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
  options: ConnectOptions,
  transport: ServerTransport,
  negotiation: Negotiation,
): ClientLink {
  const { version, server, onToolsChanged, onOffersChanged, limits, clock = systemClock } = options;
  const project = server.kind === "stdio" ? server.project : null;
  const client = new module.Client(
    { name: "gopi-web", version },
    {
      capabilities: { ...(project === null ? {} : { roots: {} }), elicitation: { form: {}, url: {} } },
      // Arguments and results are never judged by a schema of the server.
      jsonSchemaValidator: {
        getValidator: () => (input) => ({ valid: false, data: undefined, errorMessage: String(input) }),
      },
      ...(negotiation === "discovery"
        ? { versionNegotiation: { mode: "auto" as const, probe: { timeoutMs: probeMs } } }
        : {}),
      listChanged: makeListListeners({ onToolsChanged, onOffersChanged }),
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
  handleQuestions(client, options, asking, (text) => transport.mask()(text));
  if (project !== null)
    client.setRequestHandler("roots/list", () => ({ roots: [{ uri: pathToFileURL(project).href, name: "project" }] }));
  const closed = new Promise<AgentError | null>((resolve) => {
    client.onclose = () => resolve(transport.failure());
  });
  const plain = (text: string, maxChars: number): string => toPlainServerText(text, transport.redactor(), maxChars);
  const explain = (error: unknown): AgentError =>
    explainError(module, error, transport.failure(), {
      plain: (text) => plain(text, maxDetailChars),
      mask: transport.mask(),
    });
  return {
    client,
    transport,
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

/** `asking` runs what waits for the user. */
function handleQuestions(
  client: Client,
  { elicit, onAddressFinished, clock = systemClock }: ConnectOptions,
  asking: (work: () => Promise<TimedAnswer>) => Promise<TimedAnswer>,
  mask: SecretMask,
): void {
  client.setRequestHandler("elicitation/create", async ({ params }, { mcpReq }) => {
    if (elicit === undefined) return { action: "decline" };
    const request = await runStepsInSlices(readElicitation(params, mask), mcpReq.signal);
    if (request === null) return { action: "decline" };
    const answer = await asking(() => elicitWithin(elicit, request, clock, mcpReq.signal));
    if (answer.action === "accept") return { action: "accept", content: copyContent(answer.content) };
    // The protocol has no word for a question without an answer.
    return { action: answer.action === "unanswered" ? "cancel" : answer.action };
  });
  client.setNotificationHandler("notifications/elicitation/complete", ({ params }) =>
    onAddressFinished?.(params.elicitationId),
  );
}

function makeListListeners({
  onToolsChanged,
  onOffersChanged,
}: Pick<ConnectOptions, "onToolsChanged" | "onOffersChanged">) {
  const offers = { autoRefresh: false, debounceMs: offersDelayMs, onChanged: () => onOffersChanged?.() };
  const tools = { autoRefresh: false, debounceMs: 0, onChanged: () => onToolsChanged?.() };
  return { tools, prompts: offers, resources: offers };
}

const copyContent = (content: {
  readonly [name: string]: string | number | boolean | readonly string[];
}): { [name: string]: string | number | boolean | string[] } =>
  Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, typeof value === "object" ? [...value] : value]),
  );

function explainError(
  { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, SseError, UrlElicitationRequiredError }: ClientModule,
  error: unknown,
  failure: AgentError | null,
  { plain, mask }: { plain(text: string): string; readonly mask: SecretMask },
): AgentError {
  const reported = failureIn(error) ?? failure;
  if (reported !== null) return reported;
  const detail = plain(thrownText(error));
  if (error instanceof ProtocolError && error.code === tooLargeCode)
    return failMcp({ reason: "too_large" }, detail).error;
  if (error instanceof ProtocolError && error.code === cutCode)
    return failMcp({ reason: "cut", host: error.message }).error;
  if (error instanceof UrlElicitationRequiredError)
    return failMcp({ reason: "address_required", addresses: readRequiredAddresses(error.elicitations, mask) }, detail)
      .error;
  const status =
    error instanceof SdkHttpError ? error.data?.status : error instanceof SseError ? error.code : undefined;
  if (status !== undefined) return failMcp({ reason: "http_status", status }, detail).error;
  const isClosed =
    error instanceof SdkError && [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected].includes(error.code);
  if (isClosed) return failMcp({ reason: "closed" }, detail).error;
  if (error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed)
    return failMcp({ reason: "no_version" }, detail).error;
  return failMcp({ reason: "refused" }, detail).error;
}
