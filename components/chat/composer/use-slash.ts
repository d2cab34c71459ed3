"use client";
/** Which commands stand above the composer's field: what the text may become, until Esc puts them away. */
import { useState } from "react";
import { type SlashName, slashMatches } from "./slash";

export interface OfferedSlashes {
  readonly names: readonly SlashName[];
  /** Puts them away; they are back with the next slash. */
  readonly dismiss: () => void;
}

const none: readonly SlashName[] = [];

/** `canCommand` false = there is nothing to command yet. */
export function useSlash(text: string, canCommand: boolean): OfferedSlashes {
  const [isDismissed, setDismissed] = useState(false);
  const names = canCommand ? slashMatches(text) : none;
  if (isDismissed && names.length === 0) setDismissed(false);
  return { names: isDismissed ? none : names, dismiss: () => setDismissed(true) };
}
