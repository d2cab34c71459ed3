/** OpenAI-compatible servers (/chat/completions and /models) as a Provider. */
import type { ModelInfo } from "@/lib/models/models";
import { limits } from "@/lib/settings/settings";
import { aliveTryMs, probeAlive } from "../wire/probe-alive";
import type { StallLimit } from "../wire/answer-bytes";
import { streamAnswer } from "../wire/answer-stream";
import { checkOpenAi } from "./openai-check";
import { type OpenAiClients, makeOpenAiClients } from "./openai-client";
import { type AnswerObservation, makeOpenAiReader } from "./stream/openai-reader";
import { staysLocal } from "./openai-host";
import { parseModels } from "./openai-models";
import { makeFieldRefusals, type FieldRefusals } from "./openai-refusals";
import { openAiChatBody, sentFields } from "./openai-request";
import { type Preset, findPreset } from "../presets";
import {
  type CheckedProvider,
  failedPart,
  type ModelPart,
  type ModelRequest,
  ProviderError,
  toLevelRefusal,
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
      yield* streamWithoutRefused(asking, request, {}, signal);
    },
    models,
    check: (model, signal) =>
      checkOpenAi(
        {
          clients,
          preset,
          now,
          stream: (request, seen, stop) => streamWithoutRefused(asking, request, seen, stop),
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
async function* streamWithoutRefused(
  asking: OpenAiRequestContext,
  request: ModelRequest,
  seen: AnswerObservation,
  signal: AbortSignal,
): AsyncGenerator<ModelPart> {
  const { clients, refusals, temperature, now, answerMaxChars } = asking;
  const { quirks } = asking.preset;
  for (;;) {
    const outputTokens = refusals.outputTokens(request.model, request.maxOutputTokens);
    const options = {
      quirks,
      temperature: request.temperature ?? temperature(),
      without: refusals.of(request),
      outputTokens,
    };
    const stall: StallLimit = {
      stallMs: request.stallMs ?? asking.stallMs,
      alive: mayBeSilent(asking, request) ? makeLivenessProbe(asking, outputTokens) : undefined,
    };
    const { model } = request;
    const reader = makeOpenAiReader({ maxChars: answerMaxChars, now }, { key: clients.key(), model }, seen);
    const body = openAiChatBody(request, options);
    const failure = yield* streamAnswer(
      async () => reader.untilComplete(await clients.chat(body, model, () => reader.stallLimit(stall), signal)),
      reader,
      clients.toFailure,
      signal,
    );
    if (failure === undefined) return;
    const isLearned = refusals.learn(request, sentFields(request, options), failure);
    // The user chose the level, so its removal is reported. The next request omits it.
    const isLevel = typeof request.think === "string" && !options.without.has("think");
    if (isLearned && isLevel && refusals.of(request).has("think"))
      return yield failedPart({ ...toLevelRefusal(failure, request.think), retryable: true, retryAfterMs: undefined });
    if (!isLearned) return yield failedPart(failure);
  }
}

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
