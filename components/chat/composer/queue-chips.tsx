"use client";
/** Messages that wait for their turn, above the composer: editable, removable. */
import { ListPlus, Pencil, X } from "lucide-react";
import { useState } from "react";
import { useWords } from "@/components/words/words";
import type { QueuedMessage } from "@/lib/event";
import type { QueuedId } from "@/lib/id";
import { Icon } from "../../ui/icon";
import { IconButton } from "../../ui/icon-button";
import { TextField } from "../../ui/text-field";

export interface QueueChipsProps {
  readonly queue: readonly QueuedMessage[];
  /** Nothing runs: they go with the next run. */
  readonly isIdle: boolean;
  /** A summary that the user asked for is written: they go right after it. */
  readonly isSummarising: boolean;
  readonly onEdit: (id: QueuedId, text: string) => void;
  readonly onRemove: (id: QueuedId) => void;
}

export function QueueChips({ queue, isIdle, isSummarising, onEdit, onRemove }: QueueChipsProps) {
  const words = useWords();
  const [editing, setEditing] = useState<QueuedId | null>(null);
  if (queue.length === 0) return null;
  return (
    <ul
      aria-label={words.composer.queue}
      className="mx-3 max-h-36 overflow-y-auto rounded-t-card border border-b-0 border-line bg-surface text-base"
    >
      {queue.map((message) => (
        <li
          key={message.id}
          className="flex min-h-8 items-center gap-2 border-t border-line pr-1 pl-2.5 first:border-t-0"
        >
          <Icon of={ListPlus} size={14} className="text-ink-faint" />
          <span className="shrink-0 text-small text-ink-muted">
            {words.composer.queued[isIdle ? (isSummarising ? "summary" : "idle") : message.intent]}
          </span>
          {editing === message.id ? (
            <QueuedField
              text={message.text}
              onDone={(text) => {
                setEditing(null);
                if (text !== null && text !== message.text) onEdit(message.id, text);
              }}
            />
          ) : (
            <span className="min-w-0 flex-1 cut">{message.text}</span>
          )}
          <IconButton
            icon={Pencil}
            size="small"
            name={words.composer.editQueued}
            onClick={() => setEditing(message.id)}
          />
          <IconButton icon={X} size="small" name={words.composer.removeQueued} onClick={() => onRemove(message.id)} />
        </li>
      ))}
    </ul>
  );
}

/** Enter keeps, Esc leaves it as it was; so does an empty text. */
function QueuedField({ text, onDone }: { readonly text: string; readonly onDone: (text: string | null) => void }) {
  const words = useWords();
  const [draft, setDraft] = useState(text);
  const keep = (): void => onDone(draft.trim() === "" ? null : draft.trim());
  return (
    <TextField
      autoFocus
      value={draft}
      aria-label={words.composer.editQueued}
      className="h-6.5! flex-1"
      onChange={(event) => setDraft(event.target.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter") keep();
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onDone(null);
      }}
    />
  );
}
