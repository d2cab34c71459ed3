/**
 * Compiles the model's messages from the path of the view. The bytes of an entry depend on that entry alone, so a
 * request starts with the whole previous request (the prefix law), except after a compaction, its edit or a rewind.
 */
import { at, indexOfSeq, partsOf } from "@/lib/chunks";
import { type Block, imagesOf } from "@/lib/content";
import type { BlobId } from "@/lib/id";
import { limits } from "@/lib/settings";
import { headInForce } from "@/lib/snapshot";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { type CallView, type Entry, type MessageEntry, rangesOf, type SessionView } from "@/lib/view";
import type { ModelMessage } from "../../providers/provider";
import type { Limits } from "../../tools/tool";
import { fitText } from "../fit-result";
import { beside } from "./beside";

export interface CompileOptions {
  /** The stored system text. */
  readonly system: string;
  /** Returns the base64 of a stored image; null = deleted. */
  readonly image: (blob: BlobId) => string | null;
}

export function compile(view: SessionView, options: CompileOptions): readonly ModelMessage[] {
  const messages: ModelMessage[] = [{ role: "system", text: options.system }];
  const retained = keptOf(view);
  if (retained.head.length > 0) messages.push(headMessage(retained.head));
  for (const part of contextParts(view, retained)) messages.push(...compilePart(part, options, retained.cut));
  return messages;
}

/** A compaction's head as a message. */
export const headMessage = beside((head: readonly Block[]): ModelMessage => ({ role: "user", text: plain(head) }));

/** The text of the head in force; null = no compaction. */
export function contextHead(view: SessionView): string | null {
  const { head } = keptOf(view);
  return head.length === 0 ? null : headMessage(head).text;
}

/**
 * The ended messages still in the context, in order; the seq from which on they are complete; and the cut of their
 * results.
 */
export function contextEntries(view: SessionView): {
  readonly entries: readonly MessageEntry[];
  readonly from: number;
  readonly cut: Cut;
} {
  const retained = keptOf(view);
  return { entries: contextParts(view, retained).flat(), from: retained.from, cut: retained.cut };
}

/** Results of messages before seq `before` are cut to `tokens` each; null = not cut. */
export type Cut = { readonly before: number; readonly tokens: number } | null;

/**
 * The ended messages of one chunk of the log. A full chunk stays the same object, and so does everything derived from
 * it.
 */
type Part = readonly MessageEntry[];

const isTold = (entry: Entry): entry is MessageEntry =>
  entry.kind === "message" && entry.stop !== undefined && entry.replaced !== true;

const endedIn = beside((chunk: readonly Entry[]): Part => chunk.flatMap((entry) => (isTold(entry) ? [entry] : [])));
const nothing: Part = [];

/** Result of the compaction in force: its head, the start of the contiguous messages, and older retained ones. */
interface Kept {
  readonly head: readonly Block[];
  readonly from: number;
  readonly also: readonly number[];
  readonly cut: Cut;
}

const everything: Kept = { head: [], from: 0, also: [], cut: null };

/** Memoized headInForce: a long log without a compaction is searched to its start. */
export const headOf = beside(headInForce);

const keptOf = beside((view: SessionView): Kept => {
  const inForce = headOf(view);
  if (inForce === null) return everything;
  const compaction = inForce.kind === "compaction" ? inForce : at(view.entries, indexOfSeq(view.entries, inForce.of));
  if (compaction?.kind !== "compaction") return { ...everything, head: inForce.head ?? [] };
  const { seq: before, resultTokens: tokens } = compaction;
  return {
    head: inForce.head ?? [],
    from: compaction.keepFromSeq ?? 0,
    also: compaction.keepAlso ?? [],
    cut: tokens === undefined ? null : { before, tokens },
  };
});

/** The messages still in the context, in order. In a long session only new chunks are computed. */
function contextParts(view: SessionView, { from, also }: Kept): readonly Part[] {
  const ranges = rangesOf(view.segments, view.newest);
  const onPath = (first: number, last: number): boolean => ranges.some(([start, end]) => first >= start && last <= end);
  return partsOf(view.entries).map((chunk) => {
    const first = chunk[0]?.seq ?? 0;
    const last = chunk.at(-1)?.seq ?? 0;
    if (last < from && !also.some((seq) => seq >= first && seq <= last)) return nothing;
    const part = endedIn(chunk);
    if (first >= from && onPath(first, last)) return part;
    return part.filter(({ seq }) => (seq >= from || also.includes(seq)) && onPath(seq, seq));
  });
}

const noImages: Pick<CompileOptions, "image"> = { image: () => null };
const showsImages = beside((entry: MessageEntry): boolean =>
  [entry.blocks, ...entry.calls.map((call) => call.output ?? [])].some((blocks) => imagesOf(blocks).length > 0),
);
const partShowsImages = beside((part: Part): boolean => part.some(showsImages));
const messagesOf = beside((entry: MessageEntry) => compileMessage(entry, noImages, null));
const messagesOfPart = beside((part: Part) => part.flatMap(messagesOf));

/** Messages with images are compiled again each time: images are large, and their blobs may be deleted. */
function compilePart(part: Part, options: CompileOptions, cut: Cut): readonly ModelMessage[] {
  const isCut = cut !== null && (part[0]?.seq ?? cut.before) < cut.before;
  if (!isCut && !partShowsImages(part)) return messagesOfPart(part);
  return part.flatMap((entry) => entryMessages(entry, options, cut));
}

/** Renders one message with its results. Returns the same objects as long as nothing in it changes. */
export function entryMessages(
  entry: MessageEntry,
  options: Pick<CompileOptions, "image">,
  cut: Cut,
): readonly ModelMessage[] {
  if (cut !== null && entry.seq < cut.before && entry.calls.length > 0) return cutMessages(entry, options, cut.tokens);
  return showsImages(entry) ? compileMessage(entry, options, null) : messagesOf(entry);
}

const cutBefore = new WeakMap<MessageEntry, { readonly tokens: number; readonly messages: readonly ModelMessage[] }>();

function cutMessages(
  entry: MessageEntry,
  options: Pick<CompileOptions, "image">,
  tokens: number,
): readonly ModelMessage[] {
  const cached = cutBefore.get(entry);
  if (cached?.tokens === tokens) return cached.messages;
  const messages = compileMessage(entry, options, tokens);
  if (!showsImages(entry)) cutBefore.set(entry, { tokens, messages });
  return messages;
}

const compileMessage = (
  entry: MessageEntry,
  options: Pick<CompileOptions, "image">,
  maxTokens: number | null,
): readonly ModelMessage[] =>
  entry.role === "user" ? compileUser(entry, options) : compileAnswer(entry, options, maxTokens);

function compileUser(entry: MessageEntry, options: Pick<CompileOptions, "image">): readonly ModelMessage[] {
  const text = plain(entry.blocks.flatMap((block) => (block.type === "input" ? [] : [block])));
  const images = imagesIn(entry.blocks, options);
  return [{ role: "user", text, ...(images.length === 0 ? {} : { images }) }];
}

const imagesIn = (blocks: MessageEntry["blocks"], { image }: Pick<CompileOptions, "image">): readonly string[] =>
  imagesOf(blocks)
    .map(({ blob }) => image(blob))
    .filter((bytes) => bytes !== null);

function compileAnswer(
  entry: MessageEntry,
  options: Pick<CompileOptions, "image">,
  maxTokens: number | null,
): readonly ModelMessage[] {
  const text = joined(entry, "text");
  if (entry.calls.length === 0) return text.trim() === "" ? [] : [{ role: "assistant", text }];
  const thinking = joined(entry, "thinking");
  const calls = entry.blocks.flatMap((block) =>
    block.type === "call"
      ? [
          {
            callId: block.callId,
            name: block.name,
            input: block.input,
            ...(block.raw === undefined ? {} : { raw: block.raw }),
          },
        ]
      : [],
  );
  return [
    { role: "assistant", text, ...(thinking === "" ? {} : { thinking }), calls },
    ...entry.calls.map((call) => compileResult(call, options, maxTokens)),
  ];
}

function compileResult(call: CallView, options: Pick<CompileOptions, "image">, maxTokens: number | null): ModelMessage {
  const output = call.output ?? [];
  const text = maxTokens === null ? plain(output) : fitText(plain(output), cutLimits, maxTokens).text;
  const left = maxTokens === null ? Number.POSITIVE_INFINITY : maxTokens - estimateTokens(text);
  const images = imagesIn(output, options).slice(0, Math.floor(left / limits.imageTokens));
  return {
    role: "tool",
    callId: call.callId,
    name: call.name,
    text,
    ...(images.length === 0 ? {} : { images }),
  };
}

/** Both ends of an older result are worth more than its middle. */
const cutLimits: Limits = { bytes: limits.readBytes, keep: "both" };

const joined = (entry: MessageEntry, type: "text" | "thinking"): string =>
  entry.blocks.flatMap((block) => (block.type === type ? [block.text] : [])).join("\n");

/** Context blocks are embedded in the text, each in its own element. */
const plain = (blocks: readonly Block[]): string =>
  blocks
    .flatMap((block) => {
      if (block.type === "text") return [block.text];
      return block.type === "context" ? [`<context about="${block.topic}">\n${block.text}\n</context>`] : [];
    })
    .join("\n\n");

type ContextBlock = Extract<Block, { type: "context" }>;

/** Context blocks of a part, newest last. */
const toldIn = beside((part: Part): readonly ContextBlock[] =>
  part
    .flatMap((entry) => [...entry.blocks, ...entry.calls.flatMap((call) => call.output ?? [])])
    .flatMap((block) => (block.type === "context" ? [block] : [])),
);

/** The newest text about a topic that the context still contains: in its messages, else in its head. */
export function toldAbout(view: SessionView, topic: ContextBlock["topic"]): string | null {
  const retained = keptOf(view);
  for (const part of contextParts(view, retained).toReversed()) {
    const block = toldIn(part).findLast((block) => block.topic === topic);
    if (block !== undefined) return block.text;
  }
  const inHead = retained.head.findLast((block) => block.type === "context" && block.topic === topic);
  return inHead?.type === "context" ? inHead.text : null;
}
