/**
 * An answer in progress: takes parts, emits deltas, and builds the complete value at its end. Text passes through the
 * tolerant reader, so the display is a preview and the complete value is authoritative.
 */
import type { Block, ReasoningField, UnrunCall } from "@/lib/events/content";
import type { MessageId } from "@/lib/events/id";
import type { LateSplit } from "@/lib/models/models";
import type { ModelPart } from "@/server/providers/provider";
import { mapForeignCall, type BuiltinCall } from "@/server/tools/arguments/foreign-calls";
import { findOfferedTool, isForeignToolName } from "@/server/tools/arguments/foreign-names";
import { type CallReader, makeCallReader, type PlacedBlock } from "../reader/call-reader";
import { trimLeadingTokens } from "../reader/stop-tokens";
import { startsInThinking } from "../reader/grammars/thinking";
import { readNativeInput } from "@/server/tools/written-json/read-written-input";
import type { ReadOptions } from "../reader/read-answer";
import { isClosedAnswer, readUnparsedEnd } from "../reader/unparsed-answer";
import { callableTools } from "../tools/resolve-call";
import type { AgentHost } from "../host";
import { type LiveBlock, type LiveBlocks, makeLiveBlocks, type DisplayedPiece } from "./live-blocks";
import type { OpenPart } from "./late-closer";
import { makePhases, type PhaseFacts, type Phases } from "./phases";

type TextPart = Extract<ModelPart, { type: "text" | "thinking" }>;
type ThinkingPart = Extract<ModelPart, { type: "thinking" }>;

export interface OpenMessage {
  /** Returns the pieces that can be shown now; the reader may hold some back. */
  take(part: OpenPart): readonly DisplayedPiece[];
  /**
   * Adds the end of an answer that its server could not read, if that makes a call certain, and returns whether it does: then the
   * answer is complete.
   */
  recover(unparsed: string): boolean;
  /** The model has started to invent tool results, so the stream should be ended, or the end was recovered. */
  readonly finished: boolean;
  readonly live: Pick<LiveBlocks, "thinks" | "answers">;
  /** Builds the complete value. `whole` = the stream ended well; otherwise calls are dropped. */
  blocks(whole: boolean): readonly Block[];
  /** The calls in the text of a whole answer without calls that were not run. */
  unrun(): readonly UnrunCall[];
  /** Returns which part of a whole answer's thinking arrived as text; null = none. */
  lateSplit(): LateSplit | null;
  /** Stops the timers. */
  close(): void;
}

/** The parts of the complete value in order of arrival. */
type MessageSection =
  | { readonly type: "thinking"; readonly live: LiveBlock; readonly field: ReasoningField | undefined; text: string }
  /** A run of the server's text; `from` = its offset in the reader's input. */
  | { readonly type: "read"; readonly from: number }
  /** Complete when `call` is set; `id` = that of the server. */
  | { readonly type: "call"; readonly live: LiveBlock; call?: BuiltinCall; id?: string };
type CallSection = Extract<MessageSection, { type: "call" }>;
/** The subset of the host that an open message requires. */
type MessageHost = Pick<AgentHost, "view" | "tools" | "catalogue" | "live" | "now" | "ids">;

interface MessageState {
  readonly host: MessageHost;
  readonly reader: CallReader;
  readonly phases: Phases;
  readonly live: LiveBlocks;
  readonly sections: MessageSection[];
  readonly options: ReadOptions;
  /** Text that was passed to the reader. */
  text: string;
  /** The end of the text is from the error of a server; `whole` = nothing of it is missing. */
  recovered?: { readonly whole: boolean };
  /** Its times are not those of the model. */
  readonly isReadAgain: boolean;
}

const openingChars = 64;
const openingOf = ({ text }: MessageState): string => text.slice(0, openingChars);

/** Maps a call whose name is an alias or another spelling to the offered tool; returns other calls unchanged. */
function mapAlias(host: MessageHost, { name, input }: BuiltinCall): BuiltinCall {
  const offered = callableTools(host).map((tool) => tool.name);
  if (offered.includes(name)) return { name, input };
  const mapped = mapForeignCall(name, input);
  if (mapped !== null && offered.includes(mapped.name)) return mapped;
  // A foreign call that cannot be converted keeps its name: only the spelling of a name may differ here.
  const spelled = isForeignToolName(name) ? undefined : findOfferedTool(name, offered);
  return { name: spelled ?? name, input };
}

/** `hasTools`: the request offers tools natively. `isReadAgain`: an earlier process has read its start. */
export function makeOpenMessage(
  host: MessageHost,
  messageId: MessageId,
  hasTools: boolean,
  isReadAgain = false,
): OpenMessage {
  const mode = host.view().model?.toolMode ?? "native";
  const options = { tools: callableTools(host), mode };
  const writing: MessageState = {
    host,
    reader: makeCallReader(options),
    phases: makePhases(host, { callsArriveWhole: hasTools }),
    live: makeLiveBlocks(host, messageId),
    sections: [],
    options,
    text: "",
    isReadAgain,
  };
  const { takeText, endRun } = makeTextReceiver(writing);
  const { takeInput, takeCall } = makeCallReceivers(writing, endRun);
  return {
    take(part) {
      if (part.type === "phase") writing.phases.set(part.phase, phaseFacts(part));
      if (part.type === "phase") return [];
      if (part.type === "input") return takeInput(part);
      if (part.type === "call") return takeCall(part);
      if (part.text === "") return [];
      return part.type === "thinking" ? [...endRun(), ...receiveThinking(writing, part)] : takeText(part);
    },
    recover(unparsed) {
      const thinking = writing.sections.flatMap((section) => (section.type === "thinking" ? [section.text] : []));
      const received = { thinking: thinking.join(""), text: writing.text };
      const rest = readUnparsedEnd(unparsed, received, options);
      if (rest === null) return false;
      writing.recovered = { whole: isClosedAnswer(unparsed) };
      takeText({ type: "text", text: rest });
      return true;
    },
    get finished() {
      if (writing.recovered !== undefined) return true;
      // A call that the server still streams is complete only at the end of the stream.
      const isOpen = writing.sections.some((section) => section.type === "call" && section.call === undefined);
      return writing.reader.finished && !isOpen;
    },
    live: writing.live,
    blocks: (whole) => toFinalBlocks(writing, whole),
    unrun: writing.reader.unrun,
    lateSplit() {
      const [first] = writing.reader.placed(true);
      if (first?.block.type !== "thinking" || !startsInThinking(writing.text, first.block.text)) return null;
      return writing.sections.some((section) => section.type === "thinking") ? "rest" : "all";
    },
    close: writing.phases.end,
  };
}

const phaseFacts = ({ tokens, read, ahead, position, expectMs }: Extract<OpenPart, { type: "phase" }>): PhaseFacts => ({
  tokens,
  ...(read === undefined ? {} : { read }),
  ahead,
  position,
  expectMs,
});

function receiveThinking(
  { phases, live, sections }: MessageState,
  { text, pieces, field }: ThinkingPart,
): readonly DisplayedPiece[] {
  phases.count("thinking", "", pieces);
  const last = sections.at(-1);
  if (last?.type === "thinking" && last.field === field && last.live === live.all.at(-1)) {
    last.text += text;
    return [live.append(last.live, text)];
  }
  const section: MessageSection = { type: "thinking", live: live.open("thinking", false), field, text };
  sections.push(section);
  return [live.append(section.live, text)];
}

const phaseByKind = { text: "writing", thinking: "thinking", input: "calling" } as const;

/** Removes trailing white space if it contains a line break; trailing spaces alone stay. */
function trimTrailingBreaks(text: string): string {
  const trimmed = text.trimEnd();
  return /[\r\n]/.test(text.slice(trimmed.length)) ? trimmed : text;
}

/** Separates two runs of text between which the server sent thinking or a native call. */
const runSeparator = "\n\n";

function makeTextReceiver(writing: MessageState): {
  readonly takeText: (part: TextPart) => readonly DisplayedPiece[];
  /** Ends the current run before other content: what the reader still holds belongs to that run. */
  readonly endRun: () => readonly DisplayedPiece[];
} {
  const { reader, phases, live, sections } = writing;
  /** Kind of the reader's last output: held text may continue it. */
  let reading: "writing" | "thinking" | "calling" = "writing";
  let name: string | undefined;
  /** Line breaks at the end of the text, shown when more text follows and dropped before a call. */
  let space = "";
  const push = (text: string): readonly DisplayedPiece[] => {
    writing.text += text;
    return reader.push(text).flatMap((piece): readonly DisplayedPiece[] => {
      // Not shown, but the guards see it.
      if (piece.kind === "held") return [{ kind: "text", text: piece.text }];
      const callName = piece.kind === "input" ? piece.name : undefined;
      const last = live.all.at(-1);
      const continues = last?.read === true && last.kind === piece.kind && !(callName !== undefined && last.named);
      reading = phaseByKind[piece.kind];
      name = callName ?? name;
      const words = piece.kind === "text" ? (continues ? space : "") + piece.text : piece.text;
      const shown = piece.kind === "text" ? trimTrailingBreaks(words) : words;
      space = piece.kind === "text" ? words.slice(shown.length) : "";
      return shown === "" ? [] : [live.append(continues ? last : live.open(piece.kind, true), shown, callName)];
    });
  };
  return {
    takeText({ text, pieces }) {
      if (sections.at(-1)?.type !== "read") sections.push({ type: "read", from: writing.text.length });
      name = undefined;
      const shown = push(text);
      phases.count(reading, name, pieces);
      return shown;
    },
    endRun: () => (sections.at(-1)?.type === "read" && openingOf(writing).trim() !== "" ? push(runSeparator) : []),
  };
}

function makeCallReceivers({ host, phases, live, sections }: MessageState, endRun: () => readonly DisplayedPiece[]) {
  /** Keyed by the server's index of a streamed call. */
  const inputs = new Map<number, CallSection>();
  const openCall = (): { readonly section: CallSection; readonly shown: readonly DisplayedPiece[] } => {
    const shown = endRun();
    const section: CallSection = { type: "call", live: live.open("input", false) };
    sections.push(section);
    return { section, shown };
  };
  return {
    takeInput(part: Extract<OpenPart, { type: "input" }>): readonly DisplayedPiece[] {
      phases.count("calling", part.name);
      const openBuffer = inputs.get(part.index);
      const { section, shown } = openBuffer === undefined ? openCall() : { section: openBuffer, shown: [] };
      inputs.set(part.index, section);
      return [...shown, live.append(section.live, part.text, part.name)];
    },
    takeCall({ id, name, input }: Extract<OpenPart, { type: "call" }>): readonly DisplayedPiece[] {
      phases.count("calling", name);
      const streamed = [...inputs.values()].find((one) => one.call === undefined);
      const { section, shown } = streamed === undefined ? openCall() : { section: streamed, shown: [] };
      section.call = mapAlias(host, { name, input: readNativeInput(input) });
      section.id = id;
      return section.live.length > 0 ? shown : [...shown, live.append(section.live, JSON.stringify(input), name)];
    },
  };
}

function toFinalBlocks(writing: MessageState, whole: boolean): readonly Block[] {
  const { sections, host } = writing;
  const native = sections.flatMap((section) =>
    section.type === "call" && section.call !== undefined ? [section.call] : [],
  );
  const runs = groupBlocksByRun(writing, native, whole);
  const server = host.view().model?.provider ?? "";
  const blocks = sections.flatMap((section): readonly Block[] => {
    if (section.type === "read") return runs.get(section.from) ?? [];
    if (section.type === "call")
      return whole && section.call !== undefined
        ? [
            {
              type: "call",
              callId: host.ids.call(),
              ...section.call,
              ...(section.id && { from: { server, id: section.id } }),
            },
          ]
        : [];
    const { text, field } = section;
    const block = { ...toThinkingBlock(text, section.live, writing), ...(field && { from: { server, field } }) };
    return text.trim() === "" ? [] : [block];
  });
  // The rest of reasoning that its server sent as text goes back with it.
  return blocks.map((block, index) => {
    const before = blocks[index - 1];
    const isRest = block.type === "thinking" && block.from === undefined && before?.type === "thinking";
    return isRest && before.from !== undefined ? { ...block, from: before.from } : block;
  });
}

const toThinkingBlock = (
  text: string,
  { startedAt, endedAt }: LiveBlock,
  { host, isReadAgain }: MessageState,
): Extract<Block, { type: "thinking" }> => ({
  type: "thinking",
  text,
  ...(isReadAgain ? {} : { tookMs: Math.max(0, (endedAt ?? host.now()) - startedAt) }),
});

/** Groups the reader's blocks by text run. A call that was also made natively is an echo and counts once. */
function groupBlocksByRun(
  writing: MessageState,
  native: readonly BuiltinCall[],
  whole: boolean,
): ReadonlyMap<number, readonly Block[]> {
  const { reader, live, host, sections, recovered, options } = writing;
  const thoughts = live.all.filter((block) => block.read && block.kind === "thinking");
  const starts = sections.flatMap((section) => (section.type === "read" ? [section.from] : []));
  const borders = sections.at(-1)?.type === "read" ? starts : [...starts, writing.text.length];
  const found = reader.placed(recovered?.whole ?? whole).flatMap((placed) => splitAtRunBorders(placed, borders));
  const isAnswer = whole && options.mode === "react" && isThoughtOnly(found, openingOf(writing));
  const runs = new Map(starts.map((start): [number, Block[]] => [start, []]));
  let first = true;
  for (const { at, block: read } of found) {
    const run = runs.get(starts.findLast((start) => start <= at) ?? 0);
    if (run === undefined) continue;
    if (read.type === "call") {
      const own = mapAlias(host, read);
      const mark = recovered === undefined ? {} : { repaired: true as const };
      if (whole && !native.some((one) => isSameCall(one, own)))
        run.push({ ...read, ...own, ...mark, callId: host.ids.call() });
      continue;
    }
    const type = isAnswer ? "text" : read.type;
    const text = first && type === "text" ? trimLeadingTokens(read.text) : read.text;
    if (text.trim() === "") continue;
    first = false;
    const shown = type === "thinking" ? thoughts.shift() : undefined;
    run.push(shown === undefined ? { type, text } : toThinkingBlock(text, shown, writing));
  }
  return runs;
}

/** Splits a text that spans several runs at their borders and trims white space there. */
function splitAtRunBorders(placed: PlacedBlock, runs: readonly number[]): readonly PlacedBlock[] {
  const { at: from, block } = placed;
  if (block.type !== "text") return [placed];
  const end = from + block.text.length;
  const borders = runs.filter((start) => start > from && start <= end);
  if (borders.length === 0) return [placed];
  return [from, ...borders].flatMap((at, index): readonly PlacedBlock[] => {
    const text = block.text.slice(at - from, (borders[index] ?? end) - from);
    const trimmed = index === 0 ? text.trimEnd() : index === borders.length ? text.trimStart() : text.trim();
    return trimmed === "" ? [] : [{ at, block: { ...block, text: trimmed } }];
  });
}

/**
 * A ReAct answer that consists only of its Thought was meant for the user; thinking between explicit markers was not.
 */
const isThoughtOnly = (found: readonly PlacedBlock[], opening: string): boolean =>
  found.every(({ block }) => block.type === "thinking") && !/^\s*[<[◁]/.test(opening);

const isSameCall = (one: BuiltinCall, other: BuiltinCall): boolean =>
  one.name === other.name && JSON.stringify(one.input) === JSON.stringify(other.input);
