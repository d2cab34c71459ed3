/** The blocks of an answer while it streams: deltas with their offsets. */
import type { MessageId } from "@/lib/events/id";
import { findOfferedTool } from "@/server/tools/arguments/foreign-names";
import type { Catalogue } from "@/server/tools/toolbox/catalogue";
import type { AgentHost } from "../host";
import { callableTools } from "../tools/resolve-call";

type LiveBlockKind = "text" | "thinking" | "input";

/** A piece of the answer as displayed. */
export interface DisplayedPiece {
  readonly kind: LiveBlockKind;
  readonly text: string;
}

export interface LiveBlock {
  readonly index: number;
  readonly kind: LiveBlockKind;
  /** Derived from text by the call reader. */
  readonly read: boolean;
  /** UTF-16 units so far */
  readonly length: number;
  /** A call whose tool name was sent. */
  readonly named: boolean;
  /** ms epoch */
  readonly startedAt: number;
  /** ms epoch; absent while it is the last block */
  readonly endedAt?: number;
}

export interface LiveBlocks {
  readonly all: readonly LiveBlock[];
  /** Thinking was shown. */
  readonly thinks: boolean;
  /** Text or a call was shown. */
  readonly answers: boolean;
  open(kind: LiveBlockKind, read: boolean): LiveBlock;
  append(block: LiveBlock, text: string, name?: string): DisplayedPiece;
}

/** Returns a function for the name of the tool that a call means. What it found holds until the catalogue changes. */
function makeNameFinder(host: Pick<AgentHost, "tools" | "catalogue">): (name: string) => string {
  let catalogue: Catalogue | null = null;
  let names: readonly string[] = [];
  const found = new Map<string, string>();
  return (name) => {
    const current = host.catalogue();
    if (current !== catalogue) {
      catalogue = current;
      names = callableTools(host).map((tool) => tool.name);
      found.clear();
    }
    const tool = found.get(name) ?? findOfferedTool(name, names) ?? name;
    found.set(name, tool);
    return tool;
  };
}

export function makeLiveBlocks(
  host: Pick<AgentHost, "live" | "now" | "tools" | "catalogue">,
  messageId: MessageId,
): LiveBlocks {
  const nameOffered = makeNameFinder(host);
  const all: { -readonly [K in keyof LiveBlock]: LiveBlock[K] }[] = [];
  let thinks = false;
  let answers = false;
  return {
    all,
    get thinks() {
      return thinks;
    },
    get answers() {
      return answers;
    },
    open(kind, read) {
      const now = host.now();
      const last = all.at(-1);
      if (last !== undefined) last.endedAt ??= now;
      const block = { index: all.length, kind, read, length: 0, named: false, startedAt: now };
      all.push(block);
      return block;
    },
    append({ index, kind, length: offset }, text, name) {
      const block = all[index];
      if (block !== undefined) block.length += text.length;
      if (block !== undefined && name !== undefined) block.named = true;
      if (kind === "thinking") thinks = true;
      else answers ||= kind === "input" || text.trim() !== "";
      const delta = { type: "message_delta", messageId, block: index, kind, offset, text } as const;
      host.live(name === undefined ? delta : { ...delta, name: nameOffered(name) });
      return { kind, text };
    },
  };
}
