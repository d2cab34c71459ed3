"use client";
/** Bar above the text that reports a conflict, a deletion, a failed save or a read-only file, with its actions. */
import type { ReactNode } from "react";
import { Button } from "../ui/controls/button";
import { classes } from "../ui/theme/classes";
import { useFullMessages } from "../messages/full-messages";
import { describeEncodingError } from "./encoding/encoding-error";
import type { EditorDocument } from "./documents/open-documents";

interface EditorNoticeProps {
  readonly document: EditorDocument;
  readonly onCompare: () => void;
  readonly onKeepMine: () => void;
  readonly onTakeTheirs: () => void;
  readonly onConfirmMerge: () => void;
  readonly onSave: () => void;
  readonly onChooseEncoding: () => void;
  readonly onClose: () => void;
}

export function EditorNotice(props: EditorNoticeProps) {
  const { document, onCompare, onKeepMine, onTakeTheirs, onConfirmMerge, onSave, onChooseEncoding, onClose } = props;
  const messages = useFullMessages();
  if (document.theirs !== null)
    return (
      <NoticeBar tone="ask" text={messages.editor.conflict}>
        <Button size="small" onClick={onCompare}>
          {messages.editor.compare}
        </Button>
        <Button size="small" onClick={onKeepMine}>
          {messages.editor.keepMine}
        </Button>
        <Button size="small" onClick={onTakeTheirs}>
          {messages.editor.takeTheirs}
        </Button>
      </NoticeBar>
    );
  if (document.isDeleted)
    return (
      <NoticeBar tone="ask" text={messages.editor.deletedNote}>
        <Button size="small" onClick={onSave}>
          {messages.editor.recreate}
        </Button>
        <Button size="small" look="quiet" onClick={onClose}>
          {messages.editor.close}
        </Button>
      </NoticeBar>
    );
  if (document.saveError !== null)
    return (
      <NoticeBar
        tone="danger"
        text={`${messages.editor.saveFailed} ${describeEncodingError(document.saveError, messages)}`}
      >
        {document.saveError.code === "unencodable" && (
          <Button size="small" onClick={onChooseEncoding}>
            {messages.editor.encoding.save}
          </Button>
        )}
        <Button size="small" onClick={onSave}>
          {messages.common.retry}
        </Button>
      </NoticeBar>
    );
  if (document.isMerged)
    return (
      <NoticeBar tone="plain" text={messages.editor.merged}>
        <Button size="small" onClick={onConfirmMerge}>
          {messages.common.close}
        </Button>
      </NoticeBar>
    );
  const readOnly = document.file?.readOnly ?? null;
  return readOnly === null ? null : <NoticeBar tone="plain" text={messages.editor.readOnly[readOnly]} />;
}

const tones = { plain: "bg-surface", ask: "bg-ask-soft", danger: "bg-danger-soft" } as const;

export function NoticeBar({
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
