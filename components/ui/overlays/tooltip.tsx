"use client";
/**
 * Tooltip with a name and shortcut: after a delay on hover, at once on keyboard focus. The control needs its own
 * accessible name.
 */
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { KeyHint } from "../indicators/key-hint";
import { type FloatingSide, useFloating } from "./use-floating";

const hoverDelayMs = 450;

interface BubbleProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly side: FloatingSide;
  readonly shortcut?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

function Bubble({ anchor, side, shortcut, onClose, children }: BubbleProps) {
  const floating = useRef<HTMLDivElement>(null);
  // The next key belongs to something else.
  useEffect(() => {
    addEventListener("keydown", onClose, true);
    return () => removeEventListener("keydown", onClose, true);
  }, [onClose]);
  useFloating(anchor, floating, { side, align: "center", gap: 6 });
  return (
    <div
      ref={floating}
      popover="manual"
      role="tooltip"
      className="pointer-events-none fixed inset-auto m-0 max-w-72 animate-appear items-center gap-2 rounded-control border border-line bg-raised px-2 py-1 text-small text-ink shadow-float open:flex"
    >
      {children}
      {shortcut !== undefined && <KeyHint keys={shortcut} />}
    </div>
  );
}

interface TooltipProps {
  readonly anchor: RefObject<HTMLElement | null>;
  readonly side?: FloatingSide;
  readonly shortcut?: string;
  readonly children: ReactNode;
}

/** Render it beside the anchor; it listens to the anchor's events. Not shown for touch, which has no hover. */
export function Tooltip({ anchor, side = "above", shortcut, children }: TooltipProps) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const element = anchor.current;
    if (element === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const close = (): void => {
      clearTimeout(timer);
      setOpen(false);
    };
    const enter = (event: PointerEvent): void => {
      if (event.pointerType === "mouse") timer = setTimeout(() => setOpen(true), hoverDelayMs);
    };
    const focus = (): void => {
      if (element.matches(":focus-visible")) setOpen(true);
    };
    element.addEventListener("pointerenter", enter);
    element.addEventListener("focus", focus);
    for (const type of ["pointerleave", "pointerdown", "blur"]) element.addEventListener(type, close);
    return () => {
      clearTimeout(timer);
      element.removeEventListener("pointerenter", enter);
      element.removeEventListener("focus", focus);
      for (const type of ["pointerleave", "pointerdown", "blur"]) element.removeEventListener(type, close);
    };
  }, [anchor]);
  return open ? (
    <Bubble anchor={anchor} side={side} shortcut={shortcut} onClose={() => setOpen(false)}>
      {children}
    </Bubble>
  ) : null;
}
