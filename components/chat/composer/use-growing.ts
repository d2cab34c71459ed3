"use client";
/** A text field that is as high as its text, up to a height. */
import { type RefObject, useLayoutEffect } from "react";

export function useGrowing(area: RefObject<HTMLTextAreaElement | null>, text: string, maxHeightPx: number): void {
  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return;
    element.style.height = "auto";
    element.style.height = `${Math.min(element.scrollHeight, maxHeightPx)}px`;
  }, [area, text, maxHeightPx]);
}
