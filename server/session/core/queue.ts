/** Queued messages as data: added, changed, removed and taken, each as events of one commit. Pure. */
import { type DurableEvent, optionalOrigin, type Origin, type QueuedMessage } from "@/lib/events/event";
import { type Block, imageBlocks, type ImageRef } from "@/lib/events/content";
import type { CommandId, MessageId, QueuedId } from "@/lib/events/id";
import type { SessionView } from "@/lib/view/view";

export const enqueue = (view: SessionView, message: QueuedMessage): DurableEvent => ({
  type: "queue_change",
  queued: [...view.queue, message],
});

/** null = the message was already taken. */
export function removeQueued(view: SessionView, id: QueuedId): DurableEvent | null {
  const queued = view.queue.filter((message) => message.id !== id);
  return queued.length === view.queue.length ? null : { type: "queue_change", queued };
}

export function editQueued(view: SessionView, id: QueuedId, text: string): DurableEvent | null {
  if (!view.queue.some((message) => message.id === id)) return null;
  return {
    type: "queue_change",
    queued: view.queue.map((message) => (message.id === id ? { ...message, text } : message)),
  };
}

/** Events of a user's message. */
export const userMessageEvents = (
  messageId: MessageId,
  commandId: CommandId,
  blocks: readonly Block[],
  origin?: Origin,
): readonly DurableEvent[] => [
  { type: "message_start", messageId, role: "user", commandId, ...optionalOrigin(origin) },
  { type: "message_end", messageId, blocks, stop: "done" },
];

/**
 * Takes all steers at a turn boundary, or the oldest follow-up after the end: moves them from the queue into the
 * conversation in one commit. `blocksFor` adds context blocks, to the first of them only.
 */
export function takeQueued(
  view: SessionView,
  intent: "steer" | "followUp",
  freshMessageId: () => MessageId,
  blocksFor: (text: string, images?: readonly ImageRef[]) => readonly Block[],
): readonly DurableEvent[] {
  const matching = view.queue.filter((message) => message.intent === intent);
  const taken = intent === "steer" ? matching : matching.slice(0, 1);
  if (taken.length === 0) return [];
  const queued = view.queue.filter((message) => !taken.includes(message));
  return [
    { type: "queue_change", queued },
    ...taken.flatMap(({ commandId, text, images, origin }, index) =>
      userMessageEvents(
        freshMessageId(),
        commandId,
        index === 0 ? blocksFor(text, images) : [{ type: "text", text }, ...imageBlocks(images)],
        origin,
      ),
    ),
  ];
}
