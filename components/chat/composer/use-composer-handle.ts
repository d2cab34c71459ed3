"use client";
/** Imperative handle of the message field. */
import { type RefObject, useImperativeHandle } from "react";
import type { NewReference } from "@/lib/protocol/reference-commands";
import type { SetDraft } from "./drafts/use-draft";
import type { ComposerControl, ComposerMenu } from "../../state/workbench/component-handles";

export interface ComposerHandle {
  readonly focus: () => void;
  /** Replaces an empty text or appends to any other; does not send. */
  readonly insert: (text: string) => void;
  /** Sets the text if the field is empty. */
  readonly offer: (text: string) => void;
  /** Adds a reference to the message and focuses the field. */
  readonly attach: (reference: NewReference) => void;
  /** Clears the field and returns its text. */
  readonly take: () => string;
  readonly findMenu: ComposerControl["findMenu"];
}

/** The button of a menu below the field has its name in this attribute. */
export const menuAttribute = (menu: ComposerMenu) => ({ "data-menu": menu });

/** Returns `more` on a line of its own after the text. */
export const appendText = (text: string, more: string): string =>
  text.trim() === "" ? more : `${text.trimEnd()}\n${more}`;

export function useComposerHandle(
  handle: RefObject<ComposerHandle | null> | undefined,
  area: RefObject<HTMLTextAreaElement | null>,
  setText: SetDraft,
  addReference: (reference: NewReference) => void,
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
      setText((now) => appendText(now, more));
      area.current?.focus();
    },
    offer: (offered) => setText((now) => (now.trim() === "" ? offered : now)),
    attach: (reference) => {
      addReference(reference);
      area.current?.focus();
    },
    take: () => {
      const typedText = area.current?.value ?? "";
      setText("");
      return typedText;
    },
    findMenu: (menu) => {
      const button = area.current
        ?.closest("[data-composer]")
        ?.querySelector<HTMLButtonElement>(`[data-menu="${menu}"]`);
      return button ? () => button.click() : null;
    },
  }));
}
