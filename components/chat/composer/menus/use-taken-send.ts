"use client";
/** Takes the sending of the message field's text, which is a command. */
import { useEffect } from "react";

/** `inside` = an element of the composer whose field it is; `act` null = the text is sent. */
export function useTakenSend(inside: { readonly current: HTMLElement | null }, act: (() => void) | null): void {
  useEffect(() => {
    const composer = inside.current?.closest("[data-composer]");
    if (act === null || composer === null || composer === undefined) return;
    const take = (event: Event): void => {
      // Another part of the composer was first.
      if (event.defaultPrevented) return;
      event.preventDefault();
      act();
    };
    composer.addEventListener("beforesend", take);
    return () => composer.removeEventListener("beforesend", take);
  });
}
