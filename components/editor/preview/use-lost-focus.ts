"use client";
import { type RefObject, useEffect } from "react";

/** Focuses the element when it appears and the element that had the focus is gone. */
export function useLostFocus(element: RefObject<HTMLElement | null>, isShown = true): void {
  useEffect(() => {
    if (isShown && document.activeElement === document.body) element.current?.focus();
  }, [element, isShown]);
}
