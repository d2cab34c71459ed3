"use client";
/** Holds Enter on a text that may be a command of an extension or server until their commands are known. */
import { type RefObject, useEffect, useState } from "react";

interface HeldSend {
  readonly isHeld: boolean;
  /** Takes an Enter with these modifiers if it cannot be decided yet what the text is; false = it can. */
  readonly hold: (modifiers: KeyboardEventInit) => boolean;
  readonly setKnown: (areCommandsKnown: boolean) => void;
}

/** The held Enter is pressed again once the commands are known, unless the text was edited meanwhile. */
export function useHeldSend(text: string, canCommand: boolean, area: RefObject<HTMLElement | null>): HeldSend {
  const [isKnown, setKnown] = useState(false);
  const [held, setHeld] = useState<{ readonly text: string; readonly modifiers: KeyboardEventInit } | null>(null);
  const isUndecided = canCommand && text.startsWith("/") && !isKnown;
  useEffect(() => {
    if (held === null || (isUndecided && held.text === text)) return;
    setHeld(null);
    if (held.text !== text) return;
    const press = { key: "Enter", bubbles: true, cancelable: true, ...held.modifiers };
    area.current?.dispatchEvent(new KeyboardEvent("keydown", press));
  });
  return {
    isHeld: held !== null,
    hold: (modifiers) => {
      if (isUndecided) setHeld({ text, modifiers });
      return isUndecided;
    },
    setKnown,
  };
}
