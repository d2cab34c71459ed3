"use client";
/** Rejects a paste or drop that exceeds the message limit: five pasted megabytes would block the page for minutes. */
import { type ClipboardEvent, type DragEvent, useState } from "react";
import type { NewReference } from "@/lib/protocol/reference-commands";
import { limits } from "@/lib/settings/settings";

export interface PasteLimit {
  /** Number of characters over the limit in the last paste or drop; 0 = it was accepted. */
  readonly excessChars: number;
  /** Resets `excessChars`; call when the text changes. */
  readonly reset: () => void;
  /** Adds files or a long text to the draft, or refuses excess text; false = the text belongs at the caret. */
  readonly paste: (field: HTMLTextAreaElement, files: readonly File[], text: string) => boolean;
  /** Handlers of the field. */
  readonly handlers: {
    readonly onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => void;
    readonly onDrop: (event: DragEvent<HTMLTextAreaElement>) => void;
  };
}

/** Adds the content of a paste, a drop or a choice of files to the draft. */
export interface AttachmentAdder {
  /** False = there are no files, or they cannot be added here. */
  readonly addFiles: (files: readonly File[]) => boolean;
  /** Adds a long text as a reference; false = it belongs into the text of the message. */
  readonly addText: (text: string) => boolean;
  /** False = there are none, or they cannot be added here. */
  readonly addReferences: (references: readonly NewReference[]) => boolean;
}

const noAttachments: AttachmentAdder = {
  addFiles: () => false,
  addText: () => false,
  addReferences: () => false,
};

/** Returns handlers that reject excess text; the existing text is unchanged. */
export function usePasteLimit(adder: AttachmentAdder = noAttachments): PasteLimit {
  const [keptOut, setKeptOut] = useState(0);
  const isExcess = (stayingChars: number, text: string): boolean => {
    const excess = stayingChars + text.length - limits.promptMaxChars;
    setKeptOut(Math.max(0, excess));
    return excess > 0;
  };
  const paste: PasteLimit["paste"] = ({ value, selectionStart, selectionEnd }, files, text) =>
    adder.addFiles(files) || adder.addText(text) || isExcess(value.length - (selectionEnd - selectionStart), text);
  return {
    excessChars: keptOut,
    reset: () => setKeptOut(0),
    paste,
    handlers: {
      onPaste: (event) => {
        const { clipboardData: data, currentTarget } = event;
        if (paste(currentTarget, [...data.files], data.getData("text/plain"))) event.preventDefault();
      },
      onDrop: (event) => {
        const { defaultPrevented, currentTarget, dataTransfer } = event;
        if (!defaultPrevented && isExcess(currentTarget.value.length, dataTransfer.getData("text/plain")))
          event.preventDefault();
      },
    },
  };
}
