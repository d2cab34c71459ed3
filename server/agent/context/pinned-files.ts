/** Decides which pinned files of a session are in its context: by last use, within a budget. Pure. */
import { posix } from "node:path";
import type { ReferenceBlock } from "@/lib/events/content";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { PinnedFileState } from "@/lib/protocol/answers";
import type { TokenScale } from "@/lib/text/estimate-tokens";
import { type MessageEntry, pathEntriesBackward, type SessionView } from "@/lib/view/view";
import { lastFileText } from "./compile";
import type { ContextBudget } from "./context-budget";
import { countReferenceTokens } from "./render-reference";

/** A pinned file as it was read last. `content` fails with the codes of reading. */
export interface PinnedFile {
  readonly path: string;
  readonly content: Result<ReferenceBlock>;
}

export interface PinnedFilePlan {
  readonly states: readonly PinnedFileState[];
  /** The files within the budget, the last used first. */
  readonly blocks: readonly ReferenceBlock[];
}

/** Budget of the pinned files, in tokens of the server. */
export interface PinBudget {
  readonly maxTokens: number;
  readonly scale: TokenScale;
}

export const pinBudget = ({ tokens, scale }: Pick<ContextBudget, "tokens" | "scale">, percent: number): PinBudget => ({
  maxTokens: Math.floor((tokens * percent) / 100),
  scale,
});

/** Returns the pins in the order of their last use; those of `files` only. Beyond the budget they are evicted. */
export function planPinnedFiles(view: SessionView, files: readonly PinnedFile[], budget: PinBudget): PinnedFilePlan {
  const states: PinnedFileState[] = [];
  const blocks: ReferenceBlock[] = [];
  let used = 0;
  for (const path of pinsByLastUse(view)) {
    const file = files.find((one) => one.path === path);
    if (file === undefined) continue;
    const sized = checkPinnedSize(file.content, budget);
    if (!sized.ok) {
      states.push({ path, state: "unreadable", error: sized.error });
      continue;
    }
    const { block, tokens } = sized.value;
    used += tokens;
    if (used > budget.maxTokens) {
      states.push({ path, state: "evicted", tokens });
      continue;
    }
    blocks.push(block);
    states.push({ path, state: compareWithContext(view, block), tokens });
  }
  return { states, blocks };
}

/** Fails with too_large if the file alone exceeds the budget. */
export function checkPinnedSize(
  content: Result<ReferenceBlock>,
  { maxTokens, scale }: PinBudget,
): Result<{ readonly block: ReferenceBlock; readonly tokens: number }> {
  if (!content.ok) return content;
  const tokens = countReferenceTokens(content.value, scale);
  const facts: AgentError["facts"] = { tokens, maxTokens };
  return tokens > maxTokens ? fail("too_large", undefined, facts) : ok({ block: content.value, tokens });
}

function compareWithContext(view: SessionView, { label, text }: ReferenceBlock): "sent" | "changed" | "new" {
  const last = lastFileText(view, label);
  return last === null ? "new" : last === text ? "sent" : "changed";
}

/** The planned blocks that the context does not contain. */
export const dueBlocks = ({ states, blocks }: PinnedFilePlan): readonly ReferenceBlock[] =>
  blocks.filter(({ label }) => states.some(({ path, state }) => path === label && state !== "sent"));

/** Paths of the pins; last use = pinned, read or changed by the model, or added to a message. */
function pinsByLastUse(view: SessionView): readonly string[] {
  const uses = new Map(view.pins.map(({ path, since }) => [path, since]));
  const oldest = Math.min(...uses.values());
  const open = new Set(uses.keys());
  for (const entry of pathEntriesBackward(view)) {
    if (entry.seq < oldest || open.size === 0) break;
    if (entry.kind !== "message") continue;
    for (const path of usedPaths(entry, view.cwd))
      if (open.delete(path)) uses.set(path, Math.max(entry.seq, uses.get(path) ?? 0));
  }
  return view.pins.map(({ path }) => path).toSorted((a, b) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0));
}

const usedPaths = (entry: MessageEntry, cwd: string): readonly string[] => [
  ...entry.calls.flatMap(({ state, target }) =>
    state === "ok" ? [posix.relative(cwd, posix.resolve(cwd, target))] : [],
  ),
  ...entry.blocks.flatMap((block) =>
    block.type === "reference" && block.kind === "file" && block.pinned === undefined ? [block.label] : [],
  ),
];
