"use client";
/** Keeps the end of a list visible until the reader scrolls up, whatever rows are added, resized or removed. */
import { type RefObject, useCallback, useLayoutEffect, useRef } from "react";
import type { ListVirtualizer } from "./virtual-list";

/** Scroll offset of a box, and the offset that shows its end, px. */
interface ScrollPosition {
  readonly top: number;
  readonly end: number;
}

/** Tolerance for fractions of a pixel from zoom and rounding. */
const slackPx = 2;

/**
 * Whether the end is still followed after a scroll. Scrolling up by any amount stops following, unless the list only
 * got shorter; scrolling down to within `nearPx` of the end resumes it. Pure.
 */
export function isFollowingAfter(
  wasFollowing: boolean,
  before: ScrollPosition,
  now: ScrollPosition,
  nearPx: number,
): boolean {
  const left = now.end - now.top;
  if (now.top < before.top) return wasFollowing && left <= slackPx;
  return wasFollowing || (now.top > before.top && left <= nearPx);
}

/** Returns the scroll handler. */
export function useFollowEnd(
  list: ListVirtualizer,
  box: RefObject<HTMLDivElement | null>,
  nearPx: number,
  isOn: boolean,
): () => void {
  const isFollowing = useRef(true);
  const last = useRef<ScrollPosition>({ top: 0, end: 0 });
  const onScroll = useCallback(() => {
    const element = box.current;
    if (element === null) return;
    const now = { top: element.scrollTop, end: element.scrollHeight - element.clientHeight };
    isFollowing.current = isFollowingAfter(isFollowing.current, last.current, now, nearPx);
    last.current = now;
  }, [box, nearPx]);
  const follow = useCallback(() => {
    onScroll();
    if (isFollowing.current && last.current.end - last.current.top > 1) list.scrollToEnd();
  }, [list, onScroll]);
  // Every render may have changed the height, even one that only measured; the list renders before the scroll event
  // arrives here.
  useLayoutEffect(() => {
    if (isOn) follow();
  });
  // A box that gets lower hides the end, and the list renders then only if other rows become visible.
  useLayoutEffect(() => {
    const element = box.current;
    if (!isOn || element === null) return;
    const observer = new ResizeObserver(follow);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box, follow, isOn]);
  return onScroll;
}
