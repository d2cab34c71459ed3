/**
 * Checkpoints against a crash: one row per open message and running call, overwritten every `checkpointMs` while it
 * grows, deleted in the transaction of its end.
 */
import { at, indexOfSeq } from "@/lib/view/chunks";
import type { DurableEvent, LiveEvent } from "@/lib/events/event";
import type { CallId, MessageId, SessionId } from "@/lib/events/id";
import type { SessionView } from "@/lib/view/view";
import { isPermanentError } from "@/server/store/core/store-error";
import type { SessionServices } from "../core/services";

/** Interval of checkpoints, ms. */
const checkpointMs = 400;

export const messagePrefix = "message:";
export const callPrefix = "call:";

/** Keys of the rows that these events make obsolete, whichever process wrote them. */
export const obsoleteKeys = (events: readonly DurableEvent[]): readonly string[] =>
  events.flatMap((event) => {
    if (event.type === "message_end") return [messagePrefix + event.messageId];
    return event.type === "tool_call_end" ? [callPrefix + event.callId] : [];
  });

interface Checkpoints {
  markGrown(event: LiveEvent): void;
  /** Called after the commit: ended entries are not written again. */
  forgetEnded(events: readonly DurableEvent[]): void;
  /** Writes what has grown and stops the timer; the next growth starts it again. */
  suspend(): void;
}

export function makeCheckpoints(
  sessionId: SessionId,
  { store, now }: SessionServices,
  view: () => SessionView,
): Checkpoints {
  const messages = new Set<MessageId>();
  const calls = new Set<CallId>();
  let timer: NodeJS.Timeout | null = null;

  /**
   * false = the write failed: that loses a second of text after a kill, never the run; the next commit reports it to
   * the user.
   */
  const write = (key: string, body: string | null): boolean => {
    if (body === null) return true;
    try {
      store.events.checkpoint(sessionId, key, body, now());
      return true;
    } catch (error) {
      return isPermanentError(error);
    }
  };
  /** Each write may wait for the database, so the rest is skipped after a failure. */
  const writeAll = (): void => {
    timer = null;
    for (const id of messages) {
      if (!write(messagePrefix + id, openMessageJson(view(), id))) return;
      messages.delete(id);
    }
    for (const id of calls) {
      if (!write(callPrefix + id, openCallOutput(view(), id))) return;
      calls.delete(id);
    }
  };
  /** Retries failed writes even when nothing grows any more. */
  const tick = (): void => {
    writeAll();
    if (messages.size + calls.size > 0) timer = setTimeout(tick, checkpointMs);
  };

  return {
    markGrown(event) {
      if (event.type === "phase") return;
      if (event.type === "message_delta") messages.add(event.messageId);
      else calls.add(event.callId);
      timer ??= setTimeout(tick, checkpointMs);
    },
    forgetEnded(events) {
      for (const event of events) {
        if (event.type === "message_end") messages.delete(event.messageId);
        if (event.type === "tool_call_end") calls.delete(event.callId);
      }
    },
    suspend() {
      if (timer === null) return;
      clearTimeout(timer);
      writeAll();
    },
  };
}

/** Serialized blocks of an open message, a call in progress without its text; null = it is not open. */
function openMessageJson(view: SessionView, id: MessageId): string | null {
  const entry = at(view.entries, indexOfSeq(view.entries, view.openMessages[id] ?? 0));
  return entry?.kind === "message"
    ? JSON.stringify(entry.blocks.map((block) => (block.type === "input" ? { ...block, text: "" } : block)))
    : null;
}

/** Tail of the output of an open call; null = it is not open or has no output. */
function openCallOutput(view: SessionView, id: CallId): string | null {
  const entry = at(view.entries, indexOfSeq(view.entries, view.openCalls[id] ?? 0));
  if (entry?.kind !== "message") return null;
  return entry.calls.find((call) => call.callId === id)?.live?.tail ?? null;
}
