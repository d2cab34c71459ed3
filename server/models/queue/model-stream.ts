/**
 * Streams model requests through the queue of their server, with expected waits from past requests and measured cache
 * use.
 */
import type { ModelNote } from "@/lib/models/models";
import type { Usage } from "@/lib/events/content";
import { serverLimits } from "@/lib/settings/server-limits";
import { abortable, timeLimit } from "@/server/base/abort";
import { estimateTokens, uniformScale, type TokenScale } from "@/lib/text/estimate-tokens";
import type { ModelLoader } from "../connections/llama-models";
import type { HostQueue } from "./host-queue";
import {
  countCommonMessages,
  type CompletedRequest,
  type CacheSlot,
  type PrefixCacheTracker,
} from "./prefix-cache-tracker";
import { sessionKey } from "./session-key";
import { toTokenScales } from "../notes/token-scale";
import type { CacheUse } from "@/server/providers/cache-use";
import type { ModelMessage, ModelPart, ModelRequest, PhasePart, Provider } from "@/server/providers/provider";

/** One model server: Ollama, or a connection. */
export interface ModelServer {
  readonly provider: Provider;
  /** Loads its models before their first request; absent = a request does. */
  readonly loader?: ModelLoader | undefined;
  /** Requests with the same host wait for each other. */
  host(): string;
  note(model: string): ModelNote;
  /** Called at the first part of an answer; what it returns is awaited before the answer ends. */
  answerStarted(request: ModelRequest): void | Promise<void>;
  /** Records the time that loading a model took. */
  learnLoad?(model: string, ms: number): void;
  /** Records a reading speed: `tokens` read in `ms`, without cached ones. */
  learnReading(model: string, tokens: number, ms: number): void;
  /** As an active connection has it. */
  countTokens?(request: ModelRequest, mayWake: boolean, signal: AbortSignal): Promise<number | null>;
  /** Concurrent answers it works on. */
  atOnce(): number;
  /** Whether it can hold answers; absent = it cannot. */
  holdsAnswers?(): boolean;
  /** As an active connection has it. */
  endHeldAnswer?(id: string, session: string): Promise<void>;
  /** false = its prompt counts exclude cached tokens, so a low count is not reported. */
  countsWholePrompt(): boolean;
}

export interface StreamEnvironment {
  /** By `request.provider`; undefined = no such server (any more). */
  server(id: string): ModelServer | undefined;
  readonly queue: HostQueue;
  readonly prefixCache: PrefixCacheTracker;
  /** Estimated tokens of messages as the server would count them with this scale. */
  readonly countTokens: MessageTokenCounter;
  /** Maximum of an answer of a model without a setting of its own, tokens. */
  maxOutputTokens(): number;
}

export type MessageTokenCounter = (messages: readonly ModelMessage[], scale?: TokenScale) => number;

/**
 * `who` = the session that waits. Never throws: an abort ends it without a last part, as with a provider's own stream. Frees the queue slot at the end.
 */
export async function* queuedStream(
  environment: StreamEnvironment,
  request: ModelRequest,
  signal: AbortSignal,
  owner: string,
): AsyncIterable<ModelPart> {
  const server = environment.server(request.provider);
  if (server === undefined) {
    const error = { code: "model_missing", facts: { model: request.model, provider: request.provider } } as const;
    yield { type: "failed", error, retryable: false };
    return;
  }
  const host = server.host();
  const positions = makeQueuePosition();
  const entered = environment.queue.enter(host, owner, signal, positions.set).catch(() => null);
  let waits = true;
  void entered.then(() => {
    waits = false;
    positions.wake();
  });
  try {
    for (let ahead = positions.take(); waits; ahead = positions.take()) {
      if (ahead !== null) yield { type: "phase", phase: "queued", ahead };
      else await positions.changed();
    }
    if ((await entered) === null) return;
    const own = { ...request, session: sessionKey(owner) };
    const sent = withUserSettings(own, server.note(request.model), environment.maxOutputTokens());
    yield* measureStream(environment, server, sent, { host, model: request.model }, signal);
  } finally {
    // Also when the reader leaves while waiting: the slot is freed as soon as it is granted.
    void entered.then((release) => release?.());
  }
}

/** As `SessionModels` has it. */
export function cacheUse({ server: find, queue, prefixCache }: StreamEnvironment, request: ModelRequest): CacheUse {
  const server = find(request.provider);
  if (server === undefined) return "unknown";
  if (queue.isBusy(server.host())) return "busy";
  const { keepAliveMinutes = request.keepAliveMinutes } = server.note(request.model);
  const last = prefixCache.last({ host: server.host(), model: request.model });
  if (keepAliveMinutes === 0 || last === null) return "unknown";
  const common = countCommonMessages(last, request);
  // Another instruction beside the same conversation replaces the one before.
  const isOnlyEnd = common === last.messages.length - 1 && request.messages.length === last.messages.length;
  if (common === last.messages.length || isOnlyEnd) return "continues";
  return server.atOnce() === 1 ? "replaces" : "unknown";
}

/** Applies the user's settings of the model to the request. `defaultMax` = the longest answer without one, tokens. */
function withUserSettings(request: ModelRequest, note: ModelNote, defaultMax: number): ModelRequest {
  const { temperature, maxOutputTokens = defaultMax, keepAliveMinutes } = note;
  return {
    ...request,
    ...(temperature === undefined ? {} : { temperature }),
    maxOutputTokens: Math.min(request.maxOutputTokens, maxOutputTokens),
    ...(keepAliveMinutes === undefined ? {} : { keepAliveMinutes }),
  };
}

/** The latest queue position that was not reported yet. */
function makeQueuePosition() {
  let pending: number | null = null;
  let wake = (): void => {};
  return {
    set(ahead: number): void {
      pending = ahead;
      wake();
    },
    wake: () => wake(),
    /** null = already reported. */
    take(): number | null {
      const ahead = pending;
      pending = null;
      return ahead;
    },
    changed: () => new Promise<void>((resolve) => (wake = resolve)),
  };
}

/** Streams the answer, adds the expected times, and learns from its counts. */
async function* measureStream(
  { prefixCache: served, countTokens }: StreamEnvironment,
  server: ModelServer,
  request: ModelRequest,
  place: CacheSlot,
  signal: AbortSignal,
): AsyncGenerator<ModelPart> {
  const expected = expectCache(served.last(place), request, server.note(request.model), countTokens);
  served.requestSent(place);
  let answers = false;
  let finished = false;
  let thinking = "";
  let facts: void | Promise<void> = undefined;
  try {
    for await (const part of server.provider.stream(request, signal)) {
      if (part.type === "phase") {
        yield withExpectedTime(part, server.note(request.model), expected);
        continue;
      }
      if (!answers && part.type !== "failed" && part.type !== "control") {
        answers = true;
        facts = server.answerStarted(request);
      }
      finished ||= part.type === "finish";
      if (part.type === "thinking") thinking += part.text;
      if (finished && facts) await abortable(facts, timeLimit(serverLimits.serverAnswerMs, signal)).catch(() => {});
      yield part.type === "finish"
        ? learnFromFinish(part, { served, server, request, place, kept: expected, thinking })
        : part;
    }
  } finally {
    // The prompt was read, although no counts arrived.
    if (answers && !finished)
      served.requestEnded(place, { ...request, promptTokens: expected.promptTokens, outputTokens: 0, thinking });
  }
}

type FinishPart = Extract<ModelPart, { type: "finish" }>;

/** Adds the expected duration by the model's past; cached tokens are not read again. */
function withExpectedTime(part: PhasePart, note: ModelNote, expected: ExpectedCache): PhasePart {
  if (part.phase === "loading")
    return note.loadMs === undefined ? part : { ...part, expectMs: Math.round(note.loadMs) };
  if (part.phase !== "reading") return part;
  // The server's own count is exact.
  const tokens = part.read === undefined ? Math.max(0, expected.promptTokens - expected.tokens) : (part.tokens ?? 0);
  const { readPerSecond } = note;
  return {
    ...part,
    tokens,
    ...(readPerSecond === undefined ? {} : { expectMs: Math.round((tokens * 1000) / readPerSecond) }),
  };
}

/** The part of a request expected in the server's cache, by the model's last request. */
interface ExpectedCache {
  /** Tokens of the whole prompt, as the server should count them. */
  readonly promptTokens: number;
  /** Tokens expected in the cache. */
  readonly tokens: number;
  /** all = the request begins with the whole last one, whose count is known; part = estimated; none = unknown. */
  readonly basis: "all" | "part" | "none";
}

function expectCache(
  last: CompletedRequest | null,
  request: ModelRequest,
  note: ModelNote,
  countTokens: MessageTokenCounter,
): ExpectedCache {
  const sizeOf = makePromptCounter(note, countTokens);
  const whole = sizeOf(request, request.messages);
  const common = last === null ? 0 : countCommonMessages(last, request);
  if (last === null || common === 0) return { promptTokens: whole, tokens: 0, basis: "none" };
  if (common < last.messages.length) {
    const ratio = last.promptTokens / Math.max(1, sizeOf(last, last.messages));
    const tokens = Math.round(sizeOf(last, last.messages.slice(0, common)) * ratio);
    return { promptTokens: Math.max(tokens, Math.round(whole * ratio)), tokens, basis: "part" };
  }
  const [answer, ...later] = request.messages.slice(common);
  const isAnswered = answer?.role === "assistant" && (answer.reasoning?.text ?? "") === last.thinking;
  const since = answer === undefined || isAnswered ? later : [answer, ...later];
  const tokens = last.promptTokens + (isAnswered ? last.outputTokens : 0);
  return { promptTokens: tokens + countTokens(since, noteScale(note)), tokens, basis: "all" };
}

const noteScale = ({ tokenScale, tokenRatio = 1 }: ModelNote): TokenScale =>
  tokenScale === undefined ? uniformScale(tokenRatio) : toTokenScales(tokenScale).likely;

/** Expected server tokens of these messages plus the tools of a request. */
const makePromptCounter =
  (note: ModelNote, countTokens: MessageTokenCounter) =>
  ({ tools }: Pick<ModelRequest, "tools">, messages: ModelRequest["messages"]): number => {
    const scale = noteScale(note);
    return countTokens(messages, scale) + (tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools), scale));
  };

/** A count above this share of the expected one includes cached tokens, whatever the server's version. */
const completeCountShare = 0.7;
/** A model that takes this long to load was not in memory, so nothing was cached. */
const minLoadMs = 1_000;

interface MeasuredRequest {
  readonly served: PrefixCacheTracker;
  readonly server: ModelServer;
  readonly request: ModelRequest;
  readonly place: CacheSlot;
  readonly kept: ExpectedCache;
  /** Thinking of the answer. */
  readonly thinking: string;
}

function learnFromFinish(
  part: FinishPart,
  { served, server, request, place, kept, thinking }: MeasuredRequest,
): FinishPart {
  const { usage } = part;
  const { promptTokens, outputTokens, promptMs, loadMs } = usage;
  const isWhole = server.countsWholePrompt();
  const counted = isWhole && promptTokens > 0 ? promptTokens : kept.promptTokens;
  served.requestEnded(place, { ...request, promptTokens: counted, outputTokens, thinking });
  if (promptTokens === 0) return part;
  if (!isWhole) {
    // Such a count cannot distinguish a cached prompt from a cut one, so it is dropped.
    return promptTokens >= kept.promptTokens * completeCountShare
      ? part
      : { ...part, usage: { ...usage, promptTokens: 0 } };
  }
  const cached = estimateCached(part, kept, server.note(request.model));
  // Nothing expected and nothing loaded: another program's requests may be in the cache.
  const isKnown = usage.cachedTokens !== undefined || loadMs >= minLoadMs || kept.basis === "all";
  if (isKnown) server.learnReading(request.model, promptTokens - (cached?.cachedTokens ?? 0), promptMs);
  return cached === null ? part : { ...part, usage: { ...usage, ...cached } };
}

/**
 * Tokens that were not read again. Ollama's count includes cached tokens, so they follow from the unchanged
 * messages; marked "about" if those are only a part, or do not match the time taken. null = unknown.
 */
function estimateCached(
  { usage }: FinishPart,
  expected: ExpectedCache,
  { readPerSecond }: ModelNote,
): Pick<Usage, "cachedTokens" | "cachedAbout"> | null {
  const { promptTokens, cachedTokens, promptMs, loadMs } = usage;
  if (cachedTokens !== undefined) return { cachedTokens };
  if (loadMs >= minLoadMs) return { cachedTokens: 0 };
  const inTime =
    readPerSecond === undefined || promptMs === 0
      ? null
      : Math.max(0, promptTokens - Math.round((promptMs * readPerSecond) / 1000));
  if (expected.basis === "none") return inTime === null ? null : { cachedTokens: inTime, cachedAbout: true };
  const tokens = Math.min(promptTokens, expected.tokens);
  const isSure = expected.basis === "all" && (inTime === null || inTime >= tokens / 2);
  return isSure ? { cachedTokens: tokens } : { cachedTokens: tokens, cachedAbout: true };
}
