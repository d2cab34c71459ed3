/**
 * Ends a call: cuts its output once, to the tool's limits and its share of the window, and stores the whole output as
 * a blob.
 */
import type { Block } from "@/lib/content";
import type { CallOutcome, DurableEvent } from "@/lib/event";
import type { CallId } from "@/lib/id";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import type { Cut, Facts } from "@/lib/tool-kind";
import type { Limits, Tool, ToolResult } from "../tools/tool";
import { fitText } from "./fit-result";
import type { AgentHost } from "./host";
import { roomOf } from "./window";

export type Ended =
  | { readonly outcome: "ok"; readonly result: ToolResult; readonly files?: readonly DurableEvent[] }
  | {
      readonly outcome: Exclude<CallOutcome, "ok">;
      /** file_change events of its command. */
      readonly files?: readonly DurableEvent[];
      readonly text: string;
      readonly facts: Facts;
      readonly start: DurableEvent | null;
    };

type Notice = ReturnType<AgentHost["notices"]>[number];

/** Limits for a call of an unknown tool. */
const refusalLimits: Limits = { bytes: 2_000, keep: "head" };
/** Tokens of the element that wraps a notice. */
const noticeFrameTokens = 16;

/**
 * Commits the end in one transaction. `maxTokens` is the share of this result in tokens of the server; `startedAt` is
 * ms epoch. Throws if it cannot be stored.
 */
export async function endCall(
  host: AgentHost,
  callId: CallId,
  tool: Tool | undefined,
  ended: Ended,
  maxTokens: number,
  startedAt: number,
): Promise<void> {
  const tookMs = Math.max(0, host.now() - startedAt);
  const result: ToolResult =
    ended.outcome === "ok" ? ended.result : { output: [{ type: "text", text: ended.text }], facts: ended.facts };
  const fitting = fittingNotices(host, tool, maxTokens);
  const { output, facts, cut } = await cutOutput(host, tool, result, maxTokens - fitting.tokens);
  const notices = stillDue(host, tool, fitting.blocks);
  host.commit([
    ...(ended.outcome === "ok" || ended.start === null ? [] : [ended.start]),
    ...(ended.files ?? []),
    {
      type: "tool_call_end",
      callId,
      outcome: outcomeOf(ended),
      output: [...output, ...notices],
      facts,
      ...(result.changes === undefined ? {} : { changes: result.changes }),
      ...(cut === undefined ? {} : { cut }),
      tookMs,
    },
  ]);
  host.told(notices);
}

/** Drops notices that another result delivered in the meantime. */
function stillDue(host: AgentHost, tool: Tool | undefined, notices: readonly Notice[]): readonly Notice[] {
  const due = new Set(host.notices(tool?.kind ?? "other").map(({ text }) => text));
  return notices.filter(({ text }) => due.has(text));
}

/** A call that reports its abort in its facts is aborted; one that took effect before the stop keeps its outcome. */
function outcomeOf(ended: Ended): CallOutcome {
  if (ended.outcome !== "ok") return ended.outcome;
  if (ended.result.facts.ended === "aborted") return "aborted";
  return ended.result.failed === true ? "error" : "ok";
}

/** Selects the notices for a result: at most half of it; one that does not fit waits for a later result. */
function fittingNotices(
  host: AgentHost,
  tool: Tool | undefined,
  maxTokens: number,
): { readonly blocks: readonly Notice[]; readonly tokens: number } {
  const blocks: Notice[] = [];
  let tokens = 0;
  for (const block of host.notices(tool?.kind ?? "other")) {
    const more = estimateTokens(block.text) + noticeFrameTokens;
    if (tokens + more > maxTokens / 2) continue;
    blocks.push(block);
    tokens += more;
  }
  return { blocks, tokens };
}

async function cutOutput(
  host: AgentHost,
  tool: Tool | undefined,
  result: ToolResult,
  maxTokens: number,
): Promise<{ readonly output: readonly Block[]; readonly facts: Facts; readonly cut?: Cut }> {
  const text = result.output.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  const others = result.output.filter((block) => block.type !== "text");
  const { facts } = result;
  const shortened = (kept: string) => tool?.shortened?.(facts, kept) ?? null;
  const { cautious } = roomOf(host.modelFacts());
  const nextOf = (kept: string) => shortened(kept)?.next ?? null;
  const shown = fitText(text, tool?.limits(host.settings()) ?? refusalLimits, maxTokens, nextOf, cautious);
  const whole = result.output.find((block) => block.type === "text" && block.text === shown.text);
  const output: readonly Block[] =
    shown.text === "" ? others : [whole ?? { type: "text", text: shown.text }, ...others];
  if (result.full !== undefined) {
    const { bytes, blob } = result.full;
    return {
      output,
      facts,
      cut: { shown: Math.min(shown.shown, bytes), total: bytes, ...(blob === undefined ? {} : { blob }) },
    };
  }
  if (shown.shown >= shown.total) return { output, facts };
  const all = Buffer.from(text, "utf8");
  const blob = await host.world().keep(all);
  const shownFacts = shortened(all.toString("utf8", 0, shown.shown))?.facts ?? facts;
  return { output, facts: shownFacts, cut: { shown: shown.shown, total: shown.total, blob } };
}
