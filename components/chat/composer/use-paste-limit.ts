"use client";
/** Keeps out of a field what no message can hold: five megabytes pasted would stop the page for minutes. Used by composer and text-editor. */
import { type ClipboardEvent, type DragEvent, useState } from "react";
import { limits } from "@/lib/settings";

export interface PasteLimit {
  /** By how many characters what was pasted last was too much; 0 = it was not. */
  readonly keptOut: number;
  /** To be called when the text changes. */
  readonly forget: () => void;
  /** Of the field. */
  readonly handlers: {
    readonly onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => void;
    readonly onDrop: (event: DragEvent<HTMLTextAreaElement>) => void;
  };
}

/** Takes images out of what is pasted or dropped; true = there were some, and the text is not put in. */
export interface PastedImages {
  readonly onPaste: (event: ClipboardEvent<HTMLTextAreaElement>) => boolean;
  readonly onDrop: (event: DragEvent<HTMLTextAreaElement>) => boolean;
}

const noImages: PastedImages = { onPaste: () => false, onDrop: () => false };

/** What was there stays as it was. */
export function usePasteLimit(images: PastedImages = noImages): PasteLimit {
  const [keptOut, setKeptOut] = useState(0);
  const check = (event: { preventDefault(): void }, staying: number, data: DataTransfer): void => {
    const excess = staying + data.getData("text/plain").length - limits.promptMaxChars;
    setKeptOut(Math.max(0, excess));
    if (excess > 0) event.preventDefault();
  };
  return {
    keptOut,
    forget: () => setKeptOut(0),
    handlers: {
      onPaste: (event) => {
        if (images.onPaste(event)) return;
        const { value, selectionStart, selectionEnd } = event.currentTarget;
        check(event, value.length - (selectionEnd - selectionStart), event.clipboardData);
      },
      onDrop: (event) => {
        if (!images.onDrop(event)) check(event, event.currentTarget.value.length, event.dataTransfer);
      },
    },
  };
}
