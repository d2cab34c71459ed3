"use client";
/** Imperative handle of the message field. */
import { type RefObject, useImperativeHandle } from "react";

export interface ComposerHandle {
  readonly focus: () => void;
  /** Replaces an empty text or appends to any other; does not send. */
  readonly insert: (text: string) => void;
  /** Sets the text if the field is empty. */
  readonly offer: (text: string) => void;
  /** Clears the field and returns its text. */
  readonly take: () => string;
}

export function useComposerHandle(
  handle: RefObject<ComposerHandle | null> | undefined,
  area: RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: (text: string) => void,
): void {
  useImperativeHandle(handle, () => ({
    focus: () => {
      const field = area.current;
      const isAtStart = field?.selectionEnd === 0;
      field?.focus();
      // Typing continues at the end of the draft.
      if (isAtStart) field.setSelectionRange(field.value.length, field.value.length);
    },
    insert: (more) => {
      setText(text.trim() === "" ? more : `${text.trimEnd()}\n${more}`);
      area.current?.focus();
    },
    offer: (offered) => setText(text.trim() === "" ? offered : text),
    take: () => {
      const taken = area.current?.value ?? "";
      setText("");
      return taken;
    },
  }));
}
