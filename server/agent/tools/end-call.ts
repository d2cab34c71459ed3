/**
 * Ends a call: cuts its output once, to the tool's limits and its share of the window, and stores the whole output as
 * a blob.
 */
import type { Block } from "@/lib/events/content";
import type { CallOutcome, DurableEvent } from "@/lib/events/event";
import type { CallId } from "@/lib/events/id";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import type { CutPositions, OutputTruncation, CallFacts } from "@/lib/events/tool-kind";
import type { ResultLimits, Tool, ToolResult } from "@/server/tools/core/tool";
import { fitText } from "./fit-result";
import type { AgentHost } from "../host";
import type { FolderGuide } from "../context/context-source";
import { contextBudget } from "../context/context-budget";

export type CallEnding =
  | { readonly outcome: "ok"; readonly result: ToolResult; readonly files?: readonly DurableEvent[] }
  | {
      readonly outcome: Exclude<CallOutcome, "ok">;
      /** file_change events of its command. */
      readonly files?: readonly DurableEvent[];
      readonly text: string;
      readonly facts: CallFacts;
      readonly start: DurableEvent | null;
    };

type DueNotice = ReturnType<AgentHost["dueNotices"]>[number];

/** Limits for a call of an unknown tool. */
const unknownToolLimits: ResultLimits = { bytes: 2_000, keep: "head" };
/** Tokens of the element that wraps a notice. */
const noticeFrameTokens = 16;

/**
 * Commits the end in one transaction. `maxTokens` is the share of this result in tokens of the server; `startedAt` is
 * ms epoch; `guides` are those of the folders that the call touched. Throws if it cannot be stored.
 */
export async function endCall(
  host: AgentHost,
  callId: CallId,
  tool: Tool | undefined,
  ended: CallEnding,
  maxTokens: number,
  startedAt: number,
  guides: readonly FolderGuide[] = [],
): Promise<void> {
  const tookMs = Math.max(0, host.now() - startedAt);
  const result: ToolResult =
    ended.outcome === "ok" ? ended.result : { output: [{ type: "text", text: ended.text }], facts: ended.facts };
  const fitting = selectNotices(host.dueNotices(tool?.kind ?? "other", guides), maxTokens);
  const { output, ...shown } = await cutOutput(host, tool, result, maxTokens - fitting.tokens);
  const notices = dropDelivered(host.dueNotices(tool?.kind ?? "other", guides), fitting.blocks);
  host.commit([
    ...(ended.outcome === "ok" || ended.start === null ? [] : [ended.start]),
    ...(ended.files ?? []),
    {
      type: "tool_call_end",
      callId,
      outcome: callOutcome(ended),
      output: [...output, ...notices],
      ...shown,
      changes: result.changes,
      tookMs,
    },
  ]);
  host.markNoticesDelivered(notices);
}

/** Drops notices that another result delivered in the meantime. */
function dropDelivered(due: readonly DueNotice[], notices: readonly DueNotice[]): readonly DueNotice[] {
  const texts = new Set(due.map(({ text }) => text));
  return notices.filter(({ text }) => texts.has(text));
}

/** A call that reports its abort in its facts is aborted; one that took effect before the stop keeps its outcome. */
function callOutcome(ended: CallEnding): CallOutcome {
  if (ended.outcome !== "ok") return ended.outcome;
  if (ended.result.facts.ended === "aborted") return "aborted";
  return ended.result.failed === true ? "error" : "ok";
}

/** Selects the notices for a result: at most half of it; one that does not fit waits for a later result. */
export function selectNotices(
  due: readonly DueNotice[],
  maxTokens: number,
): { readonly blocks: readonly DueNotice[]; readonly tokens: number } {
  const blocks: DueNotice[] = [];
  let tokens = 0;
  for (const block of due) {
    const more = estimateTokens(block.text) + noticeFrameTokens;
    if (tokens + more > maxTokens / 2) continue;
    blocks.push(block);
    tokens += more;
  }
  return { blocks, tokens };
}

interface ShownOutput {
  readonly output: readonly Block[];
  readonly facts: CallFacts;
  readonly cut?: OutputTruncation;
  readonly cutPositions: CutPositions;
}

async function cutOutput(
  host: AgentHost,
  tool: Tool | undefined,
  result: ToolResult,
  maxTokens: number,
): Promise<ShownOutput> {
  const text = result.output.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const others = result.output.filter((block) => block.type !== "text");
  const { facts } = result;
  const shortened = (shownText: string) => tool?.shortenFacts?.(facts, shownText) ?? null;
  const limits = tool?.limits(host.settings()) ?? unknownToolLimits;
  const own = result.failed === true && limits.keep === "both" ? { ...limits, keep: "failure" as const } : limits;
  const shown = fitText(text, own, maxTokens, {
    next: (shownText) => shortened(shownText)?.next ?? null,
    scale: contextBudget(host.modelFacts()).cautious,
    positions: result.cutPositions,
  });
  const { cutPositions } = shown;
  const whole = result.output.find((block) => block.type === "text" && block.text === shown.text);
  const output: readonly Block[] =
    shown.text === "" ? others : [whole ?? { type: "text", text: shown.text }, ...others];
  if (result.full !== undefined) {
    const { bytes, blob } = result.full;
    return { output, facts, cut: { shown: Math.min(shown.shown, bytes), total: bytes, blob }, cutPositions };
  }
  if (shown.shown >= shown.total) return { output, facts, cutPositions };
  const all = Buffer.from(text, "utf8");
  const blob = await host.toolEnvironment().storeBlob(all);
  const shownFacts = shortened(all.toString("utf8", 0, shown.shown))?.facts ?? facts;
  return { output, facts: shownFacts, cut: { shown: shown.shown, total: shown.total, blob }, cutPositions };
}
