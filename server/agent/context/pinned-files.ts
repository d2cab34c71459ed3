/**
 * Decides which pinned files of a session are in its context: by last use, within a budget; after them those that the model
 * has read and a compaction has removed. Pure.
 */
import { posix } from "node:path";
import type { ReferenceBlock } from "@/lib/events/content";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { PinnedFileState } from "@/lib/protocol/answers";
import type { TokenScale } from "@/lib/text/estimate-tokens";
import { limits } from "@/lib/settings/settings";
import { type CallView, type MessageEntry, pathEntriesBackward, type SessionView } from "@/lib/view/view";
import { isCompactedAway, lastFileText } from "./compile";
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

/** The files that are in the context of a session, pinned ones first; the last used first. */
export interface FocusedFiles {
  readonly pinned: readonly string[];
  /** Files that the model has read. */
  readonly read: readonly string[];
}

/** `withRead` = files that the model reads stay in the context as well. */
export function focusedFiles(view: SessionView, withRead: boolean): FocusedFiles {
  const pinned = pinsByLastUse(view);
  return { pinned, read: withRead ? lostReads(view, pinned) : [] };
}

/**
 * Returns the files in the order of `focused`; those of `files` only. Beyond the budget pinned ones are evicted; read ones, and
 * those that cannot be read any more, are left out.
 */
export function planPinnedFiles(
  view: SessionView,
  focused: FocusedFiles,
  files: readonly PinnedFile[],
  budget: PinBudget,
): PinnedFilePlan {
  const states: PinnedFileState[] = [];
  const blocks: ReferenceBlock[] = [];
  let used = 0;
  for (const path of [...focused.pinned, ...focused.read]) {
    const isRead = focused.read.includes(path);
    const file = files.find((one) => one.path === path);
    if (file === undefined) continue;
    const sized = checkPinnedSize(file.content, budget);
    if (!sized.ok) {
      if (!isRead) states.push({ path, state: "unreadable", error: sized.error });
      continue;
    }
    const { block, tokens } = sized.value;
    if (isRead && used + tokens > budget.maxTokens) continue;
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

/** Paths, without `others`, that the model has read from start to end in messages that the context has lost. */
function lostReads(view: SessionView, others: readonly string[]): readonly string[] {
  const isLost = isCompactedAway(view);
  const seen = new Set(others);
  const lost: string[] = [];
  for (const entry of pathEntriesBackward(view)) {
    if (seen.size >= limits.pinnedFiles) break;
    if (entry.kind !== "message") continue;
    for (const call of entry.calls.toReversed()) {
      if (!isWholeRead(call)) continue;
      const path = projectPath(view.cwd, call.target);
      if (!seen.has(path) && isLost(entry)) lost.push(path);
      seen.add(path);
    }
  }
  return lost;
}

const isWholeRead = ({ name, state, facts }: CallView): boolean =>
  name === "read" && state === "ok" && facts.fromLine === 1 && facts.toLine === facts.totalLines;

const projectPath = (cwd: string, target: string): string => posix.relative(cwd, posix.resolve(cwd, target));

const usedPaths = (entry: MessageEntry, cwd: string): readonly string[] => [
  ...entry.calls.flatMap(({ state, target }) => (state === "ok" ? [projectPath(cwd, target)] : [])),
  ...entry.blocks.flatMap((block) =>
    block.type === "reference" && block.kind === "file" && block.pinned === undefined ? [block.label] : [],
  ),
];
