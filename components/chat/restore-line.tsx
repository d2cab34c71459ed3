"use client";
/** A file restore: its direction, the files, and a button to reverse it. */
import { Redo2, Undo2 } from "lucide-react";
import { useWords } from "@/components/words/words";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { useConversationActions } from "./actions";
import type { ItemContent } from "./items";

type Content = Extract<ItemContent, { kind: "restore" }>;

export function RestoreLine({ entry, direction }: Content) {
  const words = useWords();
  const sentences = words.chat.restore[direction];
  const { restoreFiles } = useConversationActions();
  const paths = entry.files.map((file) => file.path).join(", ");
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-2 text-small text-ink-muted">
      <Icon of={direction === "undone" ? Undo2 : Redo2} size={14} className="text-ink-faint" />
      <span>{sentences.told(entry.files.length)}</span>
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
