/** Exchanges messages with an MCP server over HTTP: streamable HTTP, or the SSE of 2024. */
import type { FetchLike, Transport } from "@modelcontextprotocol/client";
import type { AgentError } from "@/lib/events/error";
import { timeLimit, untilAborted } from "@/server/base/abort";
import type { SecretMask } from "@/server/security/redaction/mask-secrets";
import { makeRedactor, type Redactor } from "@/server/security/redaction/redact";
import { systemClock } from "../call-limit";
import type { ClientModule } from "../client-link";
import { failMcp, failureIn } from "../failure";
import { makeServerMask } from "../mask-content";
import { toPlainServerText } from "../server-text";
import { makeHttpFetch } from "./http-fetch";
import { headerSecrets, type HttpOptions } from "./http-target";
import { cutCode } from "./messages";
import { makeProcessLog } from "@/server/security/redaction/process-log";
import { repairAnswers } from "./repair-answers";
import type { ServerTransport } from "./server-transport";

/** Time for the server to end the session, ms. */
const endSessionMs = 1_000;
const maxLogChars = 500;

export function makeHttpTransport(module: ClientModule, options: HttpOptions, kind: "http" | "sse"): ServerTransport {
  const masking = makeLiveMasking(options);
  const redactor = (): Redactor => masking().redactor;
  const log = makeProcessLog({ text: (raw, edges) => redactor().text(raw, edges) });
  const plain = (text: string, maxChars: number): string => toPlainServerText(text, redactor(), maxChars);
  let failure: AgentError | null = null;
  let isOpen = false;
  const url = new URL(options.url);
  const fetch = makeHttpFetch({ ...options, kind, deliver: (message) => inner.onmessage?.(message), plain });

  const streamable = kind === "http" ? makeStreamable(module, url, fetch) : null;
  const inner: Transport = streamable ?? new module.SSEClientTransport(url, { fetch });

  const answers = repairAnswers((message, extra) => transport.onmessage?.(message, extra));

  function noteError(error: Error): void {
    log.add(plain(error.message, maxLogChars));
    // A broken stream of SSE has lost its session.
    if (kind === "sse" && isOpen) {
      isOpen = false;
      failure ??= failureIn(error) ?? failMcp({ reason: "cut", host: url.host }).error;
      void inner.close();
    } else if (!isOpen) failure ??= failureIn(error);
    transport.onerror?.(error);
  }

  const transport: ServerTransport = {
    redactor,
    mask: () => masking().mask,
    log: log.lines,
    failure: () => failure,
    strayLine: () => null,
    async start() {
      inner.onmessage = answers.receive;
      inner.onerror = noteError;
      inner.onclose = () => transport.onclose?.();
      await inner.start();
      isOpen = true;
    },
    send(message, sendOptions) {
      answers.noteSent(message);
      if (!("method" in message && "id" in message)) return inner.send(message, sendOptions);
      const { id } = message;
      const onRequestStreamEnd = (): void => {
        sendOptions?.onRequestStreamEnd?.();
        // Without effect after the answer.
        answers.receive({ jsonrpc: "2.0", id, error: { code: cutCode, message: url.host } });
      };
      return inner.send(message, { ...sendOptions, onRequestStreamEnd });
    },
    async close() {
      if (isOpen && streamable !== null) await endSession(streamable);
      isOpen = false;
      await inner.close();
    },
    get hasPerRequestStream() {
      return inner.hasPerRequestStream;
    },
    get sessionId() {
      return inner.sessionId;
    },
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
  };
  return transport;
}

function makeStreamable({ StreamableHTTPClientTransport }: ClientModule, url: URL, fetch: FetchLike) {
  const reconnectionOptions = {
    initialReconnectionDelay: noRequestedDelay,
    maxReconnectionDelay: noRequestedDelay,
    reconnectionDelayGrowFactor: 1,
    maxRetries: 2,
  };
  const delayOf = makeReconnectDelay(systemClock.now);
  const reconnectionScheduler = (reconnect: () => void, delay: number): (() => void) =>
    systemClock.after(delayOf(delay), reconnect);
  return new StreamableHTTPClientTransport(url, { fetch, reconnectionOptions, reconnectionScheduler });
}

async function endSession(streamable: ReturnType<typeof makeStreamable>): Promise<void> {
  if (streamable.sessionId === undefined) return;
  const ended = streamable.terminateSession().catch(() => {});
  await Promise.race([ended, untilAborted(timeLimit(endSessionMs))]);
}

interface Masking {
  readonly redactor: Redactor;
  readonly mask: SecretMask;
}

/** Tokens change while the connection is used. */
function makeLiveMasking({ headers, secrets, logSecrets, authorization }: HttpOptions): () => Masking {
  const fixed = [...headerSecrets(headers), ...secrets];
  const make = (all: readonly string[]): Masking => ({
    redactor: makeRedactor({ secrets: [...all, ...logSecrets], homes: [] }),
    mask: makeServerMask(all),
  });
  let masked = "";
  let masking = make(fixed);
  return () => {
    const tokens = authorization?.secrets() ?? [];
    if (tokens.join("\n") !== masked) {
      masked = tokens.join("\n");
      masking = make([...fixed, ...tokens]);
    }
    return masking;
  };
}

/** The first delay, the longest one, and the shortest that a server may request. ms. */
const reconnectMs = { first: 1_000, most: 30_000, leastRequested: 100 } as const;
/** Each further time within this time doubles the delay, ms. */
const repeatedMs = 60_000;

/** In place of a delay: the server has requested none. It cannot request a negative one. */
export const noRequestedDelay = -1;

/** Returns a function that returns the delay of the next time, ms; `requested` = the one that the server wants. */
export function makeReconnectDelay(now: () => number): (requested: number) => number {
  let recent: readonly number[] = [];
  return (requested) => {
    // Servers that answer a call in several streams want it to be repeated as often as they request.
    if (requested >= 0) return Math.min(Math.max(requested, reconnectMs.leastRequested), reconnectMs.most);
    const at = now();
    recent = [...recent.filter((one) => at - one < repeatedMs), at];
    return Math.min(reconnectMs.first * 2 ** (recent.length - 1), reconnectMs.most);
  };
}
