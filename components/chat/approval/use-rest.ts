"use client";
/**
 * Disables the buttons of a card against presses meant for something else: briefly after they appear, and after they
 * move under a pointer that does not move.
 */
import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { limits } from "@/lib/settings";

/** Last pointer position in screen coordinates; null = not moved since the first card appeared. */
const pointer: { at: { readonly x: number; readonly y: number } | null } = { at: null };
const followers = { count: 0 };
const follow = ({ screenX, screenY }: PointerEvent): void => {
  pointer.at = { x: screenX, y: screenY };
};

export interface Rest {
  /** The buttons are disabled. */
  readonly isResting: boolean;
  readonly ref: RefObject<HTMLDivElement | null>;
  /** Handler of the element that has `ref`. */
  readonly onPointerOver: (event: ReactPointerEvent<HTMLElement>) => void;
}

export function useRest(): Rest {
  // Sequence number of the active period; 0 = none. A new number restarts the timer.
  const [period, setPeriod] = useState(1);
  const ref = useRef<HTMLDivElement>(null);
  /** Position of the buttons that the user last had time to see. */
  const shownAt = useRef("");
  useEffect(() => {
    if (followers.count === 0) {
      pointer.at = null;
      addEventListener("pointermove", follow, { capture: true, passive: true });
    }
    followers.count += 1;
    return () => {
      followers.count -= 1;
      if (followers.count === 0) removeEventListener("pointermove", follow, { capture: true });
    };
  }, []);
  useEffect(() => {
    if (period === 0) return;
    const timer = setTimeout(() => {
      shownAt.current = placeOf(ref.current);
      setPeriod(0);
    }, limits.approvalRestMs);
    return () => clearTimeout(timer);
  }, [period]);
  return {
    isResting: period !== 0,
    ref,
    onPointerOver: ({ screenX, screenY }) => {
      const before = shownAt.current;
      shownAt.current = placeOf(ref.current);
      const isStill = pointer.at === null || (pointer.at.x === screenX && pointer.at.y === screenY);
      if (isStill && before !== shownAt.current) setPeriod((count) => count + 1);
    },
  };
}

function placeOf(element: HTMLElement | null): string {
  if (element === null) return "";
  const { left, top } = element.getBoundingClientRect();
  return `${Math.round(left)} ${Math.round(top)}`;
}
