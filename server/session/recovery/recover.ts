/**
 * Closes what a crash left open in a log, except an answer that its server may hold, and starts nothing. Pure over the view
 * and its checkpoints; idempotent (invariant I5).
 */
import * as z from "zod/mini";
import type { Block } from "@/lib/events/content";
import type { DurableEvent } from "@/lib/events/event";
import { asId, type CallId, type MessageId } from "@/lib/events/id";
import { fold } from "@/lib/view/fold";
import { pendingApprovals, type SessionView } from "@/lib/view/view";
import { parseJson } from "@/server/base/parse-json";
import {
  closeCalls,
  closeMessages,
  closeCompactionOutsideRun,
  closeRun,
  findHeldAnswer,
  type Interruption,
} from "@/server/agent/loop/close-run";
import { interruptedWorkflow } from "@/lib/workflows/workflow-run";
import type { Checkpoint } from "@/server/store/sessions/events";
import { callPrefix, messagePrefix } from "./checkpoints";

/**
 * `window`: tokens of our estimate, limits the results of interrupted calls. `at`: time of the interruption, ms epoch.
 */
export function recover(
  view: SessionView,
  checkpoints: readonly Checkpoint[],
  window?: number,
  at?: number,
): readonly DurableEvent[] {
  const interruption: Interruption = {
    ...buildInterruption(checkpoints),
    ...(window === undefined ? {} : { window }),
    ...(at === undefined ? {} : { at }),
  };
  const state: readonly DurableEvent[] = [
    ...(view.mode === "full" ? [{ type: "session_update" as const, mode: "ask" as const }] : []),
    ...interruptedWorkflow(view.workflow),
  ];
  // The run continues with the answer.
  if (findHeldAnswer(view) !== undefined) return state;
  if (view.run === null) return [...state, ...closeCompactionOutsideRun(view, interruption)];
  if (pendingApprovals(view).length === 0) return [...state, ...closeRun(view, interruption)];
  return [
    ...state,
    ...closeMessages(view, interruption),
    ...closeCalls(view, interruption, (call) => call.state === "running"),
  ];
}

/** Time of the session's last work, ms epoch: its newest event, or a checkpoint of an entry it left open. */
export function lastWorkAt(view: SessionView, checkpoints: readonly Checkpoint[], newestAt: number): number {
  const open = new Set([
    ...Object.keys(view.openMessages).map((id) => messagePrefix + id),
    ...Object.keys(view.openCalls).map((id) => callPrefix + id),
  ]);
  return checkpoints.reduce((latest, { key, at }) => (open.has(key) ? Math.max(latest, at) : latest), newestAt);
}

/** The view with the text of the held answer, as displayed before the crash. */
export function restoreHeldAnswer(view: SessionView, checkpoints: readonly Checkpoint[]): SessionView {
  const entry = findHeldAnswer(view);
  const body = checkpoints.find(({ key }) => key === `${messagePrefix}${entry?.messageId}`)?.body;
  if (entry === undefined || body === undefined) return view;
  return parseDisplayedBlocks(body).reduce<SessionView>((shown, { type: kind, text, name }, block) => {
    const event = { type: "message_delta", messageId: entry.messageId, block, kind, offset: 0, text, name } as const;
    return fold(shown, { v: 1, sessionId: view.sessionId, at: view.updatedAt, after: view.seq, event });
  }, view);
}

function buildInterruption(checkpoints: readonly Checkpoint[]): Interruption {
  const messages: Record<MessageId, readonly Block[]> = {};
  const outputs: Record<CallId, string> = {};
  for (const { key, body } of checkpoints) {
    if (key.startsWith(messagePrefix))
      messages[asId<MessageId>(key.slice(messagePrefix.length))] = parseCheckpointBlocks(body);
    if (key.startsWith(callPrefix)) outputs[asId<CallId>(key.slice(callPrefix.length))] = body;
  }
  return { reason: "interrupted", messages, outputs };
}

const displayedSchema = z.array(
  z.object({ type: z.enum(["text", "thinking", "input"]), text: z.string(), name: z.optional(z.string()) }),
);

/** [] = the checkpoint is damaged. */
const parseDisplayedBlocks = (body: string): z.infer<typeof displayedSchema> =>
  displayedSchema.safeParse(parseJson(body)).data ?? [];

/** The blocks without calls in progress. */
const parseCheckpointBlocks = (body: string): readonly Block[] =>
  parseDisplayedBlocks(body).flatMap(({ type, text }) => (type === "input" ? [] : [{ type, text }]));
