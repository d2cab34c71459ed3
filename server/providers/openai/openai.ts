/** OpenAI-compatible servers (/chat/completions and /models) as a Provider. */
import { serverLimits } from "@/lib/settings/server-limits";
import type { ServerRequest, StallLimit } from "../wire/answer-bytes";
import { streamAnswer, type StreamOptions } from "../wire/answer-stream";
import { checkOpenAi } from "./openai-check";
import type { KeySource } from "../wire/sent-key";
import { type OpenAiClients, makeOpenAiClients } from "./openai-client";
import { type HeldAnswerSource, readHeldAnswer } from "./stream/held-answer";
import { type AnswerObservation, makeOpenAiReader } from "./stream/openai-reader";
import { staysLocal } from "./openai-host";
import { type LlamaRouter, makeLlamaRouter } from "./llama-router";
import { type LmStudio, makeLmStudio } from "./lmstudio-loading";
import { parseModelList } from "./openai-models";
import { makeFieldRefusals } from "./openai-refusals";
import { openAiChatBody, type OpenAiBodyOptions, sentFields } from "./openai-request";
import { type CountingServer, makePromptCounts } from "./token-counter";
import { type Preset, findPreset } from "../presets";
import {
  type CheckedProvider,
  failedPart,
  type ModelPart,
  type ModelRequest,
  ProviderError,
  toLevelRefusal,
  type Failure,
} from "../provider";
import { timeLimit } from "@/server/base/abort";

type ThinkingEnder = (
  answerId: string,
  request: Pick<ModelRequest, "model" | "session">,
  signal: AbortSignal,
) => Promise<boolean>;

/**
 * Ends the thinking of an answer in progress where a llama-server can. A server that lacks the path is not asked again.
 */
function makeThinkingEnder(clients: Pick<OpenAiClients, "post">): ThinkingEnder {
  let isMissing = false;
  return async (id, { model, session }, signal) => {
    if (isMissing) return false;
    const request = { id, model, action: "reasoning_end" };
    const limit = timeLimit(serverLimits.serverAnswerMs, signal);
    try {
      const answer = await clients.post("/chat/completions/control", request, limit, session);
      return "success" in answer && answer.success === true;
    } catch (cause) {
      isMissing = cause instanceof ProviderError && cause.error.code === "wrong_address";
      return false;
    }
  };
}

/** Yields the parts, with a control before the first thinking. */
async function* withThinkingControl(
  parts: AsyncGenerator<ModelPart, Failure | undefined>,
  endThinking: (signal: AbortSignal) => Promise<boolean>,
): AsyncGenerator<ModelPart, Failure | undefined> {
  let isSent = false;
  try {
    for (;;) {
      const next = await parts.next();
      if (next.done === true) return next.value;
      if (!isSent && next.value.type === "thinking") {
        isSent = true;
        yield { type: "control", endThinking };
      }
      yield next.value;
    }
  } finally {
    await parts.return(undefined);
  }
}

export interface OpenAiOptions extends StreamOptions, KeySource {
  /** The connection's id. */
  readonly id: string;
  /** Server-specific differences; default = the preset with that id, else custom. */
  readonly preset?: Preset;
  /** As the user wrote it; read for every request, like the key and the temperature. */
  readonly baseUrl: () => string;
  /** Header that carries the session's id; default = none. */
  readonly sessionHeader?: string;
  /** undefined = the server's default */
  readonly temperature?: () => number | undefined;
}

export interface OpenAiProvider extends CheckedProvider {
  /** Requests that only a llama-server answers. */
  readonly router: LlamaRouter;
  /** Metrics of the server in Prometheus' text format; throws as `models` does. */
  metrics(signal: AbortSignal): Promise<string>;
  /** Requests that only LM Studio answers. */
  readonly lmStudio: LmStudio;
  /** Tokens of the whole prompt of a request; null = the server does not count it now. */
  countTokens(server: CountingServer, request: ModelRequest, signal: AbortSignal): Promise<number | null>;
}

/** Connects on the first call. */
export function makeOpenAi(options: OpenAiOptions): OpenAiProvider {
  const { id, baseUrl, now = Date.now, temperature = () => undefined, preset = findPreset(id) } = options;
  const { stallMs = serverLimits.stallMs, tryMs, answerMaxChars: maxChars = serverLimits.answerMaxChars } = options;
  const clients = makeOpenAiClients({ sessionHeader: "", ...options, quirks: preset.quirks, now });
  const refusals = makeFieldRefusals();
  const endThinking = makeThinkingEnder(clients);
  const countTokens = makePromptCounts(clients);
  const isLocal = (): boolean => staysLocal(preset, baseUrl());

  function streamOnce(request: ModelRequest, fields: OpenAiBodyOptions, seen: AnswerObservation, signal: AbortSignal) {
    const { model } = request;
    // Local servers may generate a whole call before they send it: alive while they list their models.
    const isAlive = (bounded: AbortSignal): Promise<boolean> =>
      fetchModelList(clients, preset, bounded).then(() => true);
    const isSilent = request.tools.length > 0 && isLocal();
    const stall: StallLimit = {
      stallMs: request.stallMs ?? stallMs,
      alive: isSilent ? { ask: isAlive, tryMs, outputTokens: fields.outputTokens } : undefined,
    };
    const reader = makeOpenAiReader(
      { maxChars, outputTokens: fields.outputTokens, now },
      clients.errorContext(model),
      seen,
    );
    const body = openAiChatBody(request, fields);
    const silence = (): StallLimit | undefined => reader.stallLimit(stall);
    const { isComplete } = reader;
    const open = async (accepted: ServerRequest["accepted"]): Promise<AsyncIterable<Uint8Array>> =>
      reader.untilComplete(await openAnswer(clients, request, body, { stall: silence, accepted, isComplete }, signal));
    const parts = streamAnswer(open, reader, clients.toFailure, signal);
    if (body.reasoning_control !== true) return parts;
    return withThinkingControl(parts, (limit) => endThinking(reader.answerId() ?? "", request, limit));
  }

  const fieldsFor = (request: ModelRequest): OpenAiBodyOptions => ({
    quirks: preset.quirks,
    temperature: request.temperature ?? temperature(),
    without: refusals.of(request),
    outputTokens: refusals.outputTokens(request.model, request.maxOutputTokens),
  });

  const bodyOf = (request: ModelRequest) => openAiChatBody(request, fieldsFor(request));

  /** Sends a request; retries without a refused optional field, reports any other failure. */
  async function* stream(
    request: ModelRequest,
    seen: AnswerObservation,
    signal: AbortSignal,
  ): AsyncGenerator<ModelPart> {
    const { think } = request;
    for (;;) {
      const fields = fieldsFor(request);
      const failure = yield* streamOnce(request, fields, seen, signal);
      if (failure === undefined) return;
      if (!refusals.learn(request, sentFields(request, fields), failure)) return yield failedPart(failure);
      // The user chose the level, so its removal is reported. The next request omits it.
      const isRemoved = !fields.without.has("think") && refusals.of(request).has("think");
      if (typeof think === "string" && isRemoved)
        return yield failedPart({ error: toLevelRefusal(failure, think).error, retryable: true });
    }
  }

  return {
    id,
    async *stream(request, signal) {
      if (signal.aborted) return;
      if (request.held?.isRequested !== true) yield { type: "phase", phase: "reading" };
      yield* stream(request, {}, signal);
    },
    models: async (signal) => parseModelList(await fetchModelList(clients, preset, signal), !isLocal()),
    ...requestsByKind(clients),
    countTokens: (server, request, signal) => countTokens(server, bodyOf(request), request.session, signal),
    check: (model, signal) => checkOpenAi({ clients, preset, now, stream }, model, signal),
  };
}

interface OpenAnswerOptions extends Pick<ServerRequest, "accepted">, Pick<HeldAnswerSource, "isComplete"> {
  readonly stall: () => StallLimit | undefined;
}

/** Requests an answer, or reads on in one that the server holds. */
async function openAnswer(
  clients: OpenAiClients,
  request: ModelRequest,
  body: object,
  { isComplete, ...options }: OpenAnswerOptions,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const { held, session } = request;
  const ask = () => clients.chat(body, request, options, signal);
  if (held === undefined) return await ask();
  const there = clients.held({ id: held.id, session }, options.stall, signal);
  return readHeldAnswer({ ...there, request: ask, isComplete }, held.isRequested, signal);
}

/** Requests that only some kinds of servers answer. */
const requestsByKind = (clients: OpenAiClients): Pick<OpenAiProvider, "router" | "metrics" | "lmStudio"> => ({
  router: makeLlamaRouter(clients),
  metrics: (signal) => clients.text("//metrics", signal),
  lmStudio: makeLmStudio(clients),
});

/** Fetches the list from the first of the server's own paths that it has, else from the common one. */
async function fetchModelList(clients: OpenAiClients, { quirks }: Preset, signal: AbortSignal): Promise<unknown> {
  for (const own of quirks.models?.paths ?? []) {
    try {
      return await clients.get(own, signal);
    } catch (cause) {
      if (!(cause instanceof ProviderError) || cause.error.code !== "wrong_address") throw cause;
    }
  }
  return await clients.get("/models", signal);
}
