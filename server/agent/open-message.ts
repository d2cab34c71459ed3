/**
 * The answer that is being written: parts in, deltas out, the full value at its end. Text goes through the tolerant reader, so
 * what the screen was shown is a preview and the full value the truth. Used by answer.
 */
import type { Block, Json } from "@/lib/content";
import type { MessageId } from "@/lib/id";
import type { ModelPart } from "../providers/provider";
import { isFamiliarName } from "../tools/registry";
import { type CallReader, makeCallReader, type ReadBlock } from "./fallback/call-reader";
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

/** The parts of the full value in their order; all that the reader found stands in one place, where the text began. */
type Section =
  | { readonly type: "thinking"; readonly live: LiveBlock; text: string }
  | { readonly type: "read" }
  /** Complete once `call` came. */
  | { readonly type: "call"; readonly live: LiveBlock; call?: NamedCall };
type CallSection = Extract<Section, { type: "call" }>;
type NamedCall = { readonly name: string; readonly input: Json };

interface Writing {
  readonly host: AgentHost;
  readonly reader: CallReader;
  readonly phases: Phases;
  readonly live: LiveBlocks;
  readonly sections: Section[];
  readonly react: boolean;
  /** The first characters of the text, UTF-16 units up to `openingChars`. */
  opening: string;
}

const openingChars = 64;

/** `hasTools`: the request offers tools natively. */
export function makeOpenMessage(host: AgentHost, messageId: MessageId, hasTools: boolean): OpenMessage {
  const mode = host.view().model?.toolMode ?? "native";
  const writing: Writing = {
    host,
    reader: makeCallReader({ tools: host.tools(), mode, familiar: isFamiliarName }),
    phases: makePhases(host, { silentCalls: hasTools }),
    live: makeLiveBlocks(host, messageId),
    sections: [],
    react: mode === "react",
    opening: "",
  };
  const takeText = textTaker(writing);
  const { takeInput, takeCall } = callTakers(writing);
  return {
    take(part) {
      if (part.type === "phase") writing.phases.set(part.phase, phaseFacts(part));
      if (part.type === "phase") return [];
      if (part.type === "input") return takeInput(part);
      if (part.type === "call") return takeCall(part);
      if (part.text === "") return [];
      return part.type === "thinking" ? takeThinking(writing, part) : takeText(part);
    },
    get finished() {
      return writing.reader.finished;
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

function textTaker(writing: Writing): (part: Words) => readonly Shown[] {
  const { reader, phases, live, sections } = writing;
  /** What the reader gave last: what it holds back now may be more of it. */
  let reading: "writing" | "thinking" | "calling" = "writing";
  const isReading = (): boolean => sections.some((section) => section.type === "read");
  return ({ text, pieces }) => {
    // Words behind a call or a thought of the server's own begin anew.
    const apart = isReading() && live.all.at(-1)?.read === false;
    if (!isReading()) sections.push({ type: "read" });
    if (writing.opening.length < openingChars) writing.opening += text.slice(0, openingChars);
    let name: string | undefined;
    const shown = reader.push(apart ? `\n\n${text}` : text).map((piece) => {
      const known = piece.kind === "input" ? piece.name : undefined;
      const last = live.all.at(-1);
      const goesOn = last?.read === true && last.kind === piece.kind && !(known !== undefined && last.named);
      reading = phaseOf[piece.kind];
      name = known ?? name;
      return live.append(goesOn ? last : live.open(piece.kind, true), piece.text, known);
    });
    phases.count(reading, name, pieces);
    return shown;
  };
}

function callTakers({ phases, live, sections }: Writing) {
  /** By the number the server gives a call that it streams. */
  const inputs = new Map<number, CallSection>();
  const openCall = (): CallSection => {
    const section: CallSection = { type: "call", live: live.open("input", false) };
    sections.push(section);
    return section;
  };
  return {
    takeInput(part: Extract<OpenPart, { type: "input" }>): readonly Shown[] {
      phases.count("calling", part.name);
      const section = inputs.get(part.index) ?? openCall();
      inputs.set(part.index, section);
      return [live.append(section.live, part.text, part.name)];
    },
    takeCall({ name, input }: Extract<OpenPart, { type: "call" }>): readonly Shown[] {
      phases.count("calling", name);
      const section = [...inputs.values()].find((streamed) => streamed.call === undefined) ?? openCall();
      section.call = { name, input };
      return section.live.length > 0 ? [] : [live.append(section.live, JSON.stringify(input), name)];
    },
  };
}

function fullValue(writing: Writing, whole: boolean): readonly Block[] {
  const { sections, host } = writing;
  const native = sections.flatMap((section) =>
    section.type === "call" && section.call !== undefined ? [section.call] : [],
  );
  return sections.flatMap((section): readonly Block[] => {
    if (section.type === "read") return readBlocks(writing, native, whole);
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

/** What the reader found in the text; a call that was also made natively is an echo and counts once. */
function readBlocks(writing: Writing, native: readonly NamedCall[], whole: boolean): readonly Block[] {
  const { reader, live, host } = writing;
  const thoughts = live.all.filter((block) => block.read && block.kind === "thinking");
  const found = reader.end(whole);
  const told = whole && writing.react && isThoughtAlone(found, writing.opening) ? found.map(asText) : found;
  return told.flatMap((block): readonly Block[] => {
    if (block.type === "call") {
      const dropped = !whole || native.some((call) => isSame(call, block));
      return dropped ? [] : [{ ...block, callId: host.ids.call() }];
    }
    if (block.text.trim() === "") return [];
    if (block.type === "text") return [{ type: "text", text: block.text }];
    const shown = thoughts.shift();
    return [
      shown === undefined ? { type: "thinking", text: block.text } : thinkingBlock(block.text, shown, host.now()),
    ];
  });
}

/** An answer in lines that is nothing but its Thought was meant for the user; thinking between marks of its own was not. */
const isThoughtAlone = (found: readonly ReadBlock[], opening: string): boolean =>
  found.every((block) => block.type === "thinking") && !/^\s*[<[◁]/.test(opening);

const asText = (block: ReadBlock): ReadBlock =>
  block.type === "thinking" ? { type: "text", text: block.text } : block;

const isSame = (one: NamedCall, other: NamedCall): boolean =>
  one.name === other.name && JSON.stringify(one.input) === JSON.stringify(other.input);
