"use client";
/** References of the message that is being written: those of the draft, and the menu that adds one at the caret. */
import { type RefObject, useLayoutEffect, useRef } from "react";
import { type ImageRef, type ReferenceBlock, referenceName } from "@/lib/events/content";
import type { NewReference } from "@/lib/protocol/reference-commands";
import type { SetDraft } from "../drafts/use-draft";
import { draftReferenceName } from "./draft-references";
import { mentionPattern } from "./mention";
import { type MentionMenuState, useMentions } from "./use-mentions";
import { type DraftReferences, type ReferenceStore, useReferences } from "./use-references";

interface ComposerReferences {
  readonly references: DraftReferences;
  readonly mentions: MentionMenuState;
  /** Removes the references whose mention an edit takes out of the text. `next` = the text after it. */
  readonly followEdit: (next: string) => void;
  /** Adds the reference and completes the mention in the text. */
  readonly complete: (reference: NewReference) => void;
  /** The same with images, which the text names. */
  readonly completeImages: (name: string, images: readonly ImageRef[]) => void;
  /** Replaces the text of the mention, for which other choices are shown then. */
  readonly retype: (typed: string) => void;
}

export function useComposerReferences(
  draftKey: string,
  store: ReferenceStore | undefined,
  addImages: (images: readonly ImageRef[]) => void,
  area: RefObject<HTMLTextAreaElement | null>,
  text: string,
  setText: SetDraft,
): ComposerReferences {
  const stored = useReferences(draftKey, store);
  const references: DraftReferences = {
    ...stored,
    remove: (id) => {
      const removed = stored.list.find((one) => one.id === id);
      stored.remove(id);
      if (removed === undefined) return;
      const mention = mentionPattern(draftReferenceName(removed.reference));
      setText((now) => now.replace(mention, ""));
    },
  };
  const names = references.list.map(({ reference }) => draftReferenceName(reference));
  const mentions = useMentions(text, store !== undefined, names);
  const caretAfterPick = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caretAfterPick.current === null) return;
    area.current?.setSelectionRange(caretAfterPick.current, caretAfterPick.current);
    mentions.setCaret(caretAfterPick.current);
    caretAfterPick.current = null;
  });
  const retype = (typed: string): void => {
    if (mentions.mention === null) return;
    const { start, end } = mentions.mention;
    const before = `${text.slice(0, start)}@${typed}`;
    setText((now) => {
      // The caret is behind what was typed while the text of the mention was read.
      if (now === text) caretAfterPick.current = before.length;
      return before + now.slice(end).replace(/^ /, "");
    });
  };
  const complete = (reference: NewReference): void => {
    references.add(reference);
    retype(`${draftReferenceName(reference)} `);
  };
  const completeImages = (name: string, images: readonly ImageRef[]): void => {
    addImages(images);
    retype(`${name} `);
  };
  const followEdit = (next: string): void => {
    for (const { id, reference } of stored.list) {
      const mention = mentionPattern(draftReferenceName(reference));
      if (text.search(mention) >= 0 && next.search(mention) < 0) stored.remove(id);
    }
  };
  return { references, mentions, followEdit, complete, completeImages, retype };
}

/** The reference of a message that returns to the field: its content is read again when it is sent. */
export function toNewReference({ kind, label, lines, text }: ReferenceBlock): NewReference {
  if (kind === "text") return { kind, label: referenceName({ label, lines }), text };
  return kind === "folder" ? { kind, path: label } : { kind, path: label, ...(lines === undefined ? {} : { lines }) };
}
