"use client";
/** Sizes a textarea to its text, up to a maximum height. */
import { type RefObject, useLayoutEffect } from "react";

/** Longer texts exceed any screen's height anyway: measuring would cost two more layouts. */
const measuredMaxChars = 20_000;

export function useAutoHeight(area: RefObject<HTMLTextAreaElement | null>, text: string, maxHeightPx: number): void {
  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    if (text.length > measuredMaxChars) {
      element.style.height = `${maxHeightPx}px`;
      return;
    }
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, maxHeightPx)}px`;
  }, [area, text, maxHeightPx]);
}
