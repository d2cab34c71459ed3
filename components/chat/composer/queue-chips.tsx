"use client";
/** Queued messages above the composer: editable, removable, and sendable while nothing runs. */
import { ListPlus, Pencil, X } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { useConversationMessages } from "../../messages/conversation-messages";
import type { QueuedMessage } from "@/lib/events/event";
import type { QueuedId } from "@/lib/events/id";
import type { Settings } from "@/lib/settings/settings";
import { Button } from "../../ui/controls/button";
import { Icon } from "../../ui/indicators/icon";
import { IconButton } from "../../ui/controls/icon-button";

const LazyTextEditor = lazy(async () => ({ default: (await import("../message/text-editor")).TextEditor }));

interface QueueChipsProps {
  readonly queue: readonly QueuedMessage[];
  /** No run is open: the messages are sent with the next run. */
  readonly isIdle: boolean;
  /** A summary requested by the user is being written: the messages are sent right after it. */
  readonly isSummarising: boolean;
  readonly sendKey: Settings["sendKey"];
  readonly onEdit: (id: QueuedId, text: string) => void;
  readonly onRemove: (id: QueuedId) => void;
  /** null = sending is not possible now. */
  readonly onSend: ((message: QueuedMessage) => void) | null;
}

export function QueueChips({ queue, isIdle, isSummarising, sendKey, onEdit, onRemove, onSend }: QueueChipsProps) {
  const { chat, queue: names, common } = useConversationMessages();
  const [editing, setEditing] = useState<QueuedId | null>(null);
  if (queue.length === 0) return null;
  const sendTiming = isIdle ? (isSummarising ? "summary" : "idle") : null;
  const keep = async (message: QueuedMessage, text: string): Promise<boolean> => {
    setEditing(null);
    if (text !== message.text) onEdit(message.id, text);
    return true;
  };
  return (
    <ul
      aria-label={names.label}
      className="mx-3 max-h-48 overflow-y-auto rounded-t-card border border-b-0 border-line bg-surface text-base"
    >
      {queue.map((message, index) => (
        <li key={message.id} className="border-t border-line pr-1 pl-2.5 first:border-t-0">
          {editing === message.id ? (
            <Suspense fallback={<p className="py-1">{message.text}</p>}>
              <div className="my-1.5 mr-1.5 rounded-card border border-accent bg-raised px-2.5 py-2">
                <LazyTextEditor
                  text={message.text}
                  name={names.edit}
                  saveLabel={common.save}
                  sendKey={sendKey}
                  onSave={(text) => keep(message, text)}
                  onCancel={() => setEditing(null)}
                />
              </div>
            </Suspense>
          ) : (
            <div className="flex min-h-8 flex-wrap items-center gap-x-2 max-tablet:pb-2">
              <Icon of={ListPlus} size={14} className="text-ink-faint" />
              <span className="shrink-0 text-small text-ink-muted">{names.times[sendTiming ?? message.intent]}</span>
              <span
                title={message.text}
                className="min-w-0 flex-1 cut max-tablet:order-last max-tablet:basis-full max-tablet:pl-5.5"
              >
                {message.text}
              </span>
              {message.images !== undefined && (
                <span className="shrink-0 text-small text-ink-muted">{chat.images(message.images.length)}</span>
              )}
              {message.references !== undefined && (
                <span className="shrink-0 text-small text-ink-muted">{chat.references(message.references.length)}</span>
              )}
              {index === queue.length - 1 && (
                <span className="shrink-0 text-small text-ink-faint max-tablet:hidden @max-md:hidden">
                  {names.takeBack}
                </span>
              )}
              <span className="flex shrink-0 max-tablet:ml-auto">
                {index === 0 && sendTiming === "idle" && onSend !== null && (
                  <Button size="small" look="quiet" onClick={() => onSend(message)}>
                    {names.send}
                  </Button>
                )}
                <IconButton icon={Pencil} size="small" name={names.edit} onClick={() => setEditing(message.id)} />
                <IconButton icon={X} size="small" name={names.remove} onClick={() => onRemove(message.id)} />
              </span>
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}
