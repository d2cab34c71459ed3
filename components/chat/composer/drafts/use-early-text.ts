"use client";
/** Transfers early text into the composer and detects an open composition of an input method. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { readDraft } from "./drafts";
import { restoreEarlyText, storeReplacedField, takeEarlyText } from "./early-text";

/** Restores early text in the composer, and focus and selection of a replaced field, whose caret `setCaret` gets. `waits` = an Enter pressed earlier is pending; the composer cancels it when the text is edited. */
export function useEarlyText(
  draftKey: string,
  area: RefObject<HTMLTextAreaElement | null>,
  setText: (text: string) => void,
  setCaret: (caret: number) => void,
): readonly [waits: boolean, setWaits: (waits: boolean) => void] {
  const [waits, setState] = useState(false);
  const setWaits = useCallback(
    (isPending: boolean): void => {
      setState(isPending);
      // The field that replaces this one takes it over.
      if (isPending) area.current?.setAttribute("data-sends", "");
      else area.current?.removeAttribute("data-sends");
    },
    [area],
  );
  useLayoutEffect(() => {
    const field = area.current;
    if (field === null) return;
    const early = takeEarlyText(draftKey);
    if (early !== null) {
      setText(restoreEarlyText(field, readDraft(draftKey), early));
      // The browser reports a selection set by the program later, or never.
      if (early.hasFocus) setCaret(field.selectionEnd);
    }
    if (early?.sends === true) setWaits(true);
    return () => storeReplacedField(field, draftKey);
  }, [draftKey, area, setText, setCaret, setWaits]);
  return [waits, setWaits];
}

/** Sends the pending early message as soon as sending is possible. */
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

const subscribeToCompositionEnd = (listener: () => void): (() => void) => {
  addEventListener("compositionend", listener);
  return () => removeEventListener("compositionend", listener);
};

/** True while an input method composes in the exported page's field: replacing the field would lose the composition. */
export const useEarlyComposition = (isReplaced: () => boolean): boolean =>
  useSyncExternalStore(
    subscribeToCompositionEnd,
    () => !isReplaced() && document.querySelector("textarea[data-early][data-composing]") !== null,
    () => false,
  );
