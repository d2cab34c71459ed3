/**
 * One model request after the other per server: waits in the host's queue, then streams, with what its past says about the wait.
 * What sessions get as `stream`, and the doctor.
 */
import type { ModelNote } from "@/lib/models";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { countTokens } from "./agent/prompt-size";
import type { HostQueue } from "./models/queue";
import type { Place, Served } from "./models/served";
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
      yield* measured(world.served, server, request, { host, model: request.model, who }, signal);
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
  const cached = served.kept(place);
  // A conversation that became shorter was compacted: it begins with other words.
  const kept = promptEstimate(request, server.note(request.model)) < cached * shorterShare ? 0 : cached;
  served.began(place);
  let answers = false;
  for await (const part of server.provider.stream(request, signal)) {
    if (part.type === "phase") {
      yield expected(part, server.note(request.model), request, kept);
      continue;
    }
    if (!answers && part.type !== "failed") {
      answers = true;
      server.answers(request);
    }
    yield part.type === "finish" ? learned(part, { served, server, request, place, kept }) : part;
  }
}

type PhasePart = Extract<ModelPart, { type: "phase" }>;
type FinishPart = Extract<ModelPart, { type: "finish" }>;

/** By this model's own past; what a session asked before and is still cached is not read again. */
function expected(part: PhasePart, note: ModelNote, request: ModelRequest, kept: number): PhasePart {
  if (part.phase === "loading")
    return note.loadMs === undefined ? part : { ...part, expectMs: Math.round(note.loadMs) };
  if (part.phase !== "reading") return part;
  const tokens = Math.max(0, Math.round(promptEstimate(request, note) - kept));
  const { readPerSecond } = note;
  return {
    ...part,
    tokens,
    ...(readPerSecond === undefined ? {} : { expectMs: Math.round((tokens * 1000) / readPerSecond) }),
  };
}

/** Tokens its server should count for this request. */
function promptEstimate({ tools, messages }: ModelRequest, { tokenRatio = 1 }: ModelNote): number {
  const told = tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
  return (countTokens(messages) + told) * tokenRatio;
}

/** Estimates of a conversation that only grew are not below its last count by more than this. */
const shorterShare = 0.9;
/** A count that is so much of what was sent leaves nothing out, whatever its server's version does. */
const wholeShare = 0.7;
/** A model that takes this long to load was not in memory, so nothing was cached. */
const loadedAnewMs = 1_000;

interface Measuring {
  readonly served: Served;
  readonly server: ModelServer;
  readonly request: ModelRequest;
  readonly place: Place;
  readonly kept: number;
}

function learned(part: FinishPart, { served, server, request, place, kept }: Measuring): FinishPart {
  const { promptTokens, cachedTokens, outputTokens, promptMs, loadMs } = part.usage;
  if (promptTokens === 0) return part;
  if (!server.countsWholePrompt()) {
    // Nobody can tell a cached prompt from a cut one by such a count: as if it were not told.
    const isWhole = promptTokens >= promptEstimate(request, server.note(request.model)) * wholeShare;
    return isWhole ? part : { ...part, usage: { ...part.usage, promptTokens: 0 } };
  }
  served.ended(place, promptTokens + outputTokens);
  const notRead = cachedTokens ?? (loadMs >= loadedAnewMs ? 0 : kept);
  // Nothing kept and nothing loaded: who knows what another program left in the cache.
  const isKnown = cachedTokens !== undefined || loadMs >= loadedAnewMs || kept > 0;
  const { readPerSecond } = server.note(request.model);
  if (isKnown) server.learnReading(request.model, promptTokens - notRead, promptMs);
  if (cachedTokens !== undefined || readPerSecond === undefined || promptMs === 0) return part;
  return { ...part, usage: { ...part.usage, cachedTokens: notReadIn(promptMs, promptTokens, readPerSecond) } };
}

/** Ollama counts cached and read tokens as one (field D8): what it cannot have read in its reading time came from the cache. */
const notReadIn = (ms: number, promptTokens: number, readPerSecond: number): number =>
  Math.max(0, promptTokens - Math.round((ms * readPerSecond) / 1000));
