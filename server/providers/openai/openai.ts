/** OpenAI-compatible servers (/chat/completions and /models) as a Provider, through the package openai. */
import type { AgentError } from "@/lib/events/error";
import type { ModelInfo } from "@/lib/models/models";
import { limits } from "@/lib/settings/settings";
import { aliveTryMs, probeAlive } from "../wire/probe-alive";
import type { StallLimit } from "../wire/answer-bytes";
import { makeOpenAiAnswer } from "./stream/openai-answer";
import { checkOpenAi } from "./openai-check";
import { type OpenAiClients, makeOpenAiClients } from "./openai-client";
import type { FetchObservation } from "./stream/openai-fetch";
import { staysLocal } from "./openai-host";
import { parseModels } from "./openai-models";
import { makeFieldRefusals, type FieldRefusals } from "./openai-refusals";
import { openAiChatBody, sentFields } from "./openai-request";
import { type Preset, findPreset } from "../presets";
import {
  type CheckedProvider,
  cutWithoutCounts,
  type Failure,
  type ModelPart,
  type ModelRequest,
  ProviderError,
} from "../provider";

export interface OpenAiOptions {
  /** The connection's id. */
  readonly id: string;
  /** Server-specific differences; default = the preset with that id, else custom. */
  readonly preset?: Preset;
  /** As the user wrote it; read for every request, like the key and the temperature. */
  readonly baseUrl: () => string;
  /** null = send none. Never returned or reported. */
  readonly apiKey: () => string | null;
  /** undefined = the server's default */
  readonly temperature?: () => number | undefined;
  /** ms epoch */
  readonly now?: () => number;
  /** ms, default limits.stallMs */
  readonly stallMs?: number;
  /** Time limit, ms, of one liveness probe of a silent server; default 10 s */
  readonly tryMs?: number;
  /** UTF-16 units, default limits.answerMaxChars */
  readonly answerMaxChars?: number;
}

/** Connects on the first call. */
export function makeOpenAi(options: OpenAiOptions): CheckedProvider {
  const { id, baseUrl, apiKey, now = Date.now, temperature = () => undefined } = options;
  const { stallMs = limits.stallMs, answerMaxChars = limits.answerMaxChars, preset = findPreset(id) } = options;
  const clients = makeOpenAiClients({ baseUrl, apiKey, quirks: preset.quirks, now });
  const isLocal = (): boolean => staysLocal(preset, baseUrl());
  const { tryMs = aliveTryMs } = options;
  const asking: OpenAiRequestContext = {
    clients,
    refusals: makeFieldRefusals(),
    preset,
    temperature,
    now,
    stallMs,
    tryMs,
    answerMaxChars,
    isLocal,
  };

  const models = async (signal: AbortSignal): Promise<readonly ModelInfo[]> => {
    const value = await fetchModelList(clients, preset, signal);
    return parseModels(value, !isLocal());
  };
  return {
    id,
    async *stream(request, signal) {
      if (signal.aborted) return;
      yield { type: "phase", phase: "reading" };
      yield* streamAnswer(asking, request, {}, signal);
    },
    models,
    check: (model, signal) =>
      checkOpenAi(
        {
          clients,
          preset,
          now,
          stream: (request, seen, stop) => streamAnswer(asking, request, seen, stop),
        },
        model,
        signal,
      ),
  };
}

/** Fetches the list from the server's own path, falling back to the common one. */
async function fetchModelList(clients: OpenAiClients, { quirks }: Preset, signal: AbortSignal): Promise<unknown> {
  const own = quirks.models?.path;
  if (own === undefined) return await clients.get("/models", signal);
  try {
    return await clients.get(own, signal);
  } catch (cause) {
    if (!(cause instanceof ProviderError) || cause.error.code !== "wrong_address") throw cause;
    return await clients.get("/models", signal);
  }
}

interface OpenAiRequestContext {
  readonly clients: OpenAiClients;
  readonly refusals: FieldRefusals;
  readonly preset: Preset;
  readonly temperature: () => number | undefined;
  readonly now: () => number;
  readonly stallMs: number;
  readonly tryMs: number;
  readonly answerMaxChars: number;
  readonly isLocal: () => boolean;
}

/** Sends a request; retries without a refused optional field, reports any other failure. */
async function* streamAnswer(
  asking: OpenAiRequestContext,
  request: ModelRequest,
  seen: FetchObservation,
  signal: AbortSignal,
): AsyncGenerator<ModelPart> {
  const { refusals, preset, temperature } = asking;
  for (;;) {
    const { quirks } = preset;
    const outputTokens = refusals.outputTokens(request.model, request.maxOutputTokens);
    const options = {
      quirks,
      temperature: request.temperature ?? temperature(),
      without: refusals.of(request),
      outputTokens,
    };
    const stall = {
      stallMs: request.stallMs ?? asking.stallMs,
      ...(mayBeSilent(asking, request) ? { alive: makeLivenessProbe(asking, outputTokens) } : {}),
    };
    const ask = { model: request.model, stall, body: openAiChatBody(request, options) };
    const failure = yield* streamOnce(asking, ask, seen, signal);
    if (failure === undefined) return;
    const isLearned = refusals.learn(request, sentFields(request, options), failure);
    const level = typeof request.think === "string" && !options.without.has("think") ? request.think : null;
    if (isLearned && level !== null && refusals.of(request).has("think")) {
      // The user chose the level, so its removal is reported. The next request omits it.
      yield { type: "failed", error: levelRefused(failure.error, level), retryable: true };
      return;
    }
    if (isLearned) continue;
    const { error, retryable, retryAfterMs } = failure;
    yield { type: "failed", error, retryable, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
    return;
  }
}

const levelRefused = ({ detail, facts }: AgentError, level: string): AgentError => ({
  code: "no_think_level",
  ...(detail === undefined ? {} : { detail }),
  facts: { ...facts, level },
});

/** Local servers may generate a whole call before they send it, as Ollama does in this API too (field D19). */
const mayBeSilent = ({ isLocal }: OpenAiRequestContext, { tools }: ModelRequest): boolean =>
  tools.length > 0 && isLocal();

/** The server is alive while it lists its models. */
const makeLivenessProbe = (
  { clients, preset, tryMs }: OpenAiRequestContext,
  outputTokens: number,
): StallLimit["alive"] => ({
  outputTokens,
  check: (signal) =>
    probeAlive(tryMs, signal, async (bounded) => {
      await fetchModelList(clients, preset, bounded);
      return true;
    }),
});

/** Yields the parts of one request; returns the failure that ended it. An abort ends it without either. */
async function* streamOnce(
  { clients, now, answerMaxChars }: OpenAiRequestContext,
  { model, stall, body }: { readonly model: string; readonly stall: StallLimit; readonly body: object },
  seen: FetchObservation,
  signal: AbortSignal,
): AsyncGenerator<ModelPart, Failure | undefined> {
  delete seen.failure;
  try {
    const answer = makeOpenAiAnswer({ maxChars: answerMaxChars, now });
    const events = await clients.chat(body, { model, stall }, seen, signal);
    for await (const event of events) {
      for (const part of answer.take(event)) {
        if (signal.aborted) return undefined;
        yield part;
        if (part.type === "finish") return undefined;
      }
    }
    if (!signal.aborted) yield* answer.end();
    return undefined;
  } catch (cause) {
    if (signal.aborted) return undefined;
    const failure = clients.toFailure(cause, seen);
    if (failure.error.code !== "output_limit") return failure;
    yield cutWithoutCounts;
    return undefined;
  }
}
