/**
 * The window in force, as the server counts: every limit is a share of it. Also the trigger of a compaction, and
 * whether a server has read what it was sent. Pure; used by the loop, by compactions and by session.
 */
import type { Usage } from "@/lib/content";
import type { AgentError } from "@/lib/error";
import { limits } from "@/lib/settings";
import { evenScale, type TokenScale } from "@/lib/text/estimate-tokens";
import { pathBack, type SessionView } from "@/lib/view";
import { at, eachBack, indexOfSeq } from "@/lib/chunks";
import { headOf } from "./context/compile";
import type { ModelFacts } from "./host";

export interface Room {
  /** The window, tokens as the server counts. */
  readonly tokens: number;
  /** What a prompt may take of it at most: an answer needs some too. */
  readonly most: number;
  /** The window in tokens of our own estimate, for text that is measured without a scale. */
  readonly estimated: number;
  /** From our estimate to the server's count: the likely one, and one that is hardly ever passed. */
  readonly scale: TokenScale;
  readonly cautious: TokenScale;
}

export function roomOf({ window, tokenRatio, scale }: ModelFacts): Room {
  const ratio = ratioOf(tokenRatio);
  const tokens = Math.floor(window);
  return {
    tokens,
    most: Math.max(0, tokens - limits.windowReserveTokens),
    estimated: Math.floor(window / ratio),
    scale: scale?.likely ?? evenScale(ratio),
    cautious: scale?.cautious ?? evenScale(ratio),
  };
}

const ratioOf = (tokenRatio: number): number => (Number.isFinite(tokenRatio) && tokenRatio > 0 ? tokenRatio : 1);

/** How much of a window the project's snapshot may take, in the tokens of `tokens`. */
export function snapshotTokens({ tokens }: Pick<Room, "tokens">): number {
  const share = tokens <= limits.smallWindowTokens ? limits.snapshotSmallShare : limits.snapshotShare;
  return Math.floor(tokens * share);
}

/** Shares of the window for a compaction; all follow from the one at which it begins. */
export interface CompactionShares {
  readonly begin: number;
  /** What is left is kept to `aim` where the last messages allow it, and to `max` where results must be cut. */
  readonly aim: number;
  readonly max: number;
  /** When what must stay is larger than this, the next compaction waits for `compactionStepShare` more. */
  readonly law: number;
}

/** `percent` of the window at which a compaction begins, 30 to 85; at 60 it leaves 40 %, at most 47.5 %. */
export function compactionShares(percent: number): CompactionShares {
  return { begin: percent / 100, aim: percent / 150, max: (percent * 19) / 2_400, law: (percent * 14) / 1_500 };
}

/**
 * At how many tokens of the server the conversation is compacted. What must stay may be larger than the law wants (a very long
 * message): then some more has to come first, or every step would compact again for nothing.
 */
export function compactAt(view: SessionView, room: Room, percent: number): number {
  const { begin, law } = compactionShares(percent);
  const share = room.tokens * begin;
  const left = leftBy(view);
  if (left <= room.tokens * law) return Math.min(share, room.most);
  return Math.min(room.most, Math.max(share, left + room.tokens * limits.compactionStepShare));
}

/** What the newest compaction in force left, as the server counts; 0 = none. */
function leftBy(view: SessionView): number {
  const head = headOf(view);
  const entry = head?.kind === "compaction_update" ? at(view.entries, indexOfSeq(view.entries, head.of)) : head;
  return entry?.kind === "compaction" ? (entry.tokensAfter ?? 0) : 0;
}

/** How far a learned ratio is believed when it is asked whether a prompt was cut: it may come from other kinds of text. */
const ratioBelieved = 1.4;
/** What the same run was counted at before says more: its prompt is the start of this one. */
const grownShare = 0.8;

/**
 * The server read far less than was sent; null = no sign of it. `before` = the counts of the answer before, of the same conversation.
 * Servers that do not tell what they read report 0.
 */
export function promptCut(usage: Usage, facts: ModelFacts, before: Usage | null): AgentError | null {
  const { promptTokens: read, estimatedPromptTokens: estimate } = usage;
  if (read <= 0) return null;
  const ratio = ratioOf(facts.tokenRatio);
  const own = before !== null && before.promptTokens > 0 && before.estimatedPromptTokens > 0;
  const counted = own ? (estimate * before.promptTokens) / before.estimatedPromptTokens : 0;
  const least = Math.max(
    estimate * Math.min(ratioBelieved, Math.max(1, ratio)) * limits.promptCutShare,
    counted * grownShare,
  );
  if (read >= least || Math.max(estimate, counted) - read < limits.promptCutMinTokens) return null;
  const sent = Math.max(read, Math.round(own ? counted : estimate * ratio));
  return { code: "prompt_cut", facts: { sent, read, window: Math.floor(facts.asked ?? facts.window) } };
}

/** The counts of the answer before the newest one in this run; null = none, or a compaction stands between. */
export function usageBefore(view: SessionView): Usage | null {
  let newest = true;
  for (const entry of pathBack(view)) {
    if (entry.kind === "run_start" || entry.kind === "compaction") return null;
    if (entry.kind !== "message" || entry.usage === undefined) continue;
    if (!newest) return entry.usage;
    newest = false;
  }
  return null;
}

/** The same was told already, and nothing changed since: said once for a model and window. */
export function isTold(view: SessionView, error: AgentError): boolean {
  for (const entry of eachBack(view.entries)) {
    if (entry.kind !== "error" || entry.error.code !== error.code) continue;
    return entry.error.facts?.window === error.facts?.window && entry.error.facts?.model === error.facts?.model;
  }
  return false;
}

/** What the server told of a prompt it refused. */
export function sizesOf({ facts = {} }: AgentError): { readonly tokens?: number; readonly window?: number } {
  const { tokens, window } = facts;
  return {
    ...(typeof tokens === "number" && tokens > 0 ? { tokens } : {}),
    ...(typeof window === "number" && window > 0 ? { window } : {}),
  };
}
