"use client";
/**
 * Disables the buttons of a card against presses meant for something else: briefly after they appear, and after they
 * move under a pointer that does not move.
 */
import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { limits } from "@/lib/settings/settings";

/** Last pointer position in screen coordinates; null = not moved since the conversation was opened. */
const lastPointer: { at: { readonly x: number; readonly y: number } | null } = { at: null };
const trackPointer = ({ screenX, screenY }: PointerEvent): void => {
  lastPointer.at = { x: screenX, y: screenY };
};

/** Records the pointer position while the conversation is open, so that a card can tell a moved pointer from a still one. */
export function useTrackPointer(): void {
  useEffect(() => {
    addEventListener("pointermove", trackPointer, { capture: true, passive: true });
    return () => {
      removeEventListener("pointermove", trackPointer, { capture: true });
      lastPointer.at = null;
    };
  }, []);
}

interface ClickGuard {
  /** The buttons are disabled. */
  readonly isActive: boolean;
  readonly ref: RefObject<HTMLDivElement | null>;
  /** Handler of the element that has `ref`. */
  readonly onPointerOver: (event: ReactPointerEvent<HTMLElement>) => void;
}

export function useClickGuard(): ClickGuard {
  // Sequence number of the active period; 0 = none. A new number restarts the timer.
  const [period, setPeriod] = useState(1);
  const ref = useRef<HTMLDivElement>(null);
  /** Position of the buttons that the user last had time to see. */
  const shownAt = useRef("");
  useEffect(() => {
    if (period === 0) return;
    const timer = setTimeout(() => {
      shownAt.current = toPositionKey(ref.current);
      setPeriod(0);
    }, limits.approvalRestMs);
    return () => clearTimeout(timer);
  }, [period]);
  return {
    isActive: period !== 0,
    ref,
    onPointerOver: ({ screenX, screenY }) => {
      const before = shownAt.current;
      shownAt.current = toPositionKey(ref.current);
      const isStill = lastPointer.at === null || (lastPointer.at.x === screenX && lastPointer.at.y === screenY);
      // Synchronous: a press right after this event must find either all buttons disabled or none.
      if (isStill && before !== shownAt.current) flushSync(() => setPeriod((count) => count + 1));
    },
  };
}

function toPositionKey(element: HTMLElement | null): string {
  if (element === null) return "";
  const { left, top } = element.getBoundingClientRect();
  return `${Math.round(left)} ${Math.round(top)}`;
}
