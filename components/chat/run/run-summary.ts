/** Computes the figures of a run for its end line and details. Pure. */
import { isCommandKind } from "@/lib/events/tool-presentations";
import type { Usage } from "@/lib/events/content";
import { generationSpeed } from "@/lib/view/run-speed";
import type { Entry, MessageEntry } from "@/lib/view/view";

/** Times and tokens reported by the model server, and the number of answers that reported them; ms and tokens. */
interface ServerFigures {
  readonly answers: number;
  readonly loadMs: number;
  readonly readMs: number;
  readonly writeMs: number;
  readonly promptTokens: number;
  readonly outputTokens: number;
}

export interface RunSummary {
  /** Distinct files changed, created or deleted. */
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** Shell commands that were started. */
  readonly commands: number;
  /** Calls that the user denied, or that a rule, a blocked word or the mode refused. */
  readonly refused: number;
  /** Refused calls that were commands. */
  readonly refusedCommands: number;
  /** Run time without waits for the user, ms; null = unknown: the process was killed soon after the last event. */
  readonly workedMs: number | null;
  /** Time waited for the user, ms; 0 = too short to report. */
  readonly waitedMs: number;
  /** Output tokens per second, over the answers that report tokens and time; null = none does. */
  readonly tokensPerSecond: number | null;
  readonly server: ServerFigures;
  /** Time to the first token of the run's first answer, ms; null = not measured. */
  readonly firstTokenMs: number | null;
  /**
   * Share of the previous requests' tokens that the server read from its cache, 0 to 1, by its own counts; null = not
   * reported, or there was no previous request.
   */
  readonly cachedPrefix: CachedPrefix | null;
  /** Hosts behind a router that answered, in order. */
  readonly servedBy: readonly string[];
  /** Tokens that the server read again although they should have been in its cache, by its own counts. */
  readonly readAgain: number;
  /** A prompt was read again several times in this session. */
  readonly movesOften: boolean;
}

export interface CachedPrefix {
  readonly share: number;
  /** A part of the share is estimated. */
  readonly isEstimate: boolean;
}

type RunEndEntry = Extract<Entry, { kind: "run_end" }>;

/** Yields the messages of the run whose end is at `index`, newest first. Entries that are not loaded are missing. */
function* runMessages(entries: readonly Entry[], index: number, end: RunEndEntry): Generator<MessageEntry> {
  for (let at = index - 1; at >= 0; at -= 1) {
    const entry = entries[at];
    if (entry === undefined || (entry.kind === "run_start" && entry.runId === end.runId)) return;
    if (entry.kind === "message") yield entry;
  }
}

const hasCommandRun = ({ state, facts }: MessageEntry["calls"][number]): boolean =>
  state === "ok" || facts.exit !== undefined || facts.ended !== undefined;

const isRefused = ({ state, facts }: MessageEntry["calls"][number]): boolean =>
  state === "denied" || (state === "error" && (facts.refusedBy !== undefined || facts.code === "plan_mode"));

export function summariseRun(entries: readonly Entry[], index: number, end: RunEndEntry): RunSummary {
  const files = new Set<string>();
  const sum = { added: 0, removed: 0, commands: 0, refused: 0, refusedCommands: 0 };
  const usages: Usage[] = [];
  for (const message of runMessages(entries, index, end)) {
    if (message.usage !== undefined) usages.push(message.usage);
    for (const call of message.calls) {
      if (isCommandKind(call.kind) && call.tookMs !== undefined && hasCommandRun(call)) sum.commands += 1;
      if (isRefused(call)) {
        sum.refused += 1;
        if (isCommandKind(call.kind)) sum.refusedCommands += 1;
      }
      for (const change of call.changes ?? []) {
        files.add(change.path);
        sum.added += change.added;
        sum.removed += change.removed;
      }
    }
  }
  const server = sumUsages(usages);
  const moves = [...findMoves(entries, index, (entry) => entry.kind === "run_start" && entry.runId === end.runId)];
  return {
    files: files.size,
    ...sum,
    ...runDurations(end),
    tokensPerSecond: generationSpeed(usages),
    server,
    // Newest first: the last usage is that of the answer to the user's message.
    firstTokenMs: usages.at(-1)?.firstTokenMs ?? null,
    cachedPrefix: computeCachedPrefix(entries, index, end),
    servedBy: [...new Set(usages.flatMap(({ servedBy }) => servedBy ?? []).reverse())],
    readAgain: moves.reduce((total, tokens) => total + tokens, 0),
    movesOften: moves.length > 0 && hasMoves(entries, index),
  };
}

/** Shorter waits are reaction time, not waiting, ms. */
const minReportedWaitMs = 1_000;

/** After a kill only the time up to the last event or checkpoint is logged; values below this are meaningless, ms. */
const minReportedKilledMs = 1_000;

function runDurations({ at, startedAt, waitedMs, reason }: RunEndEntry): Pick<RunSummary, "workedMs" | "waitedMs"> {
  const workedMs = Math.max(0, at - startedAt - waitedMs);
  const isKnown = reason !== "interrupted" || workedMs >= minReportedKilledMs;
  return { workedMs: isKnown ? workedMs : null, waitedMs: waitedMs < minReportedWaitMs ? 0 : waitedMs };
}

function sumUsages(usages: readonly Usage[]): ServerFigures {
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
 * Computes the share of each request's repeated prefix that came from the server's cache. Only requests with a reported
 * cached token count are included; a compaction replaces the prompt, so the request after it has no cacheable prefix.
 */
function computeCachedPrefix(entries: readonly Entry[], index: number, end: RunEndEntry): CachedPrefix | null {
  let start = index - 1;
  for (
    let startEntry = entries[start];
    startEntry !== undefined && !(startEntry.kind === "run_start" && startEntry.runId === end.runId);
  ) {
    start -= 1;
    startEntry = entries[start];
  }
  let before = previousPromptTokens(entries, start);
  let possible = 0;
  let cachedSum = 0;
  let isAbout = false;
  for (const entry of entries.slice(start + 1, index)) {
    if (entry.kind === "compaction" && entry.state === "done") before = 0;
    if (entry.kind !== "message" || entry.usage === undefined) continue;
    const { cachedTokens, cachedAbout, promptTokens } = entry.usage;
    if (cachedTokens !== undefined) {
      possible += before;
      cachedSum += Math.min(cachedTokens, before);
      isAbout ||= cachedAbout === true && before > 0;
    }
    before = promptTokens;
  }
  return possible === 0 ? null : { share: cachedSum / possible, isEstimate: isAbout };
}

/** Prompt tokens of the last request before `start`; 0 = none, or a compaction came after it. */
function previousPromptTokens(entries: readonly Entry[], start: number): number {
  for (let at = start - 1; at >= 0; at -= 1) {
    const entry = entries[at];
    if (entry?.kind === "compaction" && entry.state === "done") return 0;
    if (entry?.kind === "message" && entry.usage !== undefined) return entry.usage.promptTokens;
  }
  return 0;
}

/** A shorter prefix may be left out of a cache. */
const minPrefixTokens = 1_000;
/** A cache may be emptied after a pause, ms. */
const cacheMs = 300_000;
/** Moves after which a router can be said not to keep a session on one host. */
const oftenMoves = 3;
/** Entries that are searched for moves. */
const searchedEntries = 1_000;

/**
 * Yields the tokens that were read again by each answer, newest first, that found less than half of the prompt before it in the
 * server's cache, by the server's own count and soon after it. `isStart` = where the search ends.
 */
function* findMoves(entries: readonly Entry[], index: number, isStart: (entry: Entry) => boolean): Generator<number> {
  let later: MessageEntry | null = null;
  let hasStarted = false;
  for (let at = index - 1; at >= Math.max(0, index - searchedEntries); at -= 1) {
    const entry = entries[at];
    if (entry === undefined) return;
    if (entry.kind === "compaction" && entry.state === "done") later = null;
    hasStarted ||= isStart(entry);
    if (entry.kind !== "message" || entry.usage === undefined) continue;
    const tokens = later === null ? 0 : countReadAgain(entry, later);
    if (tokens > 0) yield tokens;
    if (hasStarted) return;
    later = entry;
  }
}

function countReadAgain({ usage: before, endAt, at }: MessageEntry, { usage, at: askedAt }: MessageEntry): number {
  const { cachedTokens, cachedAbout } = usage ?? {};
  const prefix = before?.promptTokens ?? 0;
  if (cachedTokens === undefined || cachedAbout === true || prefix < minPrefixTokens) return 0;
  const isSoon = askedAt - (endAt ?? at) <= cacheMs;
  return isSoon && cachedTokens < prefix / 2 ? prefix - cachedTokens : 0;
}

function hasMoves(entries: readonly Entry[], index: number): boolean {
  const moves = findMoves(entries, index, () => false);
  for (let count = 0; count < oftenMoves; count += 1) if (moves.next().done === true) return false;
  return true;
}

/** Returns the prefix share of the newest ended run; null = no run has ended, or the server reported none. */
export function newestCachedPrefix(entries: readonly Entry[]): CachedPrefix | null {
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index];
    if (entry?.kind === "run_end") return computeCachedPrefix(entries, index, entry);
  }
  return null;
}
