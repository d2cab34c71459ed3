/**
 * One model request after the other per server: waits in the host's queue, then streams, with what its past says about the wait.
 * What sessions get as `stream`, and the doctor.
 */
import type { ModelNote } from "@/lib/models";
import type { Usage } from "@/lib/content";
import { estimateTokens, evenScale, type TokenScale } from "@/lib/text/estimate-tokens";
import { countTokens } from "./agent/prompt-size";
import type { HostQueue } from "./models/queue";
import { commonMessages, type Ended, type Place, type Served } from "./models/served";
import { scaleOf } from "./models/token-scale";
import type { ModelPart, ModelRequest, Provider } from "./providers/provider";

/** One model server: Ollama, or a connection. */
export interface ModelServer {
  readonly provider: Provider;
  /** Requests with the same host wait for each other. */
  host(): string;
  note(model: string): ModelNote;
  /** The first part of an answer is there. */
  answers(request: ModelRequest): void;
  /** So many tokens were read in so many ms, without what was cached. */
  learnReading(model: string, tokens: number, ms: number): void;
  /** false = its prompt counts leave out what was cached: one that is low is told to nobody. */
  countsWholePrompt(): boolean;
}

export interface StreamWorld {
  /** By `request.provider`; undefined = there is no such server (any more). */
  server(id: string): ModelServer | undefined;
  readonly queue: HostQueue;
  readonly served: Served;
}

/** Never throws: an abort ends it without a last part, as a provider's own stream does. The place is given back at the end. */
export async function* queuedStream(
  world: StreamWorld,
  request: ModelRequest,
  who: string,
  signal: AbortSignal,
): AsyncIterable<ModelPart> {
  const server = world.server(request.provider);
  if (server === undefined) {
    const error = { code: "model_missing", facts: { model: request.model, provider: request.provider } } as const;
    yield { type: "failed", error, retryable: false };
    return;
  }
  const host = server.host();
  const positions = makePositions();
  const entered = world.queue.enter(host, who, signal, positions.set).catch(() => null);
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
    if ((await entered) !== null)
      yield* measured(world.served, server, request, { host, model: request.model }, signal);
  } finally {
    // Also when nobody reads on while it waits: the place is given back as soon as it comes.
    void entered.then((release) => release?.());
  }
}

/** The newest place in the line that was not told yet. */
function makePositions() {
  let untold: number | null = null;
  let wake = (): void => {};
  return {
    set(ahead: number): void {
      untold = ahead;
      wake();
    },
    wake: () => wake(),
    /** null = it was told. */
    take(): number | null {
      const ahead = untold;
      untold = null;
      return ahead;
    },
    changed: () => new Promise<void>((resolve) => (wake = resolve)),
  };
}

/** The answer, with the times expected before it, and what its counts teach. */
async function* measured(
  served: Served,
  server: ModelServer,
  request: ModelRequest,
  place: Place,
  signal: AbortSignal,
): AsyncGenerator<ModelPart> {
  const kept = keptOf(served.last(place), request, server.note(request.model));
  served.began(place);
  let answers = false;
  let finished = false;
  try {
    for await (const part of server.provider.stream(request, signal)) {
      if (part.type === "phase") {
        yield expected(part, server.note(request.model), kept);
        continue;
      }
      if (!answers && part.type !== "failed") {
        answers = true;
        server.answers(request);
      }
      finished ||= part.type === "finish";
      yield part.type === "finish" ? learned(part, { served, server, request, place, kept }) : part;
    }
  } finally {
    // Its prompt was read, though nobody waited for the counts.
    if (answers && !finished) served.ended(place, { ...request, promptTokens: kept.promptTokens, outputTokens: 0 });
  }
}

type PhasePart = Extract<ModelPart, { type: "phase" }>;
type FinishPart = Extract<ModelPart, { type: "finish" }>;

/** By this model's own past; what its server still has in its cache is not read again. */
function expected(part: PhasePart, note: ModelNote, kept: Kept): PhasePart {
  if (part.phase === "loading")
    return note.loadMs === undefined ? part : { ...part, expectMs: Math.round(note.loadMs) };
  if (part.phase !== "reading") return part;
  const tokens = Math.max(0, kept.promptTokens - kept.tokens);
  const { readPerSecond } = note;
  return {
    ...part,
    tokens,
    ...(readPerSecond === undefined ? {} : { expectMs: Math.round((tokens * 1000) / readPerSecond) }),
  };
}

/** What of a request its server should have read already, by the last one that this model got. */
interface Kept {
  /** Of the whole prompt, as its server should count it. */
  readonly promptTokens: number;
  /** What of it is in the cache. */
  readonly tokens: number;
  /** all = the request begins with the whole last one, whose count is known; part = estimated; none = nothing is known. */
  readonly of: "all" | "part" | "none";
}

function keptOf(last: Ended | null, request: ModelRequest, note: ModelNote): Kept {
  const sizeOf = sizer(note);
  const whole = sizeOf(request, request.messages);
  const common = last === null ? 0 : commonMessages(last, request);
  if (last === null || common === 0) return { promptTokens: whole, tokens: 0, of: "none" };
  if (common < last.messages.length) {
    const ratio = last.promptTokens / Math.max(1, sizeOf(last, last.messages));
    const tokens = Math.round(sizeOf(last, last.messages.slice(0, common)) * ratio);
    return { promptTokens: Math.max(tokens, Math.round(whole * ratio)), tokens, of: "part" };
  }
  const [answer, ...later] = request.messages.slice(common);
  const isAnswered = answer?.role === "assistant";
  const since = answer === undefined || isAnswered ? later : [answer, ...later];
  const tokens = last.promptTokens + (isAnswered ? last.outputTokens : 0);
  return { promptTokens: tokens + countTokens(since, scaleIn(note)), tokens, of: "all" };
}

const scaleIn = ({ tokenScale, tokenRatio = 1 }: ModelNote): TokenScale =>
  tokenScale === undefined ? evenScale(tokenRatio) : scaleOf(tokenScale).likely;

/** Tokens its server should count for these messages behind the tools of a request. */
const sizer =
  (note: ModelNote) =>
  ({ tools }: Pick<ModelRequest, "tools">, messages: ModelRequest["messages"]): number => {
    const scale = scaleIn(note);
    return countTokens(messages, scale) + (tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools), scale));
  };

/** A count that is so much of what was sent leaves nothing out, whatever its server's version does. */
const wholeShare = 0.7;
/** A model that takes this long to load was not in memory, so nothing was cached. */
const loadedNewMs = 1_000;

interface Measuring {
  readonly served: Served;
  readonly server: ModelServer;
  readonly request: ModelRequest;
  readonly place: Place;
  readonly kept: Kept;
}

function learned(part: FinishPart, { served, server, request, place, kept }: Measuring): FinishPart {
  const { usage } = part;
  const { promptTokens, outputTokens, promptMs, loadMs } = usage;
  const isWhole = server.countsWholePrompt();
  const counted = isWhole && promptTokens > 0 ? promptTokens : kept.promptTokens;
  served.ended(place, { ...request, promptTokens: counted, outputTokens });
  if (promptTokens === 0) return part;
  if (!isWhole) {
    // Nobody can tell a cached prompt from a cut one by such a count: as if it were not told.
    return promptTokens >= kept.promptTokens * wholeShare ? part : { ...part, usage: { ...usage, promptTokens: 0 } };
  }
  const cached = cachedIn(part, kept, server.note(request.model));
  // Nothing kept and nothing loaded: who knows what another program left in the cache.
  const isKnown = usage.cachedTokens !== undefined || loadMs >= loadedNewMs || kept.of === "all";
  if (isKnown) server.learnReading(request.model, promptTokens - (cached?.cachedTokens ?? 0), promptMs);
  return cached === null ? part : { ...part, usage: { ...usage, ...cached } };
}

/**
 * What was not read again. Ollama counts cached and read tokens as one (field D8), so it follows from what is known to be unchanged;
 * where that is not all, or does not go with the time it took, it is "about". null = nothing is known.
 */
function cachedIn(
  { usage }: FinishPart,
  kept: Kept,
  { readPerSecond }: ModelNote,
): Pick<Usage, "cachedTokens" | "cachedAbout"> | null {
  const { promptTokens, cachedTokens, promptMs, loadMs } = usage;
  if (cachedTokens !== undefined) return { cachedTokens };
  if (loadMs >= loadedNewMs) return { cachedTokens: 0 };
  const inTime =
    readPerSecond === undefined || promptMs === 0
      ? null
      : Math.max(0, promptTokens - Math.round((promptMs * readPerSecond) / 1000));
  if (kept.of === "none") return inTime === null ? null : { cachedTokens: inTime, cachedAbout: true };
  const known = Math.min(promptTokens, kept.tokens);
  const isSure = kept.of === "all" && (inTime === null || inTime >= known / 2);
  return isSure ? { cachedTokens: known } : { cachedTokens: known, cachedAbout: true };
}
