/**
 * Compaction: replaces the older part of the conversation by a head of exact blocks and retains the last messages.
 * Fails only on abort: if the model returns no summary, a mechanical one is used.
 */
import type { CompactionCause, DurableEvent } from "@/lib/events/event";
import type { Block, ReferenceBlock } from "@/lib/events/content";
import { serverLimits } from "@/lib/settings/server-limits";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import type { SessionView } from "@/lib/view/view";
import {
  changedFiles,
  hasCalls,
  findInstructions,
  mechanicalSummary,
  findOpenTodos,
  skillsInUse,
} from "./compaction-facts";
import { buildCompactionHead, replaceSummary, fitStart, type BuiltCompactionHead } from "./compaction-head";
import { requestSummary } from "./compaction-summary";
import { chooseRetainedTail, emptyTail, type RetainedTail, type ContextUnit } from "./retained-tail";
import { contextEntries, entryMessages, headMessage, lastContextText, wholeFiles } from "../context/compile";
import type { ModelMessage } from "@/server/providers/provider";
import { currentText, sourcesAt } from "../context/context-blocks";
import type { ContextBlock, ContextSource } from "../context/context-source";
import { renderReference } from "../context/render-reference";
import type { AgentHost } from "../host";
import {
  countTokens,
  requireRunModel,
  measurePrompt,
  promptTokens,
  renderForMode,
  countToolTokens,
} from "../context/prompt-size";
import { buildRequest } from "../context/build-request";
import { type CompactionShares, compactionShares, type ContextBudget, contextBudget } from "../context/context-budget";

/** Upper bound of a compaction's result, before a summary exists. */
interface CompactionPlan {
  /** Prompt tokens now and, at most, afterwards, as the server counts. */
  readonly before: number;
  readonly after: number;
}

/** Returns null if nothing can be dropped or the required messages do not fit. */
export function planCompaction(host: AgentHost): CompactionPlan | null {
  const { layout, tail } = arrangeCompaction(host, "");
  if (tail === null || !tail.shortens) return null;
  const after =
    layout.fixedTokens +
    layout.headMaxTokens +
    serverLimits.messageOverheadTokens +
    layout.contextMaxTokens +
    tail.tokens;
  return { before: buildRequest(host).tokens, after };
}

/** Whether a compaction with the shortest possible summary makes the prompt shorter. */
export function canShorten(host: AgentHost): boolean {
  const { tail, tokens } = arrangeCompaction(host, "-");
  return tail !== null && tail.shortens && tokens < estimateCurrentPrompt(host);
}

/** Size of the whole prompt by estimate alone, comparable with a compacted one. */
function estimateCurrentPrompt(host: AgentHost): number {
  const { messages } = buildRequest(host).request;
  return promptTokens(measurePrompt(host, messages, null), contextBudget(host.modelFacts()).scale);
}

interface CompactionRequest {
  readonly why: CompactionCause;
  readonly focus?: string;
}

export function compactionStart(host: AgentHost, { why, focus }: CompactionRequest): DurableEvent {
  const tokensBefore = buildRequest(host).tokens;
  return { type: "compaction_start", tokensBefore, why, focus };
}

/**
 * Requires a committed compaction_start. "aborted" leaves it open for the run's or the session's end. If the user
 * requested the compaction and it would not shorten the prompt, it ends with the error no_gain.
 */
export async function finishCompaction(
  host: AgentHost,
  { focus, why: by }: CompactionRequest,
  signal: AbortSignal,
): Promise<"done" | "aborted"> {
  const modelSummary = await requestSummary(host, focus, signal);
  await host.readPins(signal);
  if (signal.aborted) return "aborted";
  const summary = modelSummary ?? mechanicalSummary(host.view());
  const { head, tail: chosen, tokens } = arrangeCompaction(host, summary);
  if (by === "user" && tokens >= estimateCurrentPrompt(host)) {
    host.commit([{ type: "error", error: { code: "no_gain" } }]);
    return "done";
  }
  const tail = chosen ?? emptyTail;
  host.commit([
    {
      type: "compaction_end",
      head: head.blocks,
      summary,
      keepFromSeq: Number.isFinite(tail.from) ? tail.from : host.view().seq + 1,
      tokensAfter: tokens,
      ...(tail.also.length === 0 ? {} : { keepAlso: tail.also }),
      resultTokens: tail.resultTokens,
      ...(modelSummary === null ? { mechanical: true } : {}),
    },
  ]);
  return "done";
}

/** Returns the head in force with a summary edited by the user. */
export function editCompactionHead(host: AgentHost, head: readonly Block[], summary: string): readonly Block[] {
  const budget = contextBudget(host.modelFacts());
  return replaceSummary(head, summary, headMaxTokens(budget), budget.scale);
}

const headMaxTokens = (budget: ContextBudget): number =>
  Math.max(0, Math.floor(budget.tokens * serverLimits.headShare) - serverLimits.messageOverheadTokens);

interface CompactionLayout {
  readonly room: ContextBudget;
  /** Tokens of system text and tools. */
  readonly fixedTokens: number;
  readonly headMaxTokens: number;
  /** Tokens for repeated context blocks. */
  readonly contextMaxTokens: number;
  readonly units: readonly ContextUnit[];
  /** Seq from which the compaction in force retained all messages. */
  readonly contiguousFrom: number;
  /** Seq of the newest message with results. */
  readonly resultsSeq: number | null;
  /** Server tokens per estimated token in results: their stored limit is in estimated tokens, which never change. */
  readonly resultRatio: number;
  readonly shares: CompactionShares;
  /** Number of newest messages to retain whole. */
  readonly newestCount: number;
}

/** Options for a message that a compaction retains without cutting its results. */
const retainedWhole = { before: Number.POSITIVE_INFINITY, tokens: null };

function measureLayout(host: AgentHost): CompactionLayout {
  const budget = contextBudget(host.modelFacts());
  const model = requireRunModel(host);
  const { entries, from } = contextEntries(host.view());
  const units = entries.flatMap((entry): readonly ContextUnit[] => {
    const messages = entryMessages(entry, host, retainedWhole);
    if (messages.length === 0) return [];
    const results = messages
      .filter((message) => message.role === "tool")
      .map((message) => countTokens([message], budget.scale));
    const all = countTokens(renderForMode(model, messages), budget.scale);
    return [{ seq: entry.seq, own: Math.max(0, all - results.reduce((sum, one) => sum + one, 0)), results }];
  });
  const { compactionPercent, keptMessages } = host.settings();
  return {
    room: budget,
    shares: compactionShares(compactionPercent),
    newestCount: keptMessages,
    fixedTokens:
      countTokens([{ role: "system", text: host.prompt().system }], budget.scale) + countToolTokens(host, budget.scale),
    headMaxTokens: headMaxTokens(budget),
    contextMaxTokens: repeatedContexts(host, new Set(), budget).reduce(
      (sum, block) => sum + contextBlockTokens(block, budget),
      0,
    ),
    units,
    contiguousFrom: from,
    resultsSeq: entries.findLast(hasCalls)?.seq ?? null,
    resultRatio: maxResultRatio(
      entries.flatMap((entry) => entryMessages(entry, host, retainedWhole)),
      budget,
    ),
  };
}

/** Server tokens per estimated token of the result with the highest ratio. */
const maxResultRatio = (messages: readonly ModelMessage[], { scale }: ContextBudget): number =>
  messages.reduce(
    (most, message) =>
      message.role === "tool" ? Math.max(most, countTokens([message], scale) / countTokens([message])) : most,
    scale[0] ?? 1,
  );

function chooseTailFor(
  layout: CompactionLayout,
  head: number,
  contexts: number,
  words: readonly number[],
): RetainedTail | null {
  const { fixedTokens, units, resultsSeq } = layout;
  const window = layout.room.tokens;
  const usedTokens = fixedTokens + head + contexts;
  const tail = chooseRetainedTail(
    units,
    { results: resultsSeq, words },
    {
      from: layout.contiguousFrom,
      keep: layout.newestCount,
      aim: window * layout.shares.aim - usedTokens,
      max: window * layout.shares.cutMax - usedTokens,
      most: layout.room.promptMax - usedTokens,
      results:
        window < serverLimits.smallWindowTokens ? window * serverLimits.toolResultShare : Number.POSITIVE_INFINITY,
      resultsLeast: (window * serverLimits.toolResultShare) / 2,
    },
  );
  return tail?.resultTokens === undefined
    ? tail
    : { ...tail, resultTokens: Math.floor(tail.resultTokens / layout.resultRatio) };
}

interface CompactionResult {
  readonly layout: CompactionLayout;
  readonly head: BuiltCompactionHead;
  /** null = the required messages do not fit. */
  readonly tail: RetainedTail | null;
  readonly tokens: number;
}

/**
 * Head and tail depend on each other: retained messages are not repeated in the head, and instructions the head had
 * to cut are retained whole. Two rounds suffice, since the second can only shrink the head or retain more
 * instructions.
 */
function arrangeCompaction(host: AgentHost, summary: string): CompactionResult {
  const layout = measureLayout(host);
  const view = host.view();
  const headMax = layout.headMaxTokens + serverLimits.messageOverheadTokens;
  const first = chooseTailFor(layout, headMax, layout.contextMaxTokens, []) ?? emptyTail;
  const rough = headForTail(host, view, summary, first, layout);
  // Before a summary exists, the head is assumed to have its maximum size.
  const size = summary === "" ? headMax : measureHead(rough, layout.room);
  const contexts = summary === "" ? layout.contextMaxTokens : sumContextTokens(rough, layout.room);
  const tail = chooseTailFor(layout, size, contexts, truncatedInstructionSeqs(view, rough));
  const head = headForTail(host, view, summary, tail ?? emptyTail, layout);
  const system: ModelMessage = { role: "system", text: host.prompt().system };
  const messages = [system, headMessage(head.blocks), ...renderTail(host, tail ?? emptyTail)];
  const tokens = promptTokens(measurePrompt(host, messages, null), layout.room.scale);
  return { layout, head, tail, tokens };
}

/** The retained messages as they will be rendered: results cut at line borders, below their limit. */
function renderTail(host: AgentHost, { from, also, resultTokens: tokens }: RetainedTail): readonly ModelMessage[] {
  const cut = tokens === undefined ? retainedWhole : { ...retainedWhole, tokens };
  const retained = contextEntries(host.view()).entries.filter(({ seq }) => seq >= from || also.includes(seq));
  return renderForMode(
    requireRunModel(host),
    retained.flatMap((entry) => entryMessages(entry, host, cut)),
  );
}

function headForTail(
  host: AgentHost,
  view: SessionView,
  summary: string,
  tail: RetainedTail,
  layout: CompactionLayout,
): BuiltCompactionHead {
  const instructions = findInstructions(view);
  const stays = (seq: number): boolean => seq >= tail.from || tail.also.includes(seq);
  const retained = new Set(layout.units.map((unit) => unit.seq).filter(stays));
  const newest =
    instructions === null || instructions.newest.seq === instructions.first.seq || retained.has(instructions.newest.seq)
      ? null
      : instructions.newest;
  return buildCompactionHead(
    {
      // Instructions among the retained messages are not repeated.
      original: instructions === null || retained.has(instructions.first.seq) ? "" : instructions.first.text,
      newest: newest?.text ?? null,
      files: changedFiles(view),
      todo: findOpenTodos(view),
      skills: skillsInUse(view),
      summary,
      contexts: repeatedContexts(host, retained, layout.room),
    },
    layout.headMaxTokens,
    layout.room.scale,
  );
}

/** Seqs of the instruction to retain whole because the head truncated it. */
function truncatedInstructionSeqs(view: SessionView, { truncated: cut }: BuiltCompactionHead): readonly number[] {
  const instructions = findInstructions(view);
  if (instructions === null) return [];
  const { first, newest } = instructions;
  return newest.seq === first.seq ? (cut.original ? [first.seq] : []) : cut.newest ? [newest.seq] : [];
}

/** Blocks of the sources that a compaction repeats, unless a retained message contains one of the topic. */
function repeatedContexts(
  host: AgentHost,
  retained: ReadonlySet<number>,
  budget: ContextBudget,
): readonly (ContextBlock | ReferenceBlock)[] {
  const view = host.view();
  const staying = contextEntries(view).entries.filter((entry) => retained.has(entry.seq));
  const hasTopic = (topic: ContextBlock["topic"]): boolean =>
    staying
      .flatMap((entry) => [...entry.blocks, ...entry.calls.flatMap((call) => call.output ?? [])])
      .some((block) => block.type === "context" && block.topic === topic);
  const notices = sourcesAt(host.contextSources(), "compaction").flatMap((source): readonly ContextBlock[] => {
    const { topic, kind } = source;
    const last = lastContextText(view, topic);
    if (last === null || hasTopic(topic)) return [];
    const text = repeatedText(host, source, last, budget);
    return text === "" ? [] : [{ type: "context", kind, topic, text }];
  });
  const retainedFiles = staying.flatMap((entry) => wholeFiles(entry.blocks));
  const isRetained = ({ label, text }: ReferenceBlock): boolean =>
    retainedFiles.findLast((file) => file.label === label)?.text === text;
  return [...notices, ...host.pins().blocks.filter((block) => !isRetained(block))];
}

/** A text with a share of the window is computed again and cut to it; a notice is repeated as it was sent. */
function repeatedText(host: AgentHost, source: ContextSource, last: string, budget: ContextBudget): string {
  if (source.share === undefined) return last;
  const most = source.share(budget.tokens) - contextFrameTokens;
  return fitStart(currentText(source, host.contextFacts(), most) ?? last, most, budget.scale);
}

/** Tokens of the element that wraps a context block. */
const contextFrameTokens = 16;
const contextBlockTokens = (block: ContextBlock | ReferenceBlock, { scale }: ContextBudget): number =>
  estimateTokens(block.type === "context" ? block.text : renderReference(block), scale) + contextFrameTokens;
const isRepeated = (block: Block): block is ContextBlock | ReferenceBlock =>
  block.type === "context" || block.type === "reference";
const sumContextTokens = ({ blocks }: BuiltCompactionHead, budget: ContextBudget): number =>
  blocks.reduce((sum, block) => sum + (isRepeated(block) ? contextBlockTokens(block, budget) : 0), 0);
const measureHead = (head: BuiltCompactionHead, { scale }: ContextBudget): number =>
  countTokens([headMessage(head.blocks.filter((block) => !isRepeated(block)))], scale);
