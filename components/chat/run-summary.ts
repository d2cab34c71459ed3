/** What a run did, in figures, for the line at its end and its details. Pure. */
import type { Usage } from "@/lib/content";
import type { Entry, MessageEntry } from "@/lib/view";

/** Times of the model server by what it did, and how many answers told any; milliseconds and tokens. */
export interface ServerFigures {
  readonly answers: number;
  readonly loadMs: number;
  readonly readMs: number;
  readonly writeMs: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
}

export interface RunSummary {
  /** Different files changed, made or deleted. */
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** Shell commands that were started. */
  readonly commands: number;
  /** Without the time in which the run waited for the user; null = not known, since the program was ended soon after its last event. */
  readonly workedMs: number | null;
  /** How long it waited for the user; 0 = not long enough to tell. */
  readonly waitedMs: number;
  /** Tokens per second of writing, over the answers with both figures; null = there is none. */
  readonly tokensPerSecond: number | null;
  readonly server: ServerFigures;
  /** How long its first answer took to begin, ms; null = not measured. */
  readonly firstTokenMs: number | null;
  /**
   * Share of the earlier requests that the server still had in its cache, 0 to 1, by its own counts; null = it told none, or
   * nothing was before that could have been kept.
   */
  readonly prefixKept: PrefixKept | null;
}

export interface PrefixKept {
  readonly share: number;
  /** A part of it is an estimate. */
  readonly isAbout: boolean;
}

type RunEndEntry = Extract<Entry, { kind: "run_end" }>;

/** The messages of a run whose end stands at `index`, newest first. What is not loaded does not count. */
function* messagesOf(entries: readonly Entry[], index: number, end: RunEndEntry): Generator<MessageEntry> {
  for (let at = index - 1; at >= 0; at -= 1) {
    const entry = entries[at];
    if (entry === undefined || (entry.kind === "run_start" && entry.runId === end.runId)) return;
    if (entry.kind === "message") yield entry;
  }
}

const hasRun = ({ state, facts }: MessageEntry["calls"][number]): boolean =>
  state === "ok" || facts.exit !== undefined || facts.ended !== undefined;

export function summariseRun(entries: readonly Entry[], index: number, end: RunEndEntry): RunSummary {
  const files = new Set<string>();
  const sum = { added: 0, removed: 0, commands: 0 };
  const usages: Usage[] = [];
  for (const message of messagesOf(entries, index, end)) {
    if (message.usage !== undefined) usages.push(message.usage);
    for (const call of message.calls) {
      if (call.kind === "shell" && call.tookMs !== undefined && hasRun(call)) sum.commands += 1;
      for (const change of call.changes ?? []) {
        files.add(change.path);
        sum.added += change.added;
        sum.removed += change.removed;
      }
    }
  }
  const server = addUp(usages);
  return {
    files: files.size,
    ...sum,
    ...durationsOf(end),
    tokensPerSecond: generationSpeed(usages),
    server,
    // Newest first: the last one is the answer to the user's message.
    firstTokenMs: usages.at(-1)?.firstTokenMs ?? null,
    prefixKept: prefixKept(entries, index, end),
  };
}

/** A shorter wait is the time of a click, ms. */
const waitTellMs = 1_000;

/** After a kill the log knows the run's time up to its newest event or checkpoint only: less than this says nothing, ms. */
const killedTellMs = 1_000;

function durationsOf({ at, startedAt, waitedMs, reason }: RunEndEntry): Pick<RunSummary, "workedMs" | "waitedMs"> {
  const workedMs = Math.max(0, at - startedAt - waitedMs);
  const isKnown = reason !== "interrupted" || workedMs >= killedTellMs;
  return { workedMs: isKnown ? workedMs : null, waitedMs: waitedMs < waitTellMs ? 0 : waitedMs };
}

/** An answer without a time, or without a count, has no part in it: neither its tokens nor its time. */
function generationSpeed(usages: readonly Usage[]): number | null {
  const timed = addUp(usages.filter(({ outputMs, outputTokens }) => outputMs > 0 && outputTokens > 0));
  return timed.answers === 0 ? null : (timed.outputTokens * 1000) / timed.writeMs;
}

function addUp(usages: readonly Usage[]): ServerFigures {
  const sum = { answers: usages.length, loadMs: 0, readMs: 0, writeMs: 0, promptTokens: 0, outputTokens: 0 };
  for (const usage of usages) {
    sum.loadMs += usage.loadMs;
    sum.readMs += usage.promptMs;
    sum.writeMs += usage.outputMs;
    sum.promptTokens += usage.promptTokens;
    sum.outputTokens += usage.outputTokens;
  }
  return sum;
}

/**
 * Of what each request repeats of the one before, how much came from the server's cache. Only requests whose server tells
 * cached tokens count; after a compaction the prompt is another one and nothing could be kept.
 */
function prefixKept(entries: readonly Entry[], index: number, end: RunEndEntry): PrefixKept | null {
  let start = index - 1;
  for (let at = entries[start]; at !== undefined && !(at.kind === "run_start" && at.runId === end.runId); ) {
    start -= 1;
    at = entries[start];
  }
  let before = promptBefore(entries, start);
  let possible = 0;
  let kept = 0;
  let isAbout = false;
  for (const entry of entries.slice(start + 1, index)) {
    if (entry.kind === "compaction" && entry.state === "done") before = 0;
    if (entry.kind !== "message" || entry.usage === undefined) continue;
    const { cachedTokens, cachedAbout, promptTokens } = entry.usage;
    if (cachedTokens !== undefined) {
      possible += before;
      kept += Math.min(cachedTokens, before);
      isAbout ||= cachedAbout === true && before > 0;
    }
    before = promptTokens;
  }
  return possible === 0 ? null : { share: kept / possible, isAbout };
}

/** Tokens of the last request before `start`; 0 = none, or a compaction since. */
function promptBefore(entries: readonly Entry[], start: number): number {
  for (let at = start - 1; at >= 0; at -= 1) {
    const entry = entries[at];
    if (entry?.kind === "compaction" && entry.state === "done") return 0;
    if (entry?.kind === "message" && entry.usage !== undefined) return entry.usage.promptTokens;
  }
  return 0;
}

/** Of the newest run that has ended; null = none has, or its server told nothing. */
export function newestPrefixKept(entries: readonly Entry[]): PrefixKept | null {
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry?.kind === "run_end") return prefixKept(entries, index, entry);
  }
  return null;
}
