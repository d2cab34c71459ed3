/**
 * Compaction: replaces the older part of the conversation by a head of exact blocks and retains the last messages.
 * Fails only on abort: if the model returns no summary, a mechanical one is used.
 */
import type { CompactionCause, DurableEvent } from "@/lib/event";
import type { Block } from "@/lib/content";
import { limits } from "@/lib/settings";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import type { SessionView } from "@/lib/view";
import { changedFiles, hasResults, instructionsIn, mechanicalSummary, openTodo } from "./compact-facts";
import { buildHead, type ContextBlock, editedHead, fit, type Head } from "./compact-head";
import { summarise } from "./compact-summary";
import { chooseTail, noTail, type Tail, type Unit } from "./compact-tail";
import { contextEntries, entryMessages, headMessage, toldAbout } from "./context/compile";
import type { ModelMessage } from "../providers/provider";
import type { AgentHost } from "./host";
import { countTokens, modelOf, promptSize, tokensOf, toldTo, toolTokens } from "./prompt-size";
import { requestOf } from "./request";
import { type CompactionShares, compactionShares, type Room, roomOf, snapshotTokens } from "./window";

/** Upper bound of a compaction's result, before a summary exists. */
export interface CompactionPlan {
  /** Prompt tokens now and, at most, afterwards, as the server counts. */
  readonly before: number;
  readonly after: number;
}

/** Returns null if nothing can be dropped or the required messages do not fit. */
export function planCompaction(host: AgentHost): CompactionPlan | null {
  const { layout, tail } = arrange(host, "");
  if (tail === null || !tail.shortens) return null;
  const after = layout.fixed + layout.headMax + limits.messageOverheadTokens + layout.contextMax + tail.tokens;
  return { before: requestOf(host).tokens, after };
}

/** Whether a compaction with the shortest possible summary makes the prompt shorter. */
export function canShorten(host: AgentHost): boolean {
  const { tail, tokens } = arrange(host, "-");
  return tail !== null && tail.shortens && tokens < estimatedNow(host);
}

/** Size of the whole prompt by estimate alone, comparable with a compacted one. */
function estimatedNow(host: AgentHost): number {
  const { messages } = requestOf(host).request;
  return tokensOf(promptSize(host, messages, null), roomOf(host.modelFacts()).scale);
}

export interface CompactionOrder {
  readonly why: CompactionCause;
  readonly focus?: string;
}

export function startOf(host: AgentHost, { why, focus }: CompactionOrder): DurableEvent {
  const tokensBefore = requestOf(host).tokens;
  return { type: "compaction_start", tokensBefore, why, ...(focus === undefined ? {} : { focus }) };
}

/**
 * Requires a committed compaction_start. "aborted" leaves it open for the run's or the session's end. If the user
 * requested the compaction and it would not shorten the prompt, it ends with the error no_gain.
 */
export async function finishCompaction(
  host: AgentHost,
  { focus, why: by }: CompactionOrder,
  signal: AbortSignal,
): Promise<"done" | "aborted"> {
  const modelSummary = await summarise(host, focus, signal);
  if (signal.aborted) return "aborted";
  const summary = modelSummary ?? mechanicalSummary(host.view());
  const { head, tail: chosen, tokens } = arrange(host, summary);
  if (by === "user" && tokens >= estimatedNow(host)) {
    host.commit([{ type: "error", error: { code: "no_gain" } }]);
    return "done";
  }
  const tail = chosen ?? noTail;
  host.commit([
    {
      type: "compaction_end",
      head: head.blocks,
      summary,
      keepFromSeq: Number.isFinite(tail.from) ? tail.from : host.view().seq + 1,
      tokensAfter: tokens,
      ...(tail.also.length === 0 ? {} : { keepAlso: tail.also }),
      ...(tail.resultTokens === undefined ? {} : { resultTokens: tail.resultTokens }),
      ...(modelSummary === null ? { mechanical: true } : {}),
    },
  ]);
  return "done";
}

/** Returns the head in force with a summary edited by the user. */
export function headEdited(host: AgentHost, head: readonly Block[], summary: string): readonly Block[] {
  const budget = roomOf(host.modelFacts());
  return editedHead(head, summary, headMaxOf(budget), budget.scale);
}

const headMaxOf = (budget: Room): number =>
  Math.max(0, Math.floor(budget.tokens * limits.headShare) - limits.messageOverheadTokens);

interface Layout {
  readonly room: Room;
  /** Tokens of system text and tools. */
  readonly fixed: number;
  readonly headMax: number;
  /** Tokens for repeating project and mode. */
  readonly contextMax: number;
  readonly units: readonly Unit[];
  /** Seq from which the compaction in force retained all messages. */
  readonly from: number;
  /** Seq of the newest message with results. */
  readonly results: number | null;
  /** Server tokens per estimated token in results: their stored limit is in estimated tokens, which never change. */
  readonly resultRatio: number;
  readonly shares: CompactionShares;
  /** Number of newest messages to retain whole. */
  readonly keep: number;
}

function layoutOf(host: AgentHost): Layout {
  const budget = roomOf(host.modelFacts());
  const model = modelOf(host);
  const { entries, from } = contextEntries(host.view());
  const units = entries.flatMap((entry): readonly Unit[] => {
    const messages = entryMessages(entry, host, null);
    if (messages.length === 0) return [];
    const results = messages
      .filter((message) => message.role === "tool")
      .map((message) => countTokens([message], budget.scale));
    const all = countTokens(toldTo(model, messages), budget.scale);
    return [{ seq: entry.seq, own: Math.max(0, all - results.reduce((sum, one) => sum + one, 0)), results }];
  });
  const { compactionPercent, keptMessages } = host.settings();
  return {
    room: budget,
    shares: compactionShares(compactionPercent),
    keep: keptMessages,
    fixed: countTokens([{ role: "system", text: host.prompt().system }], budget.scale) + toolTokens(host, budget.scale),
    headMax: headMaxOf(budget),
    contextMax: contextsAgain(host, new Set(), budget).reduce((sum, block) => sum + contextTokens(block, budget), 0),
    units,
    from,
    results: entries.findLast(hasResults)?.seq ?? null,
    resultRatio: dearestResult(
      entries.flatMap((entry) => entryMessages(entry, host, null)),
      budget,
    ),
  };
}

/** Server tokens per estimated token of the result with the highest ratio. */
const dearestResult = (messages: readonly ModelMessage[], { scale }: Room): number =>
  messages.reduce(
    (most, message) =>
      message.role === "tool" ? Math.max(most, countTokens([message], scale) / countTokens([message])) : most,
    scale[0] ?? 1,
  );

function tailWith(layout: Layout, head: number, contexts: number, words: readonly number[]): Tail | null {
  const { fixed, units, results } = layout;
  const window = layout.room.tokens;
  const taken = fixed + head + contexts;
  const tail = chooseTail(
    units,
    { results, words },
    {
      from: layout.from,
      keep: layout.keep,
      aim: window * layout.shares.aim - taken,
      max: window * layout.shares.max - taken,
      most: layout.room.most - taken,
      results: window < limits.smallWindowTokens ? window * limits.toolResultShare : Number.POSITIVE_INFINITY,
      resultsLeast: (window * limits.toolResultShare) / 2,
    },
  );
  return tail?.resultTokens === undefined
    ? tail
    : { ...tail, resultTokens: Math.floor(tail.resultTokens / layout.resultRatio) };
}

interface Arrangement {
  readonly layout: Layout;
  readonly head: Head;
  /** null = the required messages do not fit. */
  readonly tail: Tail | null;
  readonly tokens: number;
}

/**
 * Head and tail depend on each other: retained messages are not repeated in the head, and instructions the head had
 * to cut are retained whole. Two rounds suffice, since the second can only shrink the head or retain more
 * instructions.
 */
function arrange(host: AgentHost, summary: string): Arrangement {
  const layout = layoutOf(host);
  const view = host.view();
  const headMax = layout.headMax + limits.messageOverheadTokens;
  const first = tailWith(layout, headMax, layout.contextMax, []) ?? noTail;
  const rough = headFor(host, view, summary, first, layout);
  // Before a summary exists, the head is assumed to have its maximum size.
  const size = summary === "" ? headMax : headSize(rough, layout.room);
  const contexts = summary === "" ? layout.contextMax : contextSize(rough, layout.room);
  const tail = tailWith(layout, size, contexts, wordsCut(view, rough));
  const head = headFor(host, view, summary, tail ?? noTail, layout);
  const system: ModelMessage = { role: "system", text: host.prompt().system };
  const messages = [system, headMessage(head.blocks), ...tellingMessages(host, tail ?? noTail)];
  const tokens = tokensOf(promptSize(host, messages, null), layout.room.scale);
  return { layout, head, tail, tokens };
}

/** The retained messages as they will be rendered: results cut at line borders, below their limit. */
function tellingMessages(host: AgentHost, { from, also, resultTokens: tokens }: Tail): readonly ModelMessage[] {
  const cut = tokens === undefined ? null : { before: Number.POSITIVE_INFINITY, tokens };
  const retained = contextEntries(host.view()).entries.filter(({ seq }) => seq >= from || also.includes(seq));
  return toldTo(
    modelOf(host),
    retained.flatMap((entry) => entryMessages(entry, host, cut)),
  );
}

function headFor(host: AgentHost, view: SessionView, summary: string, tail: Tail, layout: Layout): Head {
  const instructions = instructionsIn(view);
  const stays = (seq: number): boolean => seq >= tail.from || tail.also.includes(seq);
  const retained = new Set(layout.units.map((unit) => unit.seq).filter(stays));
  const newest =
    instructions === null || instructions.newest.seq === instructions.first.seq || retained.has(instructions.newest.seq)
      ? null
      : instructions.newest;
  return buildHead(
    {
      // Instructions among the retained messages are not repeated.
      original: instructions === null || retained.has(instructions.first.seq) ? "" : instructions.first.text,
      newest: newest?.text ?? null,
      files: changedFiles(view),
      todo: openTodo(view),
      summary,
      contexts: contextsAgain(host, retained, layout.room),
    },
    layout.headMax,
    layout.room.scale,
  );
}

/** Seqs of the instruction to retain whole because the head truncated it. */
function wordsCut(view: SessionView, { cut }: Head): readonly number[] {
  const instructions = instructionsIn(view);
  if (instructions === null) return [];
  const { first, newest } = instructions;
  return newest.seq === first.seq ? (cut.original ? [first.seq] : []) : cut.newest ? [newest.seq] : [];
}

/** Project and mode blocks, unless a retained message contains them. */
function contextsAgain(host: AgentHost, retained: ReadonlySet<number>, budget: Room): readonly ContextBlock[] {
  const view = host.view();
  const staying = contextEntries(view).entries.filter((entry) => retained.has(entry.seq));
  const hasTopic = (topic: ContextBlock["topic"]): boolean =>
    staying
      .flatMap((entry) => [...entry.blocks, ...entry.calls.flatMap((call) => call.output ?? [])])
      .some((block) => block.type === "context" && block.topic === topic);
  const project = toldAbout(view, "project");
  const mode = toldAbout(view, "mode");
  const blocks: ContextBlock[] = [];
  if (project !== null && !hasTopic("project")) {
    const most = snapshotTokens(budget) - contextFrameTokens;
    const text = fit(host.snapshot(most) ?? project, most, budget.scale);
    if (text !== "") blocks.push({ type: "context", kind: "snapshot", topic: "project", text });
  }
  if (mode !== null && !hasTopic("mode")) blocks.push({ type: "context", kind: "notice", topic: "mode", text: mode });
  return blocks;
}

/** Tokens of the element that wraps a context block. */
const contextFrameTokens = 16;
const contextTokens = (block: ContextBlock, { scale }: Room): number =>
  estimateTokens(block.text, scale) + contextFrameTokens;
const contextSize = ({ blocks }: Head, budget: Room): number =>
  blocks.reduce((sum, block) => sum + (block.type === "context" ? contextTokens(block, budget) : 0), 0);
const headSize = (head: Head, { scale }: Room): number =>
  countTokens([headMessage(head.blocks.filter((block) => block.type !== "context"))], scale);
