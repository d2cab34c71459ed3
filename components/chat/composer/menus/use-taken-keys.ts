"use client";
/** Takes keys of the message field before the field gets them, as long as a menu or a run of a command is open. */
import { useLayoutEffect } from "react";

/** `inside` = an element of the composer whose field it is. */
export function useTakenKeys(
  inside: { readonly current: HTMLElement | null },
  isActive: boolean,
  keys: { readonly [key: string]: (() => void) | undefined },
): void {
  useLayoutEffect(() => {
    const composer = inside.current?.closest<HTMLElement>("[data-composer]");
    if (!isActive || composer === null || composer === undefined) return;
    const take = (event: KeyboardEvent): void => {
      const act = event.isComposing || event.shiftKey ? undefined : keys[event.key];
      if (act === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    composer.addEventListener("keydown", take, { capture: true });
    return () => composer.removeEventListener("keydown", take, { capture: true });
  });
}
