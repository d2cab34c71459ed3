/** The answer that is being written: parts in, deltas out, the full value at its end. Used by answer. */
import type { Block, Json } from "@/lib/content";
import type { MessageId } from "@/lib/id";
import type { ModelPart } from "../providers/provider";
import type { AgentHost } from "./host";
import { makePhases, type PhaseFacts } from "./phases";

type OpenPart = Exclude<ModelPart, { type: "finish" | "failed" }>;

export interface OpenMessage {
  take(part: OpenPart): void;
  /** The full value. Calls are dropped when the message did not end well. */
  blocks(withCalls: boolean): readonly Block[];
}

interface OpenBlock {
  readonly index: number;
  readonly kind: "text" | "thinking" | "input";
  text: string;
  readonly startedAt: number;
  /** ms epoch; absent while it is the last one */
  endedAt?: number;
  /** Of a call: complete once `call` came. */
  call?: { readonly name: string; readonly input: Json };
}

export function makeOpenMessage(host: AgentHost, messageId: MessageId): OpenMessage {
  const blocks: OpenBlock[] = [];
  const phases = makePhases(host);
  /** By the number the server gives a call that it streams. */
  const inputs = new Map<number, OpenBlock>();

  const open = (kind: OpenBlock["kind"]): OpenBlock => {
    const now = host.now();
    const last = blocks.at(-1);
    if (last !== undefined) last.endedAt ??= now;
    const block: OpenBlock = { index: blocks.length, kind, text: "", startedAt: now };
    blocks.push(block);
    return block;
  };
  const append = (block: OpenBlock, text: string, name?: string): void => {
    const { index, kind } = block;
    const offset = block.text.length;
    block.text += text;
    const delta = { type: "message_delta", messageId, block: index, kind, offset, text } as const;
    host.live(name === undefined ? delta : { ...delta, name });
  };
  const takeText = (kind: "text" | "thinking", text: string): void => {
    if (text === "") return;
    phases.count(kind === "text" ? "writing" : "thinking");
    const last = blocks.at(-1);
    append(last?.kind === kind ? last : open(kind), text);
  };
  const takeInput = (part: Extract<OpenPart, { type: "input" }>): void => {
    phases.count("calling", part.name);
    const block = inputs.get(part.index) ?? open("input");
    inputs.set(part.index, block);
    append(block, part.text, part.name);
  };
  const takeCall = ({ name, input }: Extract<OpenPart, { type: "call" }>): void => {
    phases.count("calling", name);
    const block = [...inputs.values()].find((streamed) => streamed.call === undefined) ?? open("input");
    if (block.text === "") append(block, JSON.stringify(input), name);
    block.call = { name, input };
  };

  return {
    take(part) {
      if (part.type === "phase") phases.set(part.phase, phaseFacts(part));
      else if (part.type === "input") takeInput(part);
      else if (part.type === "call") takeCall(part);
      else takeText(part.type, part.text);
    },
    blocks: (withCalls) => blocks.flatMap((block) => stored(block, host, withCalls)),
  };
}

const phaseFacts = ({ tokens, ahead, expectMs }: Extract<OpenPart, { type: "phase" }>): PhaseFacts => ({
  ...(tokens === undefined ? {} : { tokens }),
  ...(ahead === undefined ? {} : { ahead }),
  ...(expectMs === undefined ? {} : { expectMs }),
});

function stored(block: OpenBlock, host: AgentHost, withCalls: boolean): readonly Block[] {
  const { kind, text, call } = block;
  if (kind === "input")
    return withCalls && call !== undefined ? [{ type: "call", callId: host.ids.call(), ...call }] : [];
  if (text.trim() === "") return [];
  if (kind === "text") return [{ type: "text", text }];
  return [{ type: "thinking", text, tookMs: Math.max(0, (block.endedAt ?? host.now()) - block.startedAt) }];
}
