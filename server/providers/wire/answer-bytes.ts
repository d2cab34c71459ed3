/** Requests the bytes of one answer: detects stalls and refusals, reads whole bodies within a limit. */
import { keyHeaders, type KeyUse } from "@/lib/models/key-use";
import { withFacts } from "@/lib/events/error";
import { timeLimit } from "@/server/base/abort";
import { beginTimeSlice } from "@/server/base/steps";
import { ProviderError } from "../provider";
import { findSpokenScheme, requiresTls } from "./spoken-scheme";
import { nodeFetch, type NodeRequest, type NodeResponse } from "./node-fetch";
import { brokenAnswer, stalledAnswer } from "./wire-errors";

/** Limit of the silence in an answer that has begun. */
export interface StallLimit {
  /** ms without a byte */
  readonly stallMs: number;
  /** Set where silence may be a native call being generated: the wait continues while the server is alive. */
  readonly alive?: {
    /** Resolves with whether the server still works on the answer; rejects if it does not respond. */
    ask(signal: AbortSignal): Promise<boolean>;
    /** Time limit of `ask`, ms; default 10 s, because a machine that is generating answers slowly. */
    readonly tryMs?: number;
    /** Output limit of the answer, tokens; bounds the wait for a server that is alive but never sends. */
    readonly outputTokens: number;
  };
}

const aliveTries = 2;
const aliveTryMs = 10_000;
/** Minimum wait for a live silent server, in stall limits; also the factor applied to the measured ms per token. */
const livenessPatience = 5;
/** ms per token where too few chunks were sent to measure a pace; slower models are of no use. */
const slowestMsPerToken = 1_000;
const paceMinChunks = 4;

/** Measures the pace of one answer. A chunk holds one token or more, so the pace is never overestimated. */
function makePace() {
  let chunks = 0;
  let firstAt = 0;
  let lastAt = 0;
  return {
    count(): void {
      lastAt = performance.now();
      if (chunks === 0) firstAt = lastAt;
      chunks += 1;
    },
    get begun() {
      return chunks > 0;
    },
    isSilentTooLong(stallMs: number, outputTokens: number): boolean {
      const isMeasured = chunks >= paceMinChunks;
      const msPerToken = isMeasured ? (livenessPatience * (lastAt - firstAt)) / (chunks - 1) : slowestMsPerToken;
      return performance.now() - lastAt > Math.max(livenessPatience * stallMs, msPerToken * outputTokens);
    },
  };
}

/** Destroys the response after too much silence. Returns a function that ends the watch. */
function watchSilence(
  response: NodeResponse,
  { stallMs, alive }: StallLimit,
  pace: ReturnType<typeof makePace>,
): () => void {
  const over = new AbortController();
  let timer: NodeJS.Timeout;
  let hasProbed = false;
  const arm = (): void => {
    timer = setTimeout(() => void silent(), stallMs);
  };
  const isAlive = async (): Promise<boolean> => {
    if (alive === undefined) return false;
    // The clock runs on while this process does not (a suspended machine): a server that was never probed gets a probe.
    if (hasProbed && pace.isSilentTooLong(stallMs, alive.outputTokens)) return false;
    hasProbed = true;
    for (let tried = 0; tried < aliveTries && !over.signal.aborted; tried += 1) {
      const bounded = timeLimit(alive.tryMs ?? aliveTryMs, over.signal);
      if (await alive.ask(bounded).catch(() => false)) return true;
    }
    return false;
  };
  const silent = async (): Promise<void> => {
    const isStillAlive = await isAlive();
    if (over.signal.aborted) return;
    if (isStillAlive) arm();
    else response.destroy(stalledAnswer(stallMs));
  };
  arm();
  return () => {
    clearTimeout(timer);
    over.abort();
  };
}

/**
 * Yields the chunks; after the first, each must arrive within the current limit. Time spent in the consumer does not
 * count. `hasBegun` = the first one was read from another response.
 */
export async function* withStallLimit(
  response: NodeResponse,
  limitNow: () => StallLimit | undefined,
  hasBegun = false,
): AsyncGenerator<Uint8Array> {
  const chunks = response.body[Symbol.asyncIterator]();
  const pace = makePace();
  if (hasBegun) pace.count();
  const turn = beginTimeSlice();
  try {
    for (;;) {
      // Chunks already buffered follow each other without yielding to the event loop.
      if (turn.isOver()) await turn.next();
      const limit = pace.begun ? limitNow() : undefined;
      const stopWatch = limit === undefined ? undefined : watchSilence(response, limit, pace);
      const next = await chunks.next().finally(stopWatch);
      if (next.done === true) return;
      pace.count();
      yield next.value;
    }
  } finally {
    response.destroy();
  }
}

/** Bytes read of a body that reports an error. */
export const errorBodyMaxBytes = 65_536;
/** Time for the body of an error, ms: its status is the failure, and a proxy may leave the body open. */
const errorBodyMs = 5_000;
/** Bytes of one JSON answer; lists of models and model details are far smaller. */
const wholeMaxBytes = 33_554_432;

/** Collects a body that has to be complete before it is parsed. */
export function makeWholeBody() {
  const pieces: Uint8Array[] = [];
  let size = 0;
  return {
    /** Returns the size, bytes. Throws `bad_answer` above `wholeMaxBytes`. */
    add(chunk: Uint8Array): number {
      pieces.push(chunk);
      size += chunk.length;
      if (size > wholeMaxBytes) throw brokenAnswer(`an answer of more than ${wholeMaxBytes} bytes`);
      return size;
    },
    text: (): string => new TextDecoder().decode(Buffer.concat(pieces)),
  };
}

/** Reads about `errorBodyMaxBytes` as text. On a lost connection returns what was received. */
async function readErrorText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const body = makeWholeBody();
  try {
    for await (const chunk of chunks) if (body.add(chunk) >= errorBodyMaxBytes) break;
  } catch {
    // The status already reports the failure.
  }
  return body.text().slice(0, errorBodyMaxBytes);
}

/** Reads everything as text. Throws `bad_answer` above `wholeMaxBytes`. */
export async function readWholeText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const body = makeWholeBody();
  for await (const chunk of chunks) body.add(chunk);
  return body.text();
}

export interface ServerRequest {
  readonly url: string;
  /** default POST with a body, else GET */
  readonly method?: string;
  readonly headers?: NodeRequest["headers"];
  /** JSON text */
  readonly body?: string;
  /** null = none. */
  readonly key: string | null;
  /** Absent = the key is sent as a bearer token. */
  readonly keyUse?: KeyUse | undefined;
  /** Allowed silence after the first byte, read before each chunk; undefined = no limit. */
  readonly stall?: () => StallLimit | undefined;
  /** The first byte was read from another response; default false. */
  readonly hasBegun?: boolean;
  /** Called with the head of an answer that is not refused. */
  accepted?(response: NodeResponse): void;
  /** Returns the failure for a status that is not 2xx. */
  refused(response: NodeResponse, body: string): ProviderError;
}

/**
 * Sends a request and returns the bytes of its answer. Throws the failure for its status, `bad_answer` for a web page,
 * SocketError, or the signal's reason. `signal` closes the connection at any time, and so does leaving the loop.
 */
export async function requestBytes(request: ServerRequest, signal: AbortSignal): Promise<AsyncGenerator<Uint8Array>> {
  const { url, body, key, keyUse, stall = () => undefined } = request;
  const { method = body === undefined ? "GET" : "POST" } = request;
  const headers = {
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": "gopi-web",
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(key !== null && keyHeaders(key, keyUse)),
    ...request.headers,
  };
  const response = await nodeFetch(url, { method, headers, body }, signal).catch(async (error: unknown) => {
    const speaks = await findSpokenScheme(url, error, signal);
    throw speaks === null ? error : wrongScheme(url, speaks);
  });
  const chunks = withStallLimit(response, stall, request.hasBegun);
  const isSuccess = response.status >= 200 && response.status < 300;
  if (isSuccess && !/html/i.test(response.header("content-type") ?? "")) {
    request.accepted?.(response);
    return chunks;
  }
  const isRedirect = response.status >= 300 && response.status < 400 && response.header("location") !== undefined;
  const timer = setTimeout(() => response.destroy(), isRedirect ? 0 : errorBodyMs);
  const text = await readErrorText(chunks).finally(() => clearTimeout(timer));
  if (requiresTls(url, response.status, text)) throw wrongScheme(url, "https");
  if (isSuccess) throw brokenAnswer(text);
  const failure = request.refused(response, text);
  throw keyUse?.as !== "password" && wantsUser(response) ? withWantedUser(failure) : failure;
}

/** A challenge of Basic authentication, alone or beside others (RFC 9110). */
const wantsUser = ({ status, header }: NodeResponse): boolean =>
  status === 401 && /(?:^|,)\s*basic(?:\s|,|$)/i.test(header("www-authenticate") ?? "");

/** With the field of the connection to fill in. */
const withWantedUser = (failure: ProviderError): ProviderError =>
  new ProviderError(withFacts(failure.error, { wants: "user" }), failure);

const wrongScheme = (url: string, speaks: "http" | "https"): ProviderError =>
  new ProviderError({ code: "wrong_scheme", facts: { host: new URL(url).host, speaks } });
