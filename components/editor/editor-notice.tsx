"use client";
/** Bar above the text that reports a conflict, a deletion, a failed save or a read-only file, with its actions. */
import type { ReactNode } from "react";
import { Button } from "../ui/button";
import { classes } from "../ui/classes";
import { useWords } from "../words/words";
import type { Document } from "./desk";

export interface EditorNoticeProps {
  readonly document: Document;
  readonly onCompare: () => void;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
  readonly onSave: () => void;
  readonly onClose: () => void;
}

export function EditorNotice({ document, onCompare, onKeepMine, onTakeTheirs, onSave, onClose }: EditorNoticeProps) {
  const words = useWords();
  if (document.theirs !== null)
    return (
      <Bar tone="ask" text={words.editor.conflict}>
        <Button size="small" onClick={onCompare}>
          {words.editor.compare}
        </Button>
        <Button size="small" onClick={onKeepMine}>
          {words.editor.keepMine}
        </Button>
        <Button size="small" onClick={onTakeTheirs}>
          {words.editor.takeTheirs}
        </Button>
      </Bar>
    );
  if (document.isDeleted)
    return (
      <Bar tone="ask" text={words.editor.deletedNote}>
        <Button size="small" onClick={onSave}>
          {words.editor.recreate}
        </Button>
        <Button size="small" look="quiet" onClick={onClose}>
          {words.editor.close}
        </Button>
      </Bar>
    );
  if (document.saveError !== null)
    return (
      <Bar tone="danger" text={`${words.editor.saveFailed} ${words.errors.sentences[document.saveError.code]}`}>
        <Button size="small" onClick={onSave}>
          {words.common.retry}
        </Button>
      </Bar>
    );
  const readOnly = document.file?.readOnly ?? null;
  return readOnly === null ? null : <Bar tone="plain" text={words.editor.readOnly[readOnly]} />;
}

const tones = { plain: "bg-surface", ask: "bg-ask-soft", danger: "bg-danger-soft" } as const;

function Bar({
  tone,
  text,
  children,
}: {
  readonly tone: keyof typeof tones;
  readonly text: string;
  readonly children?: ReactNode;
}) {
  return (
    <div
      role="status"
      className={classes("flex shrink-0 flex-wrap items-center gap-2 border-b border-line px-3 py-1.5", tones[tone])}
    >
      <span className="min-w-48 flex-1 py-1">{text}</span>
      <span className="flex flex-wrap gap-2">{children}</span>
    </div>
  );
}
