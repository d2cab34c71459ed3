"use client";
/**
 * Keeps the buttons of a card from a press that was meant for something else: for a moment after they appeared, or moved under a
 * pointer that rests. Used by approval-card.tsx.
 */
import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { limits } from "@/lib/settings";

/** Where the pointer was last, on the screen; null = it has not moved since the first of the cards appeared. */
const pointer: { at: { readonly x: number; readonly y: number } | null } = { at: null };
const followers = { count: 0 };
const follow = ({ screenX, screenY }: PointerEvent): void => {
  pointer.at = { x: screenX, y: screenY };
};

export interface Rest {
  /** The buttons take no press now. */
  readonly isResting: boolean;
  readonly ref: RefObject<HTMLDivElement | null>;
  /** For the element around the buttons, as `ref`. */
  readonly onPointerOver: (event: ReactPointerEvent<HTMLElement>) => void;
}

export function useRest(): Rest {
  // The number of the rest that goes on; 0 = none.
  const [rest, setRest] = useState(1);
  const ref = useRef<HTMLDivElement>(null);
  /** Where the buttons were when they were last known to be where the user sees them. */
  const placed = useRef("");
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
    if (rest === 0) return;
    const timer = setTimeout(() => {
      placed.current = placeOf(ref.current);
      setRest(0);
    }, limits.approvalRestMs);
    return () => clearTimeout(timer);
  }, [rest]);
  return {
    isResting: rest !== 0,
    ref,
    onPointerOver: ({ screenX, screenY }) => {
      const before = placed.current;
      placed.current = placeOf(ref.current);
      const isStill = pointer.at === null || (pointer.at.x === screenX && pointer.at.y === screenY);
      if (isStill && before !== placed.current) setRest((count) => count + 1);
    },
  };
}

function placeOf(element: HTMLElement | null): string {
  if (element === null) return "";
  const { left, top } = element.getBoundingClientRect();
  return `${Math.round(left)} ${Math.round(top)}`;
}
