"use client";
/** Rejects a paste or drop that exceeds the message limit: five pasted megabytes would block the page for minutes. */
import { type ClipboardEvent, type DragEvent, useState } from "react";
import { limits } from "@/lib/settings/settings";

interface PasteLimit {
  /** Number of characters over the limit in the last paste or drop; 0 = it was accepted. */
  readonly excessChars: number;
  /** Resets `excessChars`; call when the text changes. */
  readonly reset: () => void;
  /** Handlers of the field. */
  readonly handlers: {
    readonly onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => void;
    readonly onDrop: (event: DragEvent<HTMLTextAreaElement>) => void;
  };
}

/** Takes attachments out of a paste or drop; true = there were some, and the text is not inserted. */
export interface PastedAttachments {
  readonly onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => boolean;
  readonly onDrop: (event: DragEvent<HTMLTextAreaElement>) => boolean;
}

const noAttachments: PastedAttachments = { onPaste: () => false, onDrop: () => false };

/** Returns handlers that reject excess text; the existing text is unchanged. */
export function usePasteLimit(attachments: PastedAttachments = noAttachments): PasteLimit {
  const [keptOut, setKeptOut] = useState(0);
  const check = (event: { preventDefault(): void }, staying: number, data: DataTransfer): void => {
    const excess = staying + data.getData("text/plain").length - limits.promptMaxChars;
    setKeptOut(Math.max(0, excess));
    if (excess > 0) event.preventDefault();
  };
  return {
    excessChars: keptOut,
    reset: () => setKeptOut(0),
    handlers: {
      onPaste: (event) => {
        if (attachments.onPaste(event)) return;
        const { value, selectionStart, selectionEnd } = event.currentTarget;
        check(event, value.length - (selectionEnd - selectionStart), event.clipboardData);
      },
      onDrop: (event) => {
        if (!attachments.onDrop(event)) check(event, event.currentTarget.value.length, event.dataTransfer);
      },
    },
  };
}
