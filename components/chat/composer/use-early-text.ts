"use client";
/** What was typed before the composer was ready, and an input method that must not be interrupted. Used by composer.tsx and the app. */
import { type RefObject, useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { readDraft } from "./drafts";
import { restoreEarly, takeEarly } from "./early-text";

/** Takes early text over into the composer. True while an Enter that was pressed then waits; an edit takes it back. */
export function useEarlyText(
  draftKey: string,
  area: RefObject<HTMLTextAreaElement | null>,
  setText: (text: string) => void,
): readonly [waits: boolean, setWaits: (waits: boolean) => void] {
  const [waits, setWaits] = useState(false);
  useLayoutEffect(() => {
    const field = area.current;
    const early = takeEarly(draftKey);
    if (field === null || early === null) return;
    setText(restoreEarly(field, readDraft(draftKey), early));
    if (!early.sends) return;
    setWaits(true);
    field.addEventListener("input", () => setWaits(false), { once: true });
  }, [draftKey, area, setText]);
  return [waits, setWaits];
}

/** Sends what waits as soon as it can be sent. */
export function useEarlySend(
  [waits, setWaits]: ReturnType<typeof useEarlyText>,
  canSend: boolean,
  send: () => void,
): void {
  useEffect(() => {
    if (!waits || !canSend) return;
    setWaits(false);
    send();
  });
}

const subscribe = (listener: () => void): (() => void) => {
  addEventListener("compositionend", listener);
  return () => removeEventListener("compositionend", listener);
};

/** True while an input method composes in the exported page's field: replacing it would lose the composition. */
export const useEarlyComposition = (isReplaced: () => boolean): boolean =>
  useSyncExternalStore(
    subscribe,
    () => !isReplaced() && document.querySelector("textarea[data-early][data-composing]") !== null,
    () => false,
  );
