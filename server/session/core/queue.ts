/** Queued messages as data: added, changed, removed and taken, each as events of one commit. Pure. */
import { type DurableEvent, optionalOrigin, type Origin, type QueuedMessage } from "@/lib/events/event";
import { fail, ok, type Result } from "@/lib/events/error";
import { type Attachments, type Block, userBlocks } from "@/lib/events/content";
import type { CommandId, MessageId, QueuedId } from "@/lib/events/id";
import { parseUserCommand } from "@/lib/events/user-command";
import { randomId } from "@/server/base/id";
import type { SessionView } from "@/lib/view/view";

/** Maximum queued messages of a session. */
export const queueMaxEntries = 50;

/** `at` in ms epoch. Fails with too_many for a full queue. */
export function enqueue(
  view: SessionView,
  message: Omit<QueuedMessage, "id" | "at">,
  at: number,
): Result<DurableEvent> {
  if (view.queue.length >= queueMaxEntries) return fail("too_many", undefined, { limit: queueMaxEntries });
  return ok({ type: "queue_change", queued: [...view.queue, { id: randomId<QueuedId>("q"), ...message, at }] });
}

/** A command whose text was changed into a message is a message. */
export const isQueuedCommand = ({ isCommand, text }: QueuedMessage): boolean =>
  isCommand === true && parseUserCommand(text) !== null;

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
  blocksFor: (text: string, attachments: Attachments) => readonly Block[],
): readonly DurableEvent[] {
  const matching = view.queue.filter((message) => message.intent === intent);
  const due = intent === "steer" ? matching : matching.slice(0, 1);
  // A command is a run of its own, after this one.
  if (due.some(isQueuedCommand)) return [];
  if (due.length === 0) return [];
  const queued = view.queue.filter((message) => !due.includes(message));
  return [
    { type: "queue_change", queued },
    ...due.flatMap(({ commandId, text, origin, ...attachments }, index) =>
      userMessageEvents(
        freshMessageId(),
        commandId,
        index === 0 ? blocksFor(text, attachments) : userBlocks(text, attachments),
        origin,
      ),
    ),
  ];
}
