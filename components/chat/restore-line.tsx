"use client";
/** Files were put back: which, and the way to undo it. Drawn by item-row. */
import { Undo2 } from "lucide-react";
import { useWords } from "@/components/words/words";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { useConversationActions } from "./actions";
import type { ItemContent } from "./items";

type Content = Extract<ItemContent, { kind: "restore" }>;

export function RestoreLine({ entry }: Content) {
  const words = useWords();
  const { restoreFiles } = useConversationActions();
  const paths = entry.files.map((file) => file.path).join(", ");
  return (
    <div className="flex min-h-7 flex-wrap items-center gap-x-2 text-small text-ink-muted">
      <Icon of={Undo2} size={14} className="text-ink-faint" />
      <span>{words.chat.restored(entry.files.length)}</span>
      <code title={paths} className="max-w-80 min-w-0 cut text-ink-faint">
        {paths}
      </code>
      {restoreFiles !== undefined && (
        <Button size="small" look="quiet" onClick={() => restoreFiles(entry.seq - 1)}>
          {words.chat.undoRestore}
        </Button>
      )}
    </div>
  );
}
