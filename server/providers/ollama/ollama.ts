/** Ollama's own API (/api/chat and others) as a Provider. */
import * as z from "zod/mini";
import type { Think } from "@/lib/events/event";
import type { LoadedModel, ModelInfo } from "@/lib/models/models";
import { isSameModelName } from "@/lib/models/model-names";
import { serverLimits } from "@/lib/settings/server-limits";
import { streamAnswer, type StreamOptions, type AnswerReader } from "../wire/answer-stream";
import { optionalCount, optionalText } from "../wire/lenient-fields";
import { parseAnswer, brokenAnswer, extractErrorText, incompleteAnswer } from "../wire/wire-errors";
import type { KeySource } from "../wire/sent-key";
import { type OllamaClients, makeOllamaClients } from "./ollama-client";
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
import { makeParserHangs } from "./parser-hangs";
import { failedPart, type ModelRequest, type Provider, toLevelRefusal, type ModelPart } from "../provider";
import { parseJson } from "@/server/base/parse-json";
import { makeLineReader, wireLineMaxBytes } from "../wire/line-reader";
import { makeOllamaAnswer } from "./ollama-answer";
import { ollamaLineFailure } from "./ollama-errors";

/**
 * Reads the bytes of streamed Ollama answers, line by line. Both throw ProviderError at the first fault, after the
 * lines before it; `model` is included in its facts.
 */
function makeOllamaLines(model: string) {
  const reader = makeLineReader(wireLineMaxBytes);

  function* parsed(lines: readonly string[]): Generator<object> {
    for (const [at, line] of lines.entries()) {
      const value = parseJson(line);
      if (typeof value !== "object" || value === null || Array.isArray(value))
        throw brokenAnswer([...lines.slice(at), ...reader.end()].join("\n"));
      const words = extractErrorText(value);
      if (words !== undefined) throw ollamaLineFailure(words, model);
      yield value;
    }
  }

  return {
    /** Yields the lines completed by these bytes. */
    take: (bytes: Uint8Array): Generator<object> => parsed(reader.push(bytes)),
    /** Yields a last line without a line end; after it the answer is incomplete, so it throws. */
    *end(): Generator<object> {
      const rest = reader.end();
      const isTorn = rest.some((line) => line.startsWith("{") && parseJson(line) === undefined);
      if (!isTorn) yield* parsed(rest);
      throw incompleteAnswer();
    },
  };
}

/** Reads a streamed answer of /api/chat; `maxChars` (UTF-16 units) bounds it, `outputTokens` were requested at most. */
export function makeOllamaReader(model: string, maxChars: number, outputTokens?: number): AnswerReader {
  const lines = makeOllamaLines(model);
  const answer = makeOllamaAnswer(maxChars, outputTokens);
  function* partsOf(found: Iterable<object>): Generator<readonly ModelPart[]> {
    for (const line of found) yield answer.take(line);
  }
  return { take: (bytes) => partsOf(lines.take(bytes)), end: () => partsOf(lines.end()) };
}

/** Models that refuse to think, from the server's list or its refusals; kept for the life of the process. */
function makeThinkingLevels() {
  /** By digest, or by name without one. */
  const refusing = new Set<string>();
  const digests = new Map<string, string>();
  const keyOf = (model: string): string => digests.get(model) ?? model;
  return {
    /** Returns the level to request: `wanted`, or false where the model is known to refuse. */
    supported: (model: string, wanted: Think): Think => (refusing.has(keyOf(model)) ? false : wanted),
    /** Records that the server refused to let the model think. */
    refuse: (model: string) => void refusing.add(keyOf(model)),
    /** Learns from the capabilities in the server's list. */
    learn({ name, digest, capabilities }: ModelInfo): void {
      if (digest !== undefined) digests.set(name, digest);
      if (capabilities.length > 0 && !capabilities.includes("thinking")) refusing.add(keyOf(name));
    },
  };
}

const pullSchema = z.object({
  status: z.string(),
  digest: optionalText,
  total: optionalCount,
  completed: optionalCount,
});
/** One progress line of a download, as sent by the server; bytes of the layer `digest`. */
export type PullStep = Readonly<z.infer<typeof pullSchema>>;

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

/** Without `apiKey` this server has no key. */
export interface OllamaOptions extends StreamOptions, Partial<KeySource> {
  /** A connection's id; absent = the Ollama of the settings. */
  readonly id?: string;
  /** Address as the user wrote it; read for every request. */
  readonly host: () => string;
  /** Header that carries the session's id, read for every request; default = none. */
  readonly sessionHeader?: () => string;
  /** Cached answer to whether the model is in memory with this window. Decides the phase before the first byte. */
  readonly isLoaded?: (model: string, numCtx: number) => boolean | undefined;
  /** Read for every request; null = the model's default. */
  readonly temperature?: () => number | null;
}

/** An answer of which nothing is used. */
const anySchema = z.record(z.string(), z.unknown());
const versionSchema = z.object({ version: z.string() });

/** Connects on the first call. */
export function makeOllama(options: OllamaOptions): OllamaProvider {
  const { id = "ollama", now = Date.now, temperature = () => null, isLoaded = () => undefined } = options;
  const { stallMs = serverLimits.stallMs, tryMs, answerMaxChars = serverLimits.answerMaxChars } = options;
  const clients = makeOllamaClients({ sessionHeader: () => "", ...options, now });
  const thinking = makeThinkingLevels();
  const list = makeModelLister(clients);
  const version = async (signal: AbortSignal): Promise<string> =>
    (await clients.request(versionSchema, signal, (server) => server.version())).version;
  const hangs = makeParserHangs({ version, silentMs: stallMs });
  const loaded = async (signal: AbortSignal): Promise<readonly LoadedModel[]> =>
    (await clients.request(loadedSchema, signal, (server) => server.ps())).models;

  /** Streams one request; returns its failure. */
  function streamOnce(request: ModelRequest, think: Think, signal: AbortSignal) {
    const { model, maxOutputTokens: outputTokens } = request;
    const body = ollamaChatBody(request, think, request.temperature ?? temperature());
    // No byte is sent while a native call is generated: the server is alive while it lists the model.
    const ask = async (bounded: AbortSignal): Promise<boolean> =>
      (await loaded(bounded)).some(({ name }) => isSameModelName(name, model));
    const alive = request.tools.length > 0 ? { ask, tryMs, outputTokens } : undefined;
    const stall = { stallMs: request.stallMs ?? stallMs, alive };
    return streamAnswer(
      (accepted) => hangs.send((own) => clients.stream("/api/chat", body, request, { stall, accepted }, own), signal),
      makeOllamaReader(model, answerMaxChars, outputTokens),
      clients.toFailure,
      signal,
    );
  }

  return {
    id,
    async *stream(request, signal) {
      if (signal.aborted) return;
      yield { type: "phase", phase: isLoaded(request.model, request.numCtx) === false ? "loading" : "reading" };
      for (;;) {
        const think = thinking.supported(request.model, request.think);
        const failure = yield* streamOnce(request, think, signal);
        if (failure === undefined) return;
        hangs.learn(failure);
        const isRefused = failure.error.code === "no_thinking";
        // A level is the user's own choice: the refusal is reported, and the session changes the level.
        if (isRefused && typeof think === "string") return yield failedPart(toLevelRefusal(failure, think));
        if (!isRefused || think === false) return yield failedPart(failure);
        thinking.refuse(request.model);
      }
    },
    async models(signal) {
      const models = await list(signal);
      for (const model of models) thinking.learn(model);
      return models;
    },
    pull: (name, signal) => streamPull(clients, name, signal),
    version,
    loaded,
    async warm(model, numCtx, keepAliveMinutes, signal) {
      const body = warmBody(model, numCtx, keepAliveMinutes);
      await clients.request(anySchema, signal, (server) => server.generate(body), model);
    },
    async unload(model, signal) {
      await clients.request(anySchema, signal, (server) => server.generate(unloadBody(model)), model);
    },
    async show(model, signal) {
      const shown = await requestDetails(clients, model, signal);
      return { ...parseModelFacts(shown), ...extractModelTexts(shown) };
    },
    async remove(model, signal) {
      await clients.request(anySchema, signal, (server) => server.delete({ model }), model);
    },
  };
}

async function* streamPull(clients: OllamaClients, name: string, signal: AbortSignal): AsyncGenerator<PullStep> {
  const lines = makeOllamaLines(name);
  async function* read(): AsyncGenerator<object> {
    const chunks = await clients.stream("/api/pull", { name, stream: true }, { model: name }, {}, signal);
    for await (const chunk of chunks) yield* lines.take(chunk);
    yield* lines.end();
  }
  try {
    for await (const line of read()) {
      const step = parseAnswer(pullSchema, line);
      yield step;
      if (step.status === "success") return;
    }
  } catch (cause) {
    signal.throwIfAborted();
    throw clients.toFailure(cause);
  }
}

const requestDetails = (clients: OllamaClients, model: string, signal: AbortSignal) =>
  clients.request(showSchema, signal, (server) => server.show({ model }), model);

/**
 * Lists the installed models. Older servers report capabilities and window per model only; details are cached by
 * digest, since they never change for one.
 */
function makeModelLister(clients: OllamaClients): (signal: AbortSignal) => Promise<readonly ModelInfo[]> {
  const details = new Map<string, OllamaModelFacts>();

  async function detailsOf(model: string, key: string, signal: AbortSignal): Promise<OllamaModelFacts> {
    try {
      if (!details.has(key)) details.set(key, parseModelFacts(await requestDetails(clients, model, signal)));
    } catch {
      // A model that cannot be shown must not hide the others.
      signal.throwIfAborted();
    }
    return details.get(key) ?? { capabilities: [] };
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
