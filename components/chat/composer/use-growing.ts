"use client";
/** A text field that is as high as its text, up to a height. */
import { type RefObject, useLayoutEffect } from "react";

/** More than any screen shows in that height: measuring it would lay it out twice more. */
const measuredMaxChars = 20_000;

export function useGrowing(area: RefObject<HTMLTextAreaElement | null>, text: string, maxHeightPx: number): void {
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
