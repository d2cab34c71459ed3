"use client";
/** Which commands stand above the composer's field: what the text may become, until Esc puts them away. */
import { useState } from "react";
import { type SlashName, slashMatches } from "./slash";

export interface OfferedSlashes {
  readonly names: readonly SlashName[];
  /** The one that Enter takes; null = none is offered. */
  readonly chosen: SlashName | null;
  readonly move: (by: -1 | 1) => void;
  /** Puts them away; they are back with the next slash. */
  readonly dismiss: () => void;
}

const none: readonly SlashName[] = [];

/** `canCommand` false = there is nothing to command yet. */
export function useSlash(text: string, canCommand: boolean): OfferedSlashes {
  const [isDismissed, setDismissed] = useState(false);
  /** What was chosen for which text: another one begins at its first. */
  const [choice, setChoice] = useState({ text: "", index: 0 });
  const found = canCommand ? slashMatches(text) : none;
  if (isDismissed && found.length === 0) setDismissed(false);
  const names = isDismissed ? none : found;
  const index = choice.text === text ? choice.index : 0;
  return {
    names,
    chosen: names[index] ?? null,
    move: (by) => setChoice({ text, index: (index + by + names.length) % Math.max(1, names.length) }),
    dismiss: () => setDismissed(true),
  };
}
