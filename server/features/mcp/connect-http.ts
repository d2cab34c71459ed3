/**
 * Connects to a server at an address. It is asked what it speaks before the handshake of 2025 is tried, and over SSE when
 * it has nothing at the address that accepts requests. What was found is remembered.
 */
import { anyFacts, fail, ok, type Result } from "@/lib/events/error";
import { abortable } from "@/server/base/abort";
import {
  type ClientLink,
  type ClientModule,
  clientTimeoutMs,
  type ConnectOptions,
  type HttpVerdict,
  makeClientLink,
  type Negotiation,
} from "./client-link";
import { failMcp, failureIn, failureReason } from "./failure";
import { type HttpOptions, isSafeTarget, shownHost } from "./transport/http-target";
import { makeHttpTransport } from "./transport/http-transport";

/** Statuses of an address without a service for requests (404), or for POST (405). */
const noRequestsStatuses: readonly unknown[] = [404, 405];

interface Attempt {
  readonly transport: HttpVerdict["transport"];
  readonly negotiation: Negotiation;
  /** Null = the server is asked. */
  readonly prior: HttpVerdict["prior"] | null;
}

export async function connectHttp(
  module: ClientModule,
  options: ConnectOptions,
  server: HttpOptions,
  signal: AbortSignal,
): Promise<Result<ClientLink>> {
  if (!URL.canParse(server.url)) return failMcp({ reason: "unreachable", host: shownHost(server.url) });
  const url = new URL(server.url);
  if (!isSafeTarget(url)) return failMcp({ reason: "insecure", host: url.host });
  const cached = options.verdict?.read() ?? null;
  // The transport may have been configured after that.
  if (cached !== null && (server.transport ?? cached.transport) === cached.transport) {
    const connected = await tryHttp(module, options, server, { ...cached, negotiation: "discovery" }, signal);
    if (connected.ok || signal.aborted) return connected;
    options.verdict?.write(null);
  }
  let last: Result<ClientLink> = failMcp({ reason: "no_version" });
  for (const attempt of attemptsFor(server)) {
    if (attempt.transport === "sse" && server.transport === null && !hasNoRequests(last)) return last;
    last = await tryHttp(module, options, server, attempt, signal);
    if (last.ok) options.verdict?.write(verdictOf(last.value, attempt));
    if (last.ok || signal.aborted || isFinal(last)) return last;
  }
  return last;
}

function attemptsFor({ transport }: HttpOptions): readonly Attempt[] {
  const streamable: readonly Attempt[] = [
    { transport: "http", negotiation: "discovery", prior: null },
    { transport: "http", negotiation: "handshake", prior: null },
  ];
  const sse: readonly Attempt[] = [{ transport: "sse", negotiation: "handshake", prior: null }];
  return [...(transport === "sse" ? [] : streamable), ...(transport === "http" ? [] : sse)];
}

const hasNoRequests = (result: Result<ClientLink>): boolean =>
  !result.ok && noRequestsStatuses.includes(anyFacts(result.error).status);

/** Nothing else has to be tried. */
function isFinal(result: Result<ClientLink>): boolean {
  if (result.ok) return true;
  const reason = failureReason(result.error);
  return reason !== null && !["http_status", "refused", "no_version", "no_answer"].includes(reason);
}

const verdictOf = ({ client }: ClientLink, { transport }: Attempt): HttpVerdict => {
  const discover = client.getDiscoverResult();
  return { transport, prior: discover === undefined ? { kind: "legacy" } : { kind: "modern", discover } };
};

async function tryHttp(
  module: ClientModule,
  options: ConnectOptions,
  server: HttpOptions,
  { transport: kind, negotiation, prior }: Attempt,
  signal: AbortSignal,
): Promise<Result<ClientLink>> {
  const transport = makeHttpTransport(module, server, kind);
  options.onProcess?.(transport.log);
  const link = makeClientLink(module, options, transport, negotiation);
  try {
    const connecting = link.client.connect(transport, {
      timeout: clientTimeoutMs,
      signal,
      ...(prior === null ? {} : { prior }),
    });
    // It rejects after an abort.
    connecting.catch(() => {});
    await abortable(connecting, signal);
    return ok(link);
  } catch (error) {
    await transport.close();
    if (signal.aborted) return fail("aborted");
    return { ok: false, error: failureIn(error) ?? link.explain(error) };
  }
}
