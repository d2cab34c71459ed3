/**
 * The ends of a run that was cut off: abort, error and restart write the same ones, so the log is honest in one way.
 * Pure; session commits what it returns. Running it on its own result gives nothing (idempotent).
 */
import { at, indexOfSeq } from "@/lib/chunks";
import { limits, settingsDefaults } from "@/lib/settings";
import type { Block } from "@/lib/content";
import type { CallOutcome, DurableEvent, RunEnd } from "@/lib/event";
import type { CallId, MessageId } from "@/lib/id";
import type { CallView, MessageEntry, SessionView, ViewBlock } from "@/lib/view";
import type { Limits } from "../tools/tool";
import { fitText, resultTokens } from "./fit-result";
import { denialText } from "./refusals";

export interface CutOff {
  readonly reason: Exclude<RunEnd, "done">;
  /** What open messages had so far; the view's own blocks when absent. */
  readonly messages?: Readonly<Record<MessageId, readonly Block[]>>;
  /** What running calls had printed so far, already cut to the tool's limits. */
  readonly outputs?: Readonly<Record<CallId, string>>;
  /** When it was cut off, ms epoch; the time of the newest event when absent. */
  readonly at?: number;
  /** The window in force, tokens of our estimate; the one asked for when absent. */
  readonly window?: number;
}

const stops = { aborted: "aborted", error: "error", limit: "error", interrupted: "interrupted" } as const;

/** message_end, tool_call_end, error for a compaction, turn_end, agent_end: whatever is open, in this order. */
export function closeRun(view: SessionView, how: CutOff): readonly DurableEvent[] {
  if (view.run === null) return [];
  const events: DurableEvent[] = [...closeMessages(view, how), ...closeCalls(view, how, () => true)];
  events.push(...endCompaction(view, how));
  if (view.turn !== null) events.push({ type: "turn_end", turnId: view.turn.turnId });
  events.push({ type: "agent_end", runId: view.run.runId, reason: how.reason });
  const queue = heldBack(view);
  return queue === null ? events : [...events, queue];
}

/** A compaction may be open beside a run and without one. */
const endCompaction = (view: SessionView, how: CutOff): readonly DurableEvent[] =>
  view.openCompaction === null
    ? []
    : [{ type: "error", error: { code: how.reason === "aborted" ? "aborted" : "interrupted" } }];

/** Of a compaction outside a run: its error, and what was said meanwhile waits for the user, also when it had just ended. */
export function closeOutside(view: SessionView, how: CutOff): readonly DurableEvent[] {
  if (view.run !== null) return [];
  const queue = heldBack(view);
  return [...endCompaction(view, how), ...(queue === null ? [] : [queue])];
}

export function closeMessages(view: SessionView, how: CutOff): readonly DurableEvent[] {
  return openEntries(view, Object.values(view.openMessages)).map((entry) => ({
    type: "message_end",
    messageId: entry.messageId,
    blocks: how.messages?.[entry.messageId] ?? entry.blocks.flatMap(storable),
    stop: stops[how.reason],
  }));
}

/** Ends for the open calls that `which` picks. A call that ran has an unknown outcome after a restart, unless it only read. */
export function closeCalls(
  view: SessionView,
  how: CutOff,
  which: (call: CallView) => boolean,
): readonly DurableEvent[] {
  const window = how.window ?? view.model?.numCtx ?? limits.windowMinTokens;
  return openEntries(view, [...new Set(Object.values(view.openCalls))]).flatMap((entry) => {
    const maxTokens = resultTokens(window, entry.calls.length);
    return entry.calls
      .filter((call) => Object.hasOwn(view.openCalls, call.callId) && which(call))
      .map((call) => endOf(call, view, how, maxTokens));
  });
}

const reading: readonly CallView["kind"][] = ["read", "list", "find", "search"];

function endOf(call: CallView, view: SessionView, how: CutOff, maxTokens: number): DurableEvent {
  const { outcome, said } = fateOf(call, how);
  const printed = (how.outputs?.[call.callId] ?? call.live?.tail ?? "").trimEnd();
  const { text } = fitText(printed === "" ? said : `${printed}\n${said}`, outputLimits, maxTokens);
  return {
    type: "tool_call_end",
    callId: call.callId,
    outcome,
    output: text === "" ? [] : [{ type: "text", text }],
    facts: {},
    tookMs: ranMs(call, how.at ?? view.updatedAt),
  };
}

/** A call that waits for the user has not run. */
const ranMs = ({ state, startedAt }: CallView, end: number): number =>
  state !== "running" || startedAt === undefined ? 0 : Math.max(0, end - startedAt);

function fateOf(call: CallView, how: CutOff): { readonly outcome: CallOutcome; readonly said: string } {
  const response = call.approvals.at(-1)?.response;
  if (response?.option === "deny") return { outcome: "denied", said: denialText(response.reason) };
  if (call.state !== "running") return { outcome: "aborted", said: notRunText };
  if (how.reason !== "interrupted" || reading.includes(call.kind)) return { outcome: "aborted", said: stoppedText };
  return { outcome: "unknown", said: unknownText };
}

/** What had been printed keeps its start and its end, with what is said of it. */
const outputLimits: Limits = { bytes: settingsDefaults.bashOutputBytes, keep: "both" };

const unknownText =
  "[gopi-web was restarted while this ran. Whether it had its effect is unknown: check before you repeat it.]";
const stoppedText = "[Stopped before it ended.]";
const notRunText = "[Not run: the run was stopped first.]";

/** Steers that were not taken become follow-ups, which wait for the user. */
function heldBack(view: SessionView): DurableEvent | null {
  if (!view.queue.some((message) => message.intent === "steer")) return null;
  return { type: "queue_change", queued: view.queue.map((message) => ({ ...message, intent: "followUp" })) };
}

const storable = (block: ViewBlock): readonly Block[] => (block.type === "input" ? [] : [block]);

function openEntries(view: SessionView, seqs: readonly number[]): readonly MessageEntry[] {
  return seqs
    .toSorted((a, b) => a - b)
    .flatMap((seq) => {
      const entry = at(view.entries, indexOfSeq(view.entries, seq));
      return entry?.kind === "message" ? [entry] : [];
    });
}
