"use client";
/**
 * While several cards wait and the reader follows the end, the oldest card is the one in sight: it is the one that keys answer, and
 * newer cards below would push it out. When none waits any more, the end is followed again. Used by conversation.tsx.
 */
import { type RefObject, useEffect, useMemo, useRef } from "react";
import type { CallId } from "@/lib/id";
import type { ListVirtualizer } from "../ui/virtual-list";
import type { Pending } from "./approval/approval-sheet";
import type { Item } from "./items";

export interface OldestInSight {
  readonly list: RefObject<ListVirtualizer | null>;
  readonly items: readonly Item[];
  /** The waiting cards, the oldest first. */
  readonly pending: readonly Pending[];
  readonly atEnd: boolean;
  /** False = cards are not in the list, as on a phone. */
  readonly isOn: boolean;
}

/** Index of the row of a call; -1 = it has none. */
export const indexOfCall = (items: readonly Item[], callId: CallId): number =>
  items.findIndex(({ content }) => content.kind === "call" && content.call.callId === callId);

/** Listeners for the list: once the reader scrolls, the place is the reader's. */
export function useOldestInSight({ list, items, pending, atEnd, isOn }: OldestInSight) {
  const waiting = pending.length;
  const callId = pending[0]?.call.callId;
  const index = useMemo(() => (callId === undefined ? -1 : indexOfCall(items, callId)), [items, callId]);
  const isHeld = useRef(false);
  const wasAtEnd = useRef(atEnd);
  useEffect(() => {
    if (!isOn) return;
    if (waiting === 0) {
      if (isHeld.current) list.current?.scrollToEnd();
      isHeld.current = false;
      return;
    }
    if (waiting === 1 && !isHeld.current) return;
    if (!wasAtEnd.current && !isHeld.current) return;
    isHeld.current = true;
    // After the list has followed the new card to the end.
    const frame = requestAnimationFrame(() => list.current?.scrollToIndex(index, { align: "auto" }));
    return () => cancelAnimationFrame(frame);
  }, [list, index, waiting, isOn]);
  useEffect(() => {
    wasAtEnd.current = atEnd;
  }, [atEnd]);
  return useMemo(() => {
    const letGo = (): void => {
      isHeld.current = false;
    };
    return { onWheel: letGo, onTouchMove: letGo };
  }, []);
}
