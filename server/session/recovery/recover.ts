/**
 * Closes what a crash left open in a log and starts nothing. Pure over the view and its checkpoints;
 * idempotent.
 */
import type { Block } from "@/lib/events/content";
import type { DurableEvent } from "@/lib/events/event";
import { asId, type CallId, type MessageId } from "@/lib/events/id";
import { pendingApprovals, type SessionView } from "@/lib/view/view";
import { parseJson } from "@/server/base/parse-json";
import {
  closeCalls,
  closeMessages,
  closeCompactionOutsideRun,
  closeRun,
  type Interruption,
} from "@/server/agent/loop/close-run";
import { interruptedWorkflow } from "@/lib/workflows/workflow-run";
import { isBlocks } from "@/server/store/sessions/event-shape";
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

function buildInterruption(checkpoints: readonly Checkpoint[]): Interruption {
  const messages: Record<MessageId, readonly Block[]> = {};
  const outputs: Record<CallId, string> = {};
  for (const { key, body } of checkpoints) {
    const blocks = key.startsWith(messagePrefix) ? parseCheckpointBlocks(body) : null;
    if (blocks !== null) messages[asId<MessageId>(key.slice(messagePrefix.length))] = blocks;
    if (key.startsWith(callPrefix)) outputs[asId<CallId>(key.slice(callPrefix.length))] = body;
  }
  return { reason: "interrupted", messages, outputs };
}

/** null = the checkpoint is damaged: the message ends without its text. */
function parseCheckpointBlocks(body: string): readonly Block[] | null {
  const blocks = parseJson(body);
  return isBlocks(blocks) ? blocks : null;
}
