/**
 * The answer that is being written: parts in, deltas out, the full value at its end. Text goes through the tolerant reader, so
 * what the screen was shown is a preview and the full value the truth. Used by answer.
 */
import type { Block } from "@/lib/content";
import type { MessageId } from "@/lib/id";
import type { ModelPart } from "../providers/provider";
import { isFamiliarName, knownCall, type NamedCall } from "../tools/aliases";
import { type CallReader, makeCallReader, type PlacedBlock } from "./fallback/call-reader";
import { trimTokensBefore } from "./fallback/stop-tokens";
import { readNativeInput } from "./fallback/native-input";
import type { AgentHost } from "./host";
import { type LiveBlock, type LiveBlocks, makeLiveBlocks, type Shown } from "./live-blocks";
import { makePhases, type PhaseFacts, type Phases } from "./phases";

type OpenPart = Exclude<ModelPart, { type: "finish" | "failed" }>;
type Words = Extract<ModelPart, { type: "text" | "thinking" }>;

export interface OpenMessage {
  /** What of it can be shown now; the reader may hold some back. */
  take(part: OpenPart): readonly Shown[];
  /** The model has begun to invent what only a tool can say: the stream is to be ended, the answer is whole. */
  readonly finished: boolean;
  readonly live: Pick<LiveBlocks, "thinks" | "answers">;
  /** The full value. `whole` = the stream ended well; otherwise calls are dropped. */
  blocks(whole: boolean): readonly Block[];
  /** Nothing more comes. */
  close(): void;
}

/** The parts of the full value in the order in which they came. */
type Section =
  | { readonly type: "thinking"; readonly live: LiveBlock; text: string }
  /** A run of the server's text; `from` = where it begins in what the reader was given. */
  | { readonly type: "read"; readonly from: number }
  /** Complete once `call` came. */
  | { readonly type: "call"; readonly live: LiveBlock; call?: NamedCall };
type CallSection = Extract<Section, { type: "call" }>;
/** What an open message needs of its host. */
export type MessageHost = Pick<AgentHost, "view" | "tools" | "live" | "now" | "ids">;

interface Writing {
  readonly host: MessageHost;
  readonly reader: CallReader;
  readonly phases: Phases;
  readonly live: LiveBlocks;
  readonly sections: Section[];
  readonly react: boolean;
  /** UTF-16 units that the reader was given. */
  length: number;
  /** The first characters of the text, UTF-16 units up to `openingChars`. */
  opening: string;
}

const openingChars = 64;

/** The call under our tool's name when the model used one that it knows from elsewhere; as it was written otherwise. */
function ownCall(host: MessageHost, call: NamedCall): NamedCall {
  if (host.tools().some((tool) => tool.name === call.name)) return { name: call.name, input: call.input };
  const known = knownCall(call.name, call.input);
  const isOffered = known !== null && host.tools().some((tool) => tool.name === known.name);
  return isOffered ? known : { name: call.name, input: call.input };
}

/** `hasTools`: the request offers tools natively. */
export function makeOpenMessage(host: MessageHost, messageId: MessageId, hasTools: boolean): OpenMessage {
  const mode = host.view().model?.toolMode ?? "native";
  const writing: Writing = {
    host,
    reader: makeCallReader({ tools: host.tools(), mode, familiar: isFamiliarName }),
    phases: makePhases(host, { silentCalls: hasTools }),
    live: makeLiveBlocks(host, messageId),
    sections: [],
    react: mode === "react",
    length: 0,
    opening: "",
  };
  const { takeText, endRun } = textTaker(writing);
  const { takeInput, takeCall } = callTakers(writing, endRun);
  return {
    take(part) {
      if (part.type === "phase") writing.phases.set(part.phase, phaseFacts(part));
      if (part.type === "phase") return [];
      if (part.type === "input") return takeInput(part);
      if (part.type === "call") return takeCall(part);
      if (part.text === "") return [];
      return part.type === "thinking" ? [...endRun(), ...takeThinking(writing, part)] : takeText(part);
    },
    get finished() {
      // A call that the server still streams is complete only at the stream's end.
      const isOpen = writing.sections.some((section) => section.type === "call" && section.call === undefined);
      return writing.reader.finished && !isOpen;
    },
    live: writing.live,
    blocks: (whole) => fullValue(writing, whole),
    close: writing.phases.end,
  };
}

const phaseFacts = ({ tokens, ahead, expectMs }: Extract<OpenPart, { type: "phase" }>): PhaseFacts => ({
  ...(tokens === undefined ? {} : { tokens }),
  ...(ahead === undefined ? {} : { ahead }),
  ...(expectMs === undefined ? {} : { expectMs }),
});

function takeThinking({ phases, live, sections }: Writing, { text, pieces }: Words): readonly Shown[] {
  phases.count("thinking", "", pieces);
  const last = sections.at(-1);
  if (last?.type === "thinking" && last.live === live.all.at(-1)) {
    last.text += text;
    return [live.append(last.live, text)];
  }
  const section: Section = { type: "thinking", live: live.open("thinking", false), text };
  sections.push(section);
  return [live.append(section.live, text)];
}

const phaseOf = { text: "writing", thinking: "thinking", input: "calling" } as const;

/** The text without the line breaks that end it; spaces at its end alone stay. */
function withoutBreaks(text: string): string {
  const trimmed = text.trimEnd();
  return /[\r\n]/.test(text.slice(trimmed.length)) ? trimmed : text;
}

/** Stands between two runs of text that the server parted by thinking or a call of its own. */
const runBorder = "\n\n";

function textTaker(writing: Writing): {
  readonly takeText: (part: Words) => readonly Shown[];
  /** Something other than text follows: what the reader still holds of this run belongs before it. */
  readonly endRun: () => readonly Shown[];
} {
  const { reader, phases, live, sections } = writing;
  /** What the reader gave last: what it holds back now may be more of it. */
  let reading: "writing" | "thinking" | "calling" = "writing";
  let name: string | undefined;
  /** Line breaks at the end of the text, shown when more text follows; before a call they belong to nobody. */
  let space = "";
  const push = (text: string): readonly Shown[] => {
    writing.length += text.length;
    return reader.push(text).flatMap((piece): readonly Shown[] => {
      // Not shown, but the guards see it.
      if (piece.kind === "held") return [{ kind: "text", text: piece.text }];
      const known = piece.kind === "input" ? piece.name : undefined;
      const last = live.all.at(-1);
      const goesOn = last?.read === true && last.kind === piece.kind && !(known !== undefined && last.named);
      reading = phaseOf[piece.kind];
      name = known ?? name;
      const words = piece.kind === "text" ? (goesOn ? space : "") + piece.text : piece.text;
      const shown = piece.kind === "text" ? withoutBreaks(words) : words;
      space = piece.kind === "text" ? words.slice(shown.length) : "";
      return shown === "" ? [] : [live.append(goesOn ? last : live.open(piece.kind, true), shown, known)];
    });
  };
  return {
    takeText({ text, pieces }) {
      if (sections.at(-1)?.type !== "read") sections.push({ type: "read", from: writing.length });
      if (writing.opening.length < openingChars) writing.opening += text.slice(0, openingChars);
      name = undefined;
      const shown = push(text);
      phases.count(reading, name, pieces);
      return shown;
    },
    endRun: () => (sections.at(-1)?.type === "read" && writing.opening.trim() !== "" ? push(runBorder) : []),
  };
}

function callTakers({ host, phases, live, sections }: Writing, endRun: () => readonly Shown[]) {
  /** By the number the server gives a call that it streams. */
  const inputs = new Map<number, CallSection>();
  const openCall = (): { readonly section: CallSection; readonly shown: readonly Shown[] } => {
    const shown = endRun();
    const section: CallSection = { type: "call", live: live.open("input", false) };
    sections.push(section);
    return { section, shown };
  };
  return {
    takeInput(part: Extract<OpenPart, { type: "input" }>): readonly Shown[] {
      phases.count("calling", part.name);
      const known = inputs.get(part.index);
      const { section, shown } = known === undefined ? openCall() : { section: known, shown: [] };
      inputs.set(part.index, section);
      return [...shown, live.append(section.live, part.text, part.name)];
    },
    takeCall({ name, input }: Extract<OpenPart, { type: "call" }>): readonly Shown[] {
      phases.count("calling", name);
      const streamed = [...inputs.values()].find((one) => one.call === undefined);
      const { section, shown } = streamed === undefined ? openCall() : { section: streamed, shown: [] };
      section.call = ownCall(host, { name, input: readNativeInput(input) });
      return section.live.length > 0 ? shown : [...shown, live.append(section.live, JSON.stringify(input), name)];
    },
  };
}

function fullValue(writing: Writing, whole: boolean): readonly Block[] {
  const { sections, host } = writing;
  const native = sections.flatMap((section) =>
    section.type === "call" && section.call !== undefined ? [section.call] : [],
  );
  const runs = runBlocks(writing, native, whole);
  return sections.flatMap((section): readonly Block[] => {
    if (section.type === "read") return runs.get(section.from) ?? [];
    if (section.type === "call")
      return whole && section.call !== undefined ? [{ type: "call", callId: host.ids.call(), ...section.call }] : [];
    return section.text.trim() === "" ? [] : [thinkingBlock(section.text, section.live, host.now())];
  });
}

const thinkingBlock = (text: string, { startedAt, endedAt }: LiveBlock, now: number): Block => ({
  type: "thinking",
  text,
  tookMs: Math.max(0, (endedAt ?? now) - startedAt),
});

/**
 * What the reader found in each run of text, by where the run begins; a call that was also made natively is an echo and counts
 * once.
 */
function runBlocks(
  writing: Writing,
  native: readonly NamedCall[],
  whole: boolean,
): ReadonlyMap<number, readonly Block[]> {
  const { reader, live, host, sections } = writing;
  const thoughts = live.all.filter((block) => block.read && block.kind === "thinking");
  const starts = sections.flatMap((section) => (section.type === "read" ? [section.from] : []));
  const borders = sections.at(-1)?.type === "read" ? starts : [...starts, writing.length];
  const found = reader.placed(whole).flatMap((placed) => splitAtRuns(placed, borders));
  const isAnswer = whole && writing.react && isThoughtAlone(found, writing.opening);
  const runs = new Map(starts.map((start): [number, Block[]] => [start, []]));
  let first = true;
  for (const { at, block: read } of found) {
    const run = runs.get(starts.findLast((start) => start <= at) ?? 0);
    if (run === undefined) continue;
    if (read.type === "call") {
      const own = ownCall(host, read);
      if (whole && !native.some((one) => isSame(one, own))) run.push({ ...read, ...own, callId: host.ids.call() });
      continue;
    }
    const type = isAnswer ? "text" : read.type;
    const text = first && type === "text" ? trimTokensBefore(read.text) : read.text;
    if (text.trim() === "") continue;
    first = false;
    const shown = type === "thinking" ? thoughts.shift() : undefined;
    run.push(shown === undefined ? { type, text } : thinkingBlock(text, shown, host.now()));
  }
  return runs;
}

/** A text that goes over the borders of runs stands in each of them; white space at a border belongs to nobody. */
function splitAtRuns(placed: PlacedBlock, runs: readonly number[]): readonly PlacedBlock[] {
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

/** An answer in lines that is nothing but its Thought was meant for the user; thinking between marks of its own was not. */
const isThoughtAlone = (found: readonly PlacedBlock[], opening: string): boolean =>
  found.every(({ block }) => block.type === "thinking") && !/^\s*[<[◁]/.test(opening);

const isSame = (one: NamedCall, other: NamedCall): boolean =>
  one.name === other.name && JSON.stringify(one.input) === JSON.stringify(other.input);
