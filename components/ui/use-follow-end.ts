"use client";
/** Keeps the end of a list in sight until the reader scrolls up, whatever rows come, grow or go. Used by virtual-list.tsx. */
import { type RefObject, useCallback, useLayoutEffect, useRef } from "react";
import type { ListVirtualizer } from "./virtual-list";

/** Where a box stands, px: its offset, and the offset that shows its end. */
export interface ScrollPlace {
  readonly top: number;
  readonly end: number;
}

/** Fractions of a pixel that zoom and rounding leave. */
const slackPx = 2;

/**
 * Whether the end is followed after a move. Going up lets go at once, by however little, unless the list only got shorter;
 * coming down to within `nearPx` of the end takes hold again. Pure.
 */
export function followsAfter(wasFollowing: boolean, before: ScrollPlace, now: ScrollPlace, nearPx: number): boolean {
  const left = now.end - now.top;
  if (now.top < before.top) return wasFollowing && left <= slackPx;
  return wasFollowing || (now.top > before.top && left <= nearPx);
}

/** Gives what has to hear of scrolling. */
export function useFollowEnd(
  list: ListVirtualizer,
  box: RefObject<HTMLDivElement | null>,
  nearPx: number,
  isOn: boolean,
): () => void {
  const isFollowing = useRef(true);
  const last = useRef<ScrollPlace>({ top: 0, end: 0 });
  const look = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    const now = { top: element.scrollTop, end: element.scrollHeight - element.clientHeight };
    isFollowing.current = followsAfter(isFollowing.current, last.current, now, nearPx);
    last.current = now;
  }, [box, nearPx]);
  // Each drawing may have changed the height, also one that only measured; the list draws before the scrolling is told here.
  useLayoutEffect(() => {
    if (!isOn) return;
    look();
    if (isFollowing.current && last.current.end - last.current.top > 1) list.scrollToEnd();
  });
  return look;
}
