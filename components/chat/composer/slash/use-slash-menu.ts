"use client";
/** State of the command menu: the commands matching the text, until Esc dismisses them. */
import { useState } from "react";
import { type SlashName, matchSlashCommands } from "./slash-commands";

interface SlashMenuState {
  readonly names: readonly SlashName[];
  /** The command that Enter picks; null = none is offered. */
  readonly chosen: SlashName | null;
  readonly move: (by: -1 | 1) => void;
  /** Hides the menu until the next slash. */
  readonly dismiss: () => void;
}

const noCommands: readonly SlashName[] = [];

/** `canCommand` false = there is no session to command yet. */
export function useSlashMenu(text: string, canCommand: boolean): SlashMenuState {
  const [isDismissed, setDismissed] = useState(false);
  /** The selected index and the text it belongs to: another text starts at index 0. */
  const [choice, setChoice] = useState({ text: "", index: 0 });
  const found = canCommand ? matchSlashCommands(text) : noCommands;
  if (isDismissed && found.length === 0) setDismissed(false);
  const names = isDismissed ? noCommands : found;
  const index = choice.text === text ? choice.index : 0;
  return {
    names,
    chosen: names[index] ?? null,
    move: (by) => setChoice({ text, index: (index + by + names.length) % Math.max(1, names.length) }),
    dismiss: () => setDismissed(true),
  };
}
