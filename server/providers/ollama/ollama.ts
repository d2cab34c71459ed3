/** Ollama's own API (/api/chat and others) as a Provider, through the package ollama. */
import * as z from "zod/mini";
import type { AgentError } from "@/lib/events/error";
import type { Think } from "@/lib/events/event";
import type { LoadedModel, ModelInfo } from "@/lib/models/models";
import { limits } from "@/lib/settings/settings";
import { aliveTryMs, probeAlive } from "../wire/probe-alive";
import type { StallLimit } from "../wire/answer-bytes";
import { makeOllamaAnswer } from "./ollama-answer";
import { type OllamaClients, makeOllamaClients, parseAnswer } from "./ollama-client";
import { ollamaChatBody, unloadBody, warmBody } from "./ollama-messages";
import {
  parseModelFacts,
  loadedSchema,
  type OllamaModelFacts,
  toModelInfo,
  showSchema,
  type ModelTexts,
  extractModelTexts,
  tagsSchema,
} from "./ollama-models";
import { makeThinkingLevels, type ThinkingLevels } from "./thinking-levels";
import { cutWithoutCounts, type Failure, type ModelPart, type ModelRequest, type Provider } from "../provider";

/** One progress line of a download, as sent by the server; bytes of the layer `optionalDigest`. */
export interface PullStep {
  readonly status: string;
  readonly digest?: string;
  readonly total?: number;
  readonly completed?: number;
}

/** Operations of an Ollama server besides chat. Every call throws ProviderError, or the signal's reason. */
export interface OllamaProvider extends Provider {
  version(signal: AbortSignal): Promise<string>;
  /** Models in memory now. */
  loaded(signal: AbortSignal): Promise<readonly LoadedModel[]>;
  /** Ends after the last step of a complete download. Leaving the loop or `signal` stops it; a new call resumes it. */
  pull(name: string, signal: AbortSignal): AsyncIterable<PullStep>;
  /** Loads a model with the window its answers will use; resolves when it is in memory. */
  warm(model: string, numCtx: number, keepAliveMinutes: number, signal: AbortSignal): Promise<void>;
  unload(model: string, signal: AbortSignal): Promise<void>;
  /** Details of one model that the list lacks, and its texts. */
  show(model: string, signal: AbortSignal): Promise<OllamaModelFacts & ModelTexts>;
  /** Deletes the model from the server's disk. */
  remove(model: string, signal: AbortSignal): Promise<void>;
}

export interface OllamaOptions {
  /** A connection's id; absent = the Ollama of the settings. */
  readonly id?: string;
  /** Address as the user wrote it; read for every request. */
  readonly host: () => string;
  /** Key of a connection; null = send none. Absent = this server has no key. */
  readonly apiKey?: () => string | null;
  /** Cached answer to whether the model is in memory with this window. Decides the phase before the first byte. */
  readonly isLoaded?: (model: string, numCtx: number) => boolean | undefined;
  /** Read for every request; null = the model's default. */
  readonly temperature?: () => number | null;
  /** ms epoch */
  readonly now?: () => number;
  /** ms, default limits.stallMs */
  readonly stallMs?: number;
  /** Time limit, ms, of one liveness probe of a silent server; default 10 s */
  readonly tryMs?: number;
  /** UTF-16 units, default limits.answerMaxChars */
  readonly answerMaxChars?: number;
}

const optionalBytes = z.catch(z.optional(z.number()), undefined);
const optionalDigest = z.catch(z.optional(z.string()), undefined);
const pullSchema = z.object({
  status: z.string(),
  digest: optionalDigest,
  total: optionalBytes,
  completed: optionalBytes,
});
const versionSchema = z.object({ version: z.string() });

/** Connects on the first call. */
export function makeOllama(options: OllamaOptions): OllamaProvider {
  const clients = makeOllamaClients({
    host: options.host,
    ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }),
    now: options.now ?? Date.now,
  });
  const thinking = makeThinkingLevels();
  const { stallMs = limits.stallMs, answerMaxChars = limits.answerMaxChars, isLoaded = () => undefined } = options;
  const { tryMs = aliveTryMs, temperature = () => null } = options;
  const list = makeModelLister(clients);

  return {
    id: options.id ?? "ollama",
    async *stream(request, signal) {
      if (signal.aborted) return;
      yield { type: "phase", phase: isLoaded(request.model, request.numCtx) === false ? "loading" : "reading" };
      yield* streamAnswer(
        {
          clients,
          thinking,
          stallMs: request.stallMs ?? stallMs,
          tryMs,
          answerMaxChars,
          temperature: request.temperature ?? temperature(),
        },
        request,
        signal,
      );
    },
    async models(signal) {
      const models = await list(signal);
      for (const model of models) thinking.learn(model);
      return models;
    },
    pull: (name, signal) => streamPull(clients, name, signal),
    version: async (signal) => (await clients.request(versionSchema, signal, (server) => server.version())).version,
    loaded: async (signal) => (await clients.request(loadedSchema, signal, (server) => server.ps())).models,
    async warm(model, numCtx, keepAliveMinutes, signal) {
      const body = warmBody(model, numCtx, keepAliveMinutes);
      await clients.request(z.unknown(), signal, (server) => server.generate(body), model);
    },
    async unload(model, signal) {
      await clients.request(z.unknown(), signal, (server) => server.generate(unloadBody(model)), model);
    },
    async show(model, signal) {
      const shown = await clients.request(showSchema, signal, (server) => server.show({ model }), model);
      return { ...parseModelFacts(shown), ...extractModelTexts(shown) };
    },
    async remove(model, signal) {
      await clients.request(z.unknown(), signal, (server) => server.delete({ model }), model);
    },
  };
}

interface OllamaRequestContext {
  readonly clients: OllamaClients;
  readonly thinking: ThinkingLevels;
  readonly stallMs: number;
  readonly tryMs: number;
  readonly answerMaxChars: number;
  readonly temperature: number | null;
}

/** Requests the highest thinking level the model accepts; on a refusal retries with less, reports any other failure. */
async function* streamAnswer(
  asking: OllamaRequestContext,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelPart> {
  const { thinking } = asking;
  let think = thinking.supported(request.model, request.think);
  for (;;) {
    const failure = yield* streamOnce(asking, ollamaChatBody(request, think, asking.temperature), signal);
    if (failure === undefined) return;
    const isRefused = failure.error.code === "no_thinking";
    // A level is the user's own choice: the refusal is reported, and the session changes the level.
    const isLevel = isRefused && typeof think === "string";
    const less = isRefused && !isLevel ? thinking.reduce(request.model, think) : undefined;
    if (less === undefined) {
      const { retryable, retryAfterMs } = failure;
      const error = isLevel ? levelRefused(failure.error, think) : failure.error;
      yield { type: "failed", error, retryable, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
      return;
    }
    think = less;
  }
}

const levelRefused = ({ detail, facts }: AgentError, level: Think): AgentError => ({
  code: "no_think_level",
  ...(detail === undefined ? {} : { detail }),
  facts: { ...facts, level },
});

/** Yields the parts of one request; returns its failure, if any. */
async function* streamOnce(
  { clients, stallMs, tryMs, answerMaxChars }: OllamaRequestContext,
  body: ReturnType<typeof ollamaChatBody>,
  signal: AbortSignal,
): AsyncGenerator<ModelPart, Failure | undefined> {
  const scope = makeScope(signal);
  try {
    const stall: StallLimit = {
      stallMs,
      ...(body.tools === undefined ? {} : { alive: makeLivenessProbe(clients, tryMs, body) }),
    };
    const server = await clients.open({ reads: "lines", model: body.model, stall }, scope.signal);
    const answer = makeOllamaAnswer(answerMaxChars);
    for await (const line of await server.chat(body)) {
      for (const part of answer.take(line)) {
        if (signal.aborted) return undefined;
        yield part;
        if (part.type === "finish") return undefined;
      }
    }
    return undefined;
  } catch (cause) {
    if (signal.aborted) return undefined;
    const failure = clients.toFailure(cause);
    if (failure.error.code !== "output_limit") return failure;
    yield cutWithoutCounts;
    return undefined;
  } finally {
    scope.release();
  }
}

/**
 * Ollama sends no byte while it generates a native call (field D19): the server is alive while it lists the model as
 * loaded.
 */
const makeLivenessProbe = (
  clients: OllamaClients,
  tryMs: number,
  { model, options }: ReturnType<typeof ollamaChatBody>,
): StallLimit["alive"] => ({
  outputTokens: options.num_predict,
  check: (signal) =>
    probeAlive(tryMs, signal, async (bounded) => {
      const { models } = await clients.request(loadedSchema, bounded, (server) => server.ps());
      return models.some(({ name }) => withLatestTag(name) === withLatestTag(model));
    }),
});

const withLatestTag = (name: string): string => (/:[^/]*$/.test(name) ? name : `${name}:latest`);

async function* streamPull(clients: OllamaClients, name: string, signal: AbortSignal): AsyncGenerator<PullStep> {
  const scope = makeScope(signal);
  try {
    const server = await clients.open({ reads: "lines", model: name }, scope.signal);
    for await (const line of await server.pull({ model: name, stream: true })) yield parseAnswer(pullSchema, line);
  } catch (cause) {
    signal.throwIfAborted();
    throw clients.toFailure(cause);
  } finally {
    scope.release();
  }
}

/**
 * Lists the installed models. Older servers report capabilities and window per model only; details are cached by
 * digest, since they never change for one.
 */
function makeModelLister(clients: OllamaClients): (signal: AbortSignal) => Promise<readonly ModelInfo[]> {
  const details = new Map<string, OllamaModelFacts>();

  async function detailsOf(name: string, key: string, signal: AbortSignal): Promise<OllamaModelFacts> {
    const known = details.get(key);
    if (known !== undefined) return known;
    try {
      const found = parseModelFacts(
        await clients.request(showSchema, signal, (server) => server.show({ model: name }), name),
      );
      details.set(key, found);
      return found;
    } catch {
      // A model that cannot be shown must not hide the others.
      signal.throwIfAborted();
      return { capabilities: [] };
    }
  }

  return async (signal) => {
    const tags = await clients.request(tagsSchema, signal, (server) => server.list());
    const models: ModelInfo[] = [];
    for (const tag of tags.models) {
      const hasDetails = tag.capabilities !== undefined && tag.details?.context_length !== undefined;
      models.push(toModelInfo(tag, hasDetails ? undefined : await detailsOf(tag.name, tag.digest ?? tag.name, signal)));
    }
    return models;
  };
}

/** A signal that aborts with `signal`; `release` aborts it, closing anything still open, and removes the listener. */
function makeScope(signal: AbortSignal): { readonly signal: AbortSignal; release(): void } {
  const scope = new AbortController();
  const follow = (): void => scope.abort(signal.reason);
  if (signal.aborted) follow();
  signal.addEventListener("abort", follow, { once: true });
  return {
    signal: scope.signal,
    release() {
      signal.removeEventListener("abort", follow);
      scope.abort();
    },
  };
}
