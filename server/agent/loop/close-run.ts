/**
 * Closing events of an interrupted run, the same for abort, error and restart. Pure and idempotent: applied to its
 * own result it returns nothing.
 */
import { at, indexOfSeq } from "@/lib/view/chunks";
import { liveTailChars } from "@/lib/view/fold-live";
import { serverLimits } from "@/lib/settings/server-limits";
import { settingsDefaults } from "@/lib/settings/settings";
import type { Block } from "@/lib/events/content";
import type { CallOutcome, DurableEvent, RunEnd } from "@/lib/events/event";
import type { CallId, MessageId } from "@/lib/events/id";
import type { CallView, MessageEntry, SessionView, ViewBlock } from "@/lib/view/view";
import type { ResultLimits } from "@/server/tools/core/tool";
import { fitText, resultShareTokens } from "../tools/fit-result";
import { denialText } from "../tools/refusal-text";

export interface Interruption {
  readonly reason: Exclude<RunEnd, "done">;
  /** Content of open messages; default: the view's own blocks. */
  readonly messages?: Readonly<Record<MessageId, readonly Block[]>>;
  /** Output of running calls so far, already cut to the tool's limits. */
  readonly outputs?: Readonly<Record<CallId, string>>;
  /** Time of the interruption, ms epoch; default: the time of the newest event. */
  readonly at?: number;
  /** Window in force in estimated tokens; default: the requested window. */
  readonly window?: number;
}

const stopByReason = { aborted: "aborted", error: "error", limit: "error", interrupted: "interrupted" } as const;

/**
 * Returns message_end, tool_call_end, error of a compaction, turn_end and agent_end for whatever is open, in this
 * order.
 */
export function closeRun(view: SessionView, interruption: Interruption): readonly DurableEvent[] {
  if (view.run === null) return [];
  const events: DurableEvent[] = [...closeMessages(view, interruption), ...closeCalls(view, interruption, () => true)];
  events.push(...closeCompaction(view, interruption));
  if (view.turn !== null) events.push({ type: "turn_end", turnId: view.turn.turnId });
  events.push({ type: "agent_end", runId: view.run.runId, reason: interruption.reason });
  const queue = demoteSteers(view);
  return queue === null ? events : [...events, queue];
}

/** A compaction can be open with and without a run. */
const closeCompaction = (view: SessionView, interruption: Interruption): readonly DurableEvent[] =>
  view.openCompaction === null
    ? []
    : [{ type: "error", error: { code: interruption.reason === "aborted" ? "aborted" : "interrupted" } }];

/**
 * Closes a compaction outside a run and turns waiting steers into follow-ups, also if the compaction has just ended.
 */
export function closeCompactionOutsideRun(view: SessionView, interruption: Interruption): readonly DurableEvent[] {
  if (view.run !== null) return [];
  const queue = demoteSteers(view);
  return [...closeCompaction(view, interruption), ...(queue === null ? [] : [queue])];
}

export function closeMessages(view: SessionView, interruption: Interruption): readonly DurableEvent[] {
  return findOpenEntries(view, Object.values(view.openMessages)).map((entry) => ({
    type: "message_end",
    messageId: entry.messageId,
    blocks: interruption.messages?.[entry.messageId] ?? entry.blocks.flatMap(toStorable),
    stop: stopByReason[interruption.reason],
  }));
}

/**
 * Ends the open calls selected by `which`. After a restart the outcome of a call that was running is unknown, unless
 * it only reads.
 */
export function closeCalls(
  view: SessionView,
  interruption: Interruption,
  isAffected: (call: CallView) => boolean,
): readonly DurableEvent[] {
  const window = interruption.window ?? view.model?.numCtx ?? serverLimits.windowMinTokens;
  return findOpenEntries(view, [...new Set(Object.values(view.openCalls))]).flatMap((entry) => {
    const maxTokens = resultShareTokens(window, entry.calls.length);
    return entry.calls
      .filter((call) => Object.hasOwn(view.openCalls, call.callId) && isAffected(call))
      .map((call) => interruptedCallEnd(call, view, interruption, maxTokens));
  });
}

const readOnlyKinds: readonly CallView["kind"][] = ["read", "list", "find", "search"];

function interruptedCallEnd(
  call: CallView,
  view: SessionView,
  interruption: Interruption,
  maxTokens: number,
): DurableEvent {
  const { outcome, said } = interruptedOutcome(call, interruption);
  const tail = interruption.outputs?.[call.callId] ?? call.live?.tail ?? "";
  const printed = tail.trimEnd();
  const isCut = tail.length >= liveTailChars;
  const { text, cutPositions } = fitText(printed === "" ? said : `${printed}\n${said}`, outputLimits, maxTokens, {
    positions: { lines: isCut ? [{ at: 0, lost: "before" }] : [], ending: printed.length },
  });
  return {
    type: "tool_call_end",
    callId: call.callId,
    outcome,
    output: text === "" ? [] : [{ type: "text", text }],
    facts: {},
    cutPositions,
    tookMs: runDurationMs(call, interruption.at ?? view.updatedAt),
  };
}

/** 0 for a call that has not started, such as one waiting for approval. */
const runDurationMs = ({ state, startedAt }: CallView, end: number): number =>
  state !== "running" || startedAt === undefined ? 0 : Math.max(0, end - startedAt);

function interruptedOutcome(
  call: CallView,
  interruption: Interruption,
): { readonly outcome: CallOutcome; readonly said: string } {
  const response = call.approvals.at(-1)?.response;
  if (response?.option === "deny") return { outcome: "denied", said: denialText(response.reason) };
  if (call.state !== "running") return { outcome: "aborted", said: notRunText };
  if (interruption.reason !== "interrupted" || readOnlyKinds.includes(call.kind))
    return { outcome: "aborted", said: stoppedText };
  return { outcome: "unknown", said: unknownText };
}

/** The printed output keeps its start and its end, followed by the note. */
const outputLimits: ResultLimits = { bytes: settingsDefaults.bashOutputBytes, keep: "both" };

const unknownText =
  "[gopi-web was restarted while this ran. Whether it had its effect is unknown: check before you repeat it.]";
const stoppedText = "[Stopped before it ended.]";
const notRunText = "[Not run: the run was stopped first.]";

/** Turns pending steers into follow-ups, which wait for the user; null = there are none. */
function demoteSteers(view: SessionView): DurableEvent | null {
  if (!view.queue.some((message) => message.intent === "steer")) return null;
  return { type: "queue_change", queued: view.queue.map((message) => ({ ...message, intent: "followUp" })) };
}

/** The open answer that its server holds; undefined = there is none. */
export const findHeldAnswer = (view: SessionView): MessageEntry | undefined =>
  findOpenEntries(view, Object.values(view.openMessages)).find(({ held }) => held !== undefined);

const toStorable = (block: ViewBlock): readonly Block[] => (block.type === "input" ? [] : [block]);

function findOpenEntries(view: SessionView, seqs: readonly number[]): readonly MessageEntry[] {
  return seqs
    .toSorted((a, b) => a - b)
    .flatMap((seq) => {
      const entry = at(view.entries, indexOfSeq(view.entries, seq));
      return entry?.kind === "message" ? [entry] : [];
    });
}
