"use client";
/** Sizes a textarea to its text, or its placeholder while it is empty, up to a maximum height. */
import { type RefObject, useLayoutEffect } from "react";

/** Longer texts exceed any screen's height anyway: measuring would cost two more layouts. */
const measuredMaxChars = 20_000;

interface AutoHeightOptions {
  readonly text: string;
  readonly placeholder?: string;
  readonly maxHeightPx: number;
}

export function useAutoHeight(
  area: RefObject<HTMLTextAreaElement | null>,
  { text, placeholder, maxHeightPx }: AutoHeightOptions,
): void {
  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    if (text.length > measuredMaxChars) {
      element.style.height = `${maxHeightPx}px`;
      return;
    }
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, maxHeightPx)}px`;
  }, [area, text, placeholder, maxHeightPx]);
}
