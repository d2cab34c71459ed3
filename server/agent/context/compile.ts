/**
 * Compiles the model's messages from the path of the view. The bytes of an entry depend on that entry alone, so a
 * request starts with the whole previous request (invariant I8), except after a compaction, its edit or a rewind.
 */
import { at, indexOfSeq, chunkParts } from "@/lib/view/chunks";
import { type Block, messageImageRefs, type ReferenceBlock, referenceBlocks } from "@/lib/events/content";
import type { BlobId } from "@/lib/events/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { activeCompaction } from "@/lib/view/snapshot";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { isOutsideContext } from "@/lib/events/user-command";
import { type CallView, type Entry, type MessageEntry, pathRanges, type SessionView } from "@/lib/view/view";
import type { ModelMessage } from "@/server/providers/provider";
import type { ResultLimits } from "@/server/tools/core/tool";
import type { ContextBlock } from "./context-source";
import { renderReference } from "./render-reference";
import { fitText } from "../tools/fit-result";
import { compactionText } from "@/server/prompts/compaction";
import { weakMemo } from "@/server/base/weak-memo";

export interface CompileOptions {
  /** The stored system text. */
  readonly system: string;
  /** Returns the base64 of a stored image; null = deleted. */
  readonly image: (blob: BlobId) => string | null;
}

export function compileMessages(view: SessionView, options: CompileOptions): readonly ModelMessage[] {
  const messages: ModelMessage[] = [{ role: "system", text: options.system }];
  const retained = retainedContext(view);
  if (retained.head.length > 0) messages.push(headMessage(retained.head));
  for (const part of contextChunks(view, retained)) messages.push(...compileChunk(part, options, retained.cut));
  return messages;
}

/** A compaction's head as a message. */
export const headMessage = weakMemo(
  (head: readonly Block[]): ModelMessage => ({ role: "user", text: renderBlocks(head) }),
);

/** The text of the head in force; null = no compaction. */
export function contextHeadText(view: SessionView): string | null {
  const { head } = retainedContext(view);
  return head.length === 0 ? null : headMessage(head).text;
}

/** The ended messages still in the context, in order; the seq from which on they are complete; and the cut of older ones. */
export function contextEntries(view: SessionView): {
  readonly entries: readonly MessageEntry[];
  readonly from: number;
  readonly cut: CompactionCut;
} {
  const retained = retainedContext(view);
  return { entries: contextChunks(view, retained).flat(), from: retained.from, cut: retained.cut };
}

/**
 * Parts that a compaction at seq `before` left out of the messages that it retained: their reasoning, and what is beyond
 * `tokens` of each result, null = nothing. null = no compaction.
 */
type CompactionCut = { readonly before: number; readonly tokens: number | null } | null;

/**
 * The ended messages of one chunk of the log. A full chunk stays the same object, and so does everything derived from
 * it.
 */
type ContextChunk = readonly MessageEntry[];

const isInContext = (entry: Entry): entry is MessageEntry =>
  entry.kind === "message" &&
  entry.stop !== undefined &&
  (entry.replaced !== true || isUnanswered(entry)) &&
  !isOutsideContext(entry);

/** Whether only thinking was complete, so that the answer was requested again. */
const isUnanswered = ({ replaced, stop, blocks }: MessageEntry): boolean =>
  replaced === true && stop === "done" && hasOnlyThinking(blocks);

/** Whether a message was thought about and has no text and no call. */
export const hasOnlyThinking = (blocks: MessageEntry["blocks"]): boolean =>
  blocks.length > 0 && blocks.every(({ type }) => type === "thinking");

const endedMessages = weakMemo(
  (chunk: readonly Entry[]): ContextChunk => chunk.flatMap((entry) => (isInContext(entry) ? [entry] : [])),
);
const emptyChunk: ContextChunk = [];

/** Result of the compaction in force: its head, the start of the contiguous messages, and older retained ones. */
interface RetainedContext {
  readonly head: readonly Block[];
  readonly from: number;
  readonly also: readonly number[];
  readonly cut: CompactionCut;
}

const wholeContext: RetainedContext = { head: [], from: 0, also: [], cut: null };

/** Memoized activeCompaction: a long log without a compaction is searched to its start. */
export const cachedHeadInForce = weakMemo(activeCompaction);

const retainedContext = weakMemo((view: SessionView): RetainedContext => {
  const inForce = cachedHeadInForce(view);
  if (inForce === null) return wholeContext;
  const compaction = inForce.kind === "compaction" ? inForce : at(view.entries, indexOfSeq(view.entries, inForce.of));
  if (compaction?.kind !== "compaction") return { ...wholeContext, head: inForce.head ?? [] };
  const { seq: before, resultTokens: tokens = null } = compaction;
  return {
    head: inForce.head ?? [],
    from: compaction.keepFromSeq ?? 0,
    also: compaction.keepAlso ?? [],
    cut: { before, tokens },
  };
});

/** The messages still in the context, in order. In a long session only new chunks are computed. */
function contextChunks(view: SessionView, { from, also }: RetainedContext): readonly ContextChunk[] {
  const ranges = pathRanges(view.segments, view.newest);
  const onPath = (first: number, last: number): boolean => ranges.some(([start, end]) => first >= start && last <= end);
  return chunkParts(view.entries).map((chunk) => {
    const first = chunk[0]?.seq ?? 0;
    const last = chunk.at(-1)?.seq ?? 0;
    if (last < from && !also.some((seq) => seq >= first && seq <= last)) return emptyChunk;
    const part = endedMessages(chunk);
    if (first >= from && onPath(first, last)) return part;
    return part.filter(({ seq }) => (seq >= from || also.includes(seq)) && onPath(seq, seq));
  });
}

const noImages: Pick<CompileOptions, "image"> = { image: () => null };
const hasImages = weakMemo((entry: MessageEntry): boolean =>
  [entry.blocks, ...entry.calls.map((call) => call.output ?? [])].some((blocks) => messageImageRefs(blocks).length > 0),
);
const chunkHasImages = weakMemo((part: ContextChunk): boolean => part.some(hasImages));
const compileWithoutImages = weakMemo((entry: MessageEntry) => compileMessage(entry, noImages));
const compileChunkWithoutImages = weakMemo((part: ContextChunk) => part.flatMap(compileWithoutImages));

/** Messages with images are compiled again each time: images are large, and their blobs may be deleted. */
function compileChunk(part: ContextChunk, options: CompileOptions, cut: CompactionCut): readonly ModelMessage[] {
  const isCut = cut !== null && (part[0]?.seq ?? cut.before) < cut.before;
  if (!isCut && !chunkHasImages(part)) return compileChunkWithoutImages(part);
  return part.flatMap((entry) => entryMessages(entry, options, cut));
}

/** Renders one message with its results. Returns the same objects as long as nothing in it changes. */
export function entryMessages(
  entry: MessageEntry,
  options: Pick<CompileOptions, "image">,
  cut: CompactionCut,
): readonly ModelMessage[] {
  if (cut !== null && entry.seq < cut.before) return compileCutMessages(entry, options, cut);
  return hasImages(entry) ? compileMessage(entry, options) : compileWithoutImages(entry);
}

const cutMessagesCache = new WeakMap<
  MessageEntry,
  { readonly tokens: number | null; readonly messages: readonly ModelMessage[] }
>();

function compileCutMessages(
  entry: MessageEntry,
  options: Pick<CompileOptions, "image">,
  cut: NonNullable<CompactionCut>,
): readonly ModelMessage[] {
  const { tokens } = cut;
  const cached = cutMessagesCache.get(entry);
  if (cached?.tokens === tokens) return cached.messages;
  const messages = compileMessage(entry, options, cut);
  if (!hasImages(entry)) cutMessagesCache.set(entry, { tokens, messages });
  return messages;
}

const compileMessage = (
  entry: MessageEntry,
  options: Pick<CompileOptions, "image">,
  cut: CompactionCut = null,
): readonly ModelMessage[] =>
  entry.role === "user" ? compileUser(entry, options) : compileAnswer(entry, options, cut);

function compileUser(entry: MessageEntry, options: Pick<CompileOptions, "image">): readonly ModelMessage[] {
  const text = renderBlocks(entry.blocks.flatMap((block) => (block.type === "input" ? [] : [block])));
  const images = loadImages(entry.blocks, options);
  return [{ role: "user", text, ...(images.length === 0 ? {} : { images }) }];
}

const loadImages = (blocks: MessageEntry["blocks"], { image }: Pick<CompileOptions, "image">): readonly string[] =>
  messageImageRefs(blocks)
    .map(({ blob }) => image(blob))
    .filter((bytes) => bytes !== null);

function compileAnswer(
  entry: MessageEntry,
  options: Pick<CompileOptions, "image">,
  cut: CompactionCut,
): readonly ModelMessage[] {
  if (isUnanswered(entry)) return [{ role: "user", text: compactionText("unanswered") }];
  const text = joinTexts(entry, "text");
  const reasoning = cut === null ? sentReasoning(entry) : {};
  if (entry.calls.length === 0) return text.trim() === "" ? [] : [{ role: "assistant", text, ...reasoning }];
  const thinking = joinTexts(entry, "thinking");
  const calls = entry.blocks.flatMap((block) =>
    block.type === "call"
      ? [
          {
            callId: block.callId,
            name: block.name,
            input: block.input,
            raw: block.raw,
            ...(block.from === undefined ? {} : { from: block.from }),
          },
        ]
      : [],
  );
  return [
    { role: "assistant", text, ...(thinking === "" ? {} : { thinking }), ...reasoning, calls },
    ...entry.calls.map((call) => {
      // The name that was called, also where the toolbox led to another tool.
      const name = calls.find(({ callId }) => callId === call.callId)?.name ?? call.name;
      return compileResult({ ...call, name }, options, cut?.tokens ?? null);
    }),
  ];
}

/**
 * The blocks of a result. A text of another program or of a subagent cannot pass for a context block; what a built-in tool reads from
 * the project keeps its bytes.
 */
const resultBlocks = ({ kind, output = [] }: CallView): readonly Block[] =>
  kind === "other" || kind === "agent"
    ? output.map((block) =>
        block.type === "text" ? { ...block, text: block.text.replaceAll(/<(?=context\s+about\s*=)/gi, "&lt;") } : block,
      )
    : output;

function compileResult(call: CallView, options: Pick<CompileOptions, "image">, maxTokens: number | null): ModelMessage {
  const output = resultBlocks(call);
  const text = maxTokens === null ? renderBlocks(output) : fitText(renderBlocks(output), cutLimits, maxTokens).text;
  const left = maxTokens === null ? Number.POSITIVE_INFINITY : maxTokens - estimateTokens(text);
  const images = loadImages(output, options).slice(0, Math.floor(left / serverLimits.imageTokens));
  return {
    role: "tool",
    callId: call.callId,
    name: call.name,
    text,
    ...(images.length === 0 ? {} : { images }),
  };
}

/** Both ends of an older result are worth more than its middle. */
const cutLimits: ResultLimits = { bytes: serverLimits.readBytes, keep: "both" };

/** The text, or the thinking that was read from it. */
const joinTexts = (entry: MessageEntry, type: "text" | "thinking"): string =>
  entry.blocks
    .flatMap((block) =>
      block.type === type && (block.type === "text" || block.from === undefined) ? [block.text] : [],
    )
    .join("\n");

/** The reasoning that the server sent apart from the text, byte for byte. */
function sentReasoning(entry: MessageEntry): Pick<Extract<ModelMessage, { role: "assistant" }>, "reasoning"> {
  const parts = entry.blocks.flatMap((block) =>
    block.type === "thinking" && block.from !== undefined ? [{ ...block.from, text: block.text }] : [],
  );
  const [first] = parts;
  if (first === undefined) return {};
  return { reasoning: { ...first, text: parts.map((part) => part.text).join("") } };
}

/** Context blocks are embedded in the text, each in its own element. */
const renderBlocks = (blocks: readonly Block[]): string =>
  blocks
    .flatMap((block) => {
      if (block.type === "text") return [block.text];
      if (block.type === "reference") return [renderReference(block)];
      return block.type === "context" ? [renderContext(block)] : [];
    })
    .join("\n\n");

/** The text cannot end its element: parts of it come from files of the project and from other programs. */
const renderContext = ({ topic, text }: ContextBlock): string =>
  `<context about="${topic}">\n${text.replaceAll(/<(?=\/context\s*>)/gi, "&lt;")}\n</context>`;

/** Context blocks of a part, newest last. */
const contextBlocksIn = weakMemo((part: ContextChunk): readonly ContextBlock[] =>
  part
    .flatMap((entry) => [...entry.blocks, ...entry.calls.flatMap((call) => call.output ?? [])])
    .flatMap((block) => (block.type === "context" ? [block] : [])),
);

/** Whole files among the references of a part, newest last. */
const wholeFilesIn = weakMemo((part: ContextChunk): readonly ReferenceBlock[] =>
  part.flatMap((entry) => wholeFiles(entry.blocks)),
);

export const wholeFiles = (blocks: MessageEntry["blocks"]): readonly ReferenceBlock[] =>
  referenceBlocks(blocks).filter(({ kind, lines }) => kind === "file" && lines === undefined);

/** The newest whole content of a file that was added to a message and that the context still contains; null = none. */
export function lastFileText(view: SessionView, path: string): string | null {
  const retained = retainedContext(view);
  for (const part of contextChunks(view, retained).toReversed()) {
    const block = wholeFilesIn(part).findLast(({ label }) => label === path);
    if (block !== undefined) return block.text;
  }
  return wholeFiles(retained.head).findLast(({ label }) => label === path)?.text ?? null;
}

/** Whether a compaction has taken a message out of the context, or may have cut its results. */
export function isCompactedAway(view: SessionView): (entry: MessageEntry) => boolean {
  const retained = retainedContext(view);
  if (retained === wholeContext) return () => false;
  const inContext = new Set(contextChunks(view, retained).flat());
  return (entry) => !inContext.has(entry) || entry.seq < (retained.cut?.before ?? 0);
}

/** The texts of a topic that the compiled context contains, oldest first. */
export const contextTexts = (view: SessionView, topic: ContextBlock["topic"]): readonly string[] => {
  const retained = retainedContext(view);
  const inChunks = contextChunks(view, retained).flatMap(contextBlocksIn);
  const inHead = retained.head.flatMap((block) => (block.type === "context" ? [block] : []));
  return [...inHead, ...inChunks].flatMap((block) => (block.topic === topic ? [block.text] : []));
};

/** The newest text about a topic that the context still contains: in its messages, else in its head. */
export function lastContextText(view: SessionView, topic: ContextBlock["topic"]): string | null {
  const retained = retainedContext(view);
  for (const part of contextChunks(view, retained).toReversed()) {
    const block = contextBlocksIn(part).findLast((block) => block.topic === topic);
    if (block !== undefined) return block.text;
  }
  const inHead = retained.head.findLast((block) => block.type === "context" && block.topic === topic);
  return inHead?.type === "context" ? inHead.text : null;
}
