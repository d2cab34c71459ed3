/**
 * The model's messages, derived from the path of the view. The bytes of an entry depend on that entry alone, so a
 * request begins with the whole request before it (the prefix law), except after a compaction, its edit or a rewind.
 */
import { at, indexOfSeq, partsOf } from "@/lib/chunks";
import type { Block } from "@/lib/content";
import type { BlobId } from "@/lib/id";
import { headInForce } from "@/lib/snapshot";
import { type CallView, type Entry, type MessageEntry, rangesOf, type SessionView } from "@/lib/view";
import type { ModelMessage } from "../../providers/provider";
import { beside } from "./beside";

export interface CompileOptions {
  /** The stored system text. */
  readonly system: string;
  /** base64 of a stored image; null when it is gone. */
  readonly image: (blob: BlobId) => string | null;
}

export function compile(view: SessionView, options: CompileOptions): readonly ModelMessage[] {
  const messages: ModelMessage[] = [{ role: "system", text: options.system }];
  const head = headInForce(view);
  if (head?.head !== undefined) messages.push({ role: "user", text: plain(head.head) });
  for (const part of contextParts(view)) messages.push(...compilePart(part, options));
  return messages;
}

/** The ended messages of one chunk of the log. A full chunk stays the same object, and so does all that follows from it. */
type Part = readonly MessageEntry[];

const endedIn = beside(
  (chunk: readonly Entry[]): Part =>
    chunk.flatMap((entry) => (entry.kind === "message" && entry.stop !== undefined ? [entry] : [])),
);

/** What the context still contains, in order: a long session costs only what is new in it. */
function contextParts(view: SessionView): readonly Part[] {
  const head = headInForce(view);
  const from = head === null ? 0 : keptFrom(view, head);
  const ranges = rangesOf(view.segments, view.newest);
  const holds = (first: number, last: number): boolean =>
    first >= from && ranges.some(([start, end]) => first >= start && last <= end);
  return partsOf(view.entries).map((chunk) => {
    const part = endedIn(chunk);
    if (holds(chunk[0]?.seq ?? 0, chunk.at(-1)?.seq ?? 0)) return part;
    return part.filter((entry) => holds(entry.seq, entry.seq));
  });
}

function keptFrom(view: SessionView, head: NonNullable<ReturnType<typeof headInForce>>): number {
  if (head.kind === "compaction") return head.keepFromSeq ?? 0;
  const original = at(view.entries, indexOfSeq(view.entries, head.of));
  return original?.kind === "compaction" ? (original.keepFromSeq ?? 0) : 0;
}

const noImages: Pick<CompileOptions, "image"> = { image: () => null };
const showsImages = beside((entry: MessageEntry): boolean =>
  entry.calls.some((call) => call.output?.some((block) => block.type === "image") === true),
);
const partShowsImages = beside((part: Part): boolean => part.some(showsImages));
const messagesOf = beside((entry: MessageEntry) => compileMessage(entry, noImages));
const messagesOfPart = beside((part: Part) => part.flatMap(messagesOf));

/** Images are read anew each time: they are large, and their blobs may be gone. */
const compilePart = (part: Part, options: CompileOptions): readonly ModelMessage[] =>
  partShowsImages(part)
    ? part.flatMap((entry) => (showsImages(entry) ? compileMessage(entry, options) : messagesOf(entry)))
    : messagesOfPart(part);

const compileMessage = (entry: MessageEntry, options: Pick<CompileOptions, "image">): readonly ModelMessage[] =>
  entry.role === "user" ? compileUser(entry) : compileAnswer(entry, options);

const compileUser = (entry: MessageEntry): readonly ModelMessage[] => [
  { role: "user", text: plain(entry.blocks.flatMap((block) => (block.type === "input" ? [] : [block]))) },
];

function compileAnswer(entry: MessageEntry, options: Pick<CompileOptions, "image">): readonly ModelMessage[] {
  const text = joined(entry, "text");
  if (entry.calls.length === 0) return text === "" ? [] : [{ role: "assistant", text }];
  const thinking = joined(entry, "thinking");
  const calls = entry.blocks.flatMap((block) =>
    block.type === "call" ? [{ callId: block.callId, name: block.name, input: block.input }] : [],
  );
  return [
    { role: "assistant", text, ...(thinking === "" ? {} : { thinking }), calls },
    ...entry.calls.map((call) => compileResult(call, options)),
  ];
}

function compileResult(call: CallView, options: Pick<CompileOptions, "image">): ModelMessage {
  const output = call.output ?? [];
  const images = output
    .flatMap((block) => (block.type === "image" ? [options.image(block.blob)] : []))
    .filter((image) => image !== null);
  return {
    role: "tool",
    callId: call.callId,
    name: call.name,
    text: plain(output),
    ...(images.length === 0 ? {} : { images }),
  };
}

const joined = (entry: MessageEntry, type: "text" | "thinking"): string =>
  entry.blocks.flatMap((block) => (block.type === type ? [block.text] : [])).join("\n");

/** Context blocks stand in the text as they were stored, each in its own element. */
const plain = (blocks: readonly Block[]): string =>
  blocks
    .flatMap((block) => {
      if (block.type === "text") return [block.text];
      return block.type === "context" ? [`<context about="${block.topic}">\n${block.text}\n</context>`] : [];
    })
    .join("\n\n");

type ContextBlock = Extract<Block, { type: "context" }>;

/** Newest last. */
const toldIn = beside((part: Part): readonly ContextBlock[] =>
  part
    .flatMap((entry) => [...entry.blocks, ...entry.calls.flatMap((call) => call.output ?? [])])
    .flatMap((block) => (block.type === "context" ? [block] : [])),
);

/** The newest text told about a topic that the context still contains. */
export function toldAbout(view: SessionView, topic: ContextBlock["topic"]): string | null {
  for (const part of contextParts(view).toReversed()) {
    const told = toldIn(part).findLast((block) => block.topic === topic);
    if (told !== undefined) return told.text;
  }
  return null;
}
