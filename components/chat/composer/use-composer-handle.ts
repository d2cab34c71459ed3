"use client";
/** What other parts of the screen may do with the message field. Used by composer.tsx. */
import { type RefObject, useImperativeHandle } from "react";

export interface ComposerHandle {
  readonly focus: () => void;
  /** Puts a text in place of an empty one, behind any other; does not send. */
  readonly insert: (text: string) => void;
  /** Puts a text into an empty field; leaves any other. */
  readonly offer: (text: string) => void;
  /** Empties the field and gives what was in it. */
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
      // A draft goes on where it ends.
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
