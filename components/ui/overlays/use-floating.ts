"use client";
/** Positions a floating box beside its anchor, inside the viewport, in the top layer. */
import { type RefObject, useLayoutEffect } from "react";

export type FloatingSide = "above" | "below" | "right";
export type FloatingAlign = "start" | "center" | "end";

interface FloatingBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const margin = 8;

/**
 * Computes the box position: on the requested side if it fits or the other side is smaller; always inside the viewport. A box at
 * a point, such as the menu of a pointer, covers the point if it fits on neither side.
 */
export function floatingPosition(
  anchor: FloatingBox,
  floating: Pick<FloatingBox, "width" | "height">,
  view: Pick<FloatingBox, "width" | "height">,
  side: FloatingSide,
  align: FloatingAlign,
  gap: number,
): { readonly left: number; readonly top: number; readonly maxHeight: number } {
  if (side === "right")
    return {
      left: Math.round(anchor.left + anchor.width + gap),
      top: Math.round(anchor.top + (anchor.height - floating.height) / 2),
      maxHeight: view.height,
    };
  const above = anchor.top - gap - margin;
  const below = view.height - anchor.top - anchor.height - gap - margin;
  const fits = floating.height <= (side === "above" ? above : below);
  const goesAbove = fits ? side === "above" : above > below;
  const coversAnchor = anchor.height === 0 && floating.height > Math.max(above, below);
  const maxHeight = Math.max(0, coversAnchor ? view.height - 2 * margin : goesAbove ? above : below);
  const height = Math.min(floating.height, maxHeight);
  const beside = goesAbove ? anchor.top - gap - height : anchor.top + anchor.height + gap;
  const wanted =
    align === "start"
      ? anchor.left
      : align === "end"
        ? anchor.left + anchor.width - floating.width
        : anchor.left + (anchor.width - floating.width) / 2;
  return {
    left: Math.round(Math.max(margin, Math.min(wanted, view.width - floating.width - margin))),
    top: Math.round(coversAnchor ? view.height - margin - height : beside),
    maxHeight,
  };
}

/** Shows the floating element as a popover beside the anchor while both are mounted. */
export function useFloating(
  anchor: RefObject<HTMLElement | null>,
  floating: RefObject<HTMLElement | null>,
  options: { readonly side: FloatingSide; readonly align: FloatingAlign; readonly gap?: number },
): void {
  const { side, align, gap = 4 } = options;
  useLayoutEffect(() => {
    const box = floating.current;
    if (box === null) return;
    const place = (): void => {
      const from = anchor.current?.getBoundingClientRect();
      if (from === undefined) return;
      box.style.maxHeight = "none";
      const size = { width: box.offsetWidth, height: box.offsetHeight };
      const position = floatingPosition(from, size, { width: innerWidth, height: innerHeight }, side, align, gap);
      box.style.left = `${position.left}px`;
      box.style.top = `${position.top}px`;
      box.style.maxHeight = `${position.maxHeight}px`;
    };
    if (!box.matches(":popover-open")) box.showPopover();
    place();
    // Content that loads late changes the size.
    const growth = new ResizeObserver(place);
    growth.observe(box);
    addEventListener("resize", place);
    addEventListener("scroll", place, true);
    return () => {
      growth.disconnect();
      removeEventListener("resize", place);
      removeEventListener("scroll", place, true);
    };
  }, [anchor, floating, side, align, gap]);
}
