"use client";
/** A file restore: its direction, the files, and a button to reverse it. */
import { Redo2, Undo2 } from "lucide-react";
import { useMessages } from "../../messages/messages";
import { Button } from "../../ui/controls/button";
import { Icon } from "../../ui/indicators/icon";
import { useConversationActions } from "../actions";
import type { ItemContent } from "./conversation-items";

type RestoreContent = Extract<ItemContent, { kind: "restore" }>;

export function RestoreLine({ entry, direction }: RestoreContent) {
  const messages = useMessages();
  const sentences = messages.chat.restore[direction];
  const { restoreFiles } = useConversationActions();
  const paths = entry.files.map((file) => file.path).join(", ");
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-2 text-small text-ink-muted">
      <Icon of={direction === "undone" ? Undo2 : Redo2} size={14} className="text-ink-faint" />
      <span>{sentences.summary(entry.files.length)}</span>
      <code title={paths} className="max-w-80 min-w-0 cut text-ink-faint">
        {paths}
      </code>
      {restoreFiles !== undefined && (
        <Button size="small" look="quiet" onClick={() => restoreFiles(entry.seq - 1)}>
          {sentences.reverse}
        </Button>
      )}
    </div>
  );
}
