"use client";
/** Takes keys of the message field before the field gets them, as long as a menu or a run of a command is open. */
import { useLayoutEffect, useRef } from "react";
import { isForInputMethod } from "../../../ui/browser/is-for-input-method";

/** `inside` = an element of the composer whose field it is. Keys with a modifier are left to the field. */
export function useTakenKeys(
  inside: { readonly current: HTMLElement | null },
  isActive: boolean,
  keys: { readonly [key: string]: (() => void) | undefined },
): void {
  const compositionEndedAt = useRef(Number.NEGATIVE_INFINITY);
  useLayoutEffect(() => {
    const composer = inside.current?.closest<HTMLElement>("[data-composer]");
    if (!isActive || composer === null || composer === undefined) return;
    const take = (event: KeyboardEvent): void => {
      const { key, isComposing, keyCode, timeStamp } = event;
      const sinceCompositionMs = timeStamp - compositionEndedAt.current;
      const isOther = hasModifier(event) || isForInputMethod({ key, isComposing, keyCode, sinceCompositionMs });
      const act = isOther ? undefined : keys[key];
      if (act === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      act();
    };
    const endComposition = ({ timeStamp }: Event): void => {
      compositionEndedAt.current = timeStamp;
    };
    composer.addEventListener("keydown", take, { capture: true });
    composer.addEventListener("compositionend", endComposition);
    return () => {
      composer.removeEventListener("keydown", take, { capture: true });
      composer.removeEventListener("compositionend", endComposition);
    };
  });
}

const hasModifier = ({ shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean =>
  shiftKey || altKey || ctrlKey || metaKey;
