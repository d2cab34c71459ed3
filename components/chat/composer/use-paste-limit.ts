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
        const { files } = event.clipboardData;
        if (adder.addFiles([...files]) || adder.addText(event.clipboardData.getData("text/plain")))
          return event.preventDefault();
        const { value, selectionStart, selectionEnd } = event.currentTarget;
        check(event, value.length - (selectionEnd - selectionStart), event.clipboardData);
      },
      onDrop: (event) => {
        if (!event.defaultPrevented) check(event, event.currentTarget.value.length, event.dataTransfer);
      },
    },
  };
}
