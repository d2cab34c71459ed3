"use client";
/** State of the menu of mentions: the mention at the caret, until Esc dismisses it, and the selected row. */
import { useState } from "react";
import { findMention, type Mention } from "./mention";

export interface MentionMenuState {
  /** null = none is typed, or it was dismissed. */
  readonly mention: Mention | null;
  /** The menu takes the keys: it has choices, or they are still being searched. */
  readonly isOffering: boolean;
  readonly index: number;
  /** Enter was pressed: the selected row is picked as soon as the choices of the text are complete. */
  readonly isSubmitted: boolean;
  readonly submit: () => void;
  readonly move: (delta: -1 | 1) => void;
  /** Hides the menu until another mention is typed. */
  readonly dismiss: () => void;
  /** The number of rows. */
  readonly setCount: (count: number) => void;
  readonly setCaret: (caret: number) => void;
}

/** `names` = mentions that are complete: those of the references in the draft. */
export function useMentions(text: string, isEnabled: boolean, names: readonly string[]): MentionMenuState {
  const [caret, setCaret] = useState(-1);
  const [dismissedAt, setDismissedAt] = useState<number | null>(null);
  const [count, setCount] = useState<number | null>(null);
  /** The selected row and the text it belongs to: another text starts at the first row. */
  const [choice, setChoice] = useState({ typed: "", index: 0, isSubmitted: false });
  const found = isEnabled ? findMention(text, caret) : null;
  const typed = found === null ? "" : text.slice(found.start, found.end);
  if (found === null && (dismissedAt !== null || count !== null)) {
    setDismissedAt(null);
    setCount(null);
  }
  const isOver = found === null || found.start === dismissedAt || names.includes(typed.slice(1));
  const current = choice.typed === typed ? choice : { typed, index: 0, isSubmitted: false };
  return {
    mention: isOver ? null : found,
    isOffering: !isOver && count !== 0,
    index: current.index,
    isSubmitted: current.isSubmitted,
    submit: () => setChoice({ ...current, isSubmitted: true }),
    move: (delta) => {
      const rows = Math.max(1, count ?? 1);
      setChoice({ ...current, index: (current.index + delta + rows) % rows });
    },
    dismiss: () => setDismissedAt(found?.start ?? null),
    setCount,
    setCaret,
  };
}
