"use client";
/** Keeps the end of a list visible until the reader scrolls up, whatever rows are added, resized or removed. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import type { ListHandle } from "./virtual-list";

/** A box with its scroll offset, the height of its content and its own, px. */
interface ScrollPosition {
  readonly top: number;
  readonly content: number;
  readonly box: number;
}

/** Tolerance for fractions of a pixel from zoom and rounding. */
const slackPx = 2;

/** ms after an input in which a scroll is ascribed to it. Scrolling starts within a few frames, later under load. */
const inputMs = 500;

/** ms after a change of the box in which its content is still laid out again: it may shrink and grow between two looks. */
const settleMs = 100;

/** Distance from the offset that shows the end, px. */
const distanceToEnd = ({ top, content, box }: ScrollPosition): number => content - box - top;

/**
 * Whether the end is still followed after a scroll. Scrolling up by any amount stops following, scrolling down to
 * within `nearPx` of the end resumes it. A browser also scrolls up when content is replaced or the box grows: without
 * an input of the reader (`isByInput`), such a scroll changes nothing, nor does one while the content is still laid out in
 * a changed box (`isSettling`). Pure.
 */
export function isFollowingAfter(
  wasFollowing: boolean,
  before: ScrollPosition,
  now: ScrollPosition,
  {
    nearPx,
    isByInput,
    isSettling,
  }: { readonly nearPx: number; readonly isByInput: boolean; readonly isSettling: boolean },
): boolean {
  const left = distanceToEnd(now);
  const isLayout = !isByInput && (isSettling || now.content !== before.content || now.box !== before.box);
  if (now.top < before.top) return wasFollowing && (isLayout || left <= slackPx);
  return wasFollowing || (now.top > before.top && left <= nearPx);
}

interface FollowOptions {
  readonly list: Pick<ListHandle, "scrollToEnd">;
  readonly box: RefObject<HTMLDivElement | null>;
  readonly nearPx: number;
  readonly isOn: boolean;
  /** Called when the end becomes visible and when it no longer is. */
  readonly onEnd?: (isAtEnd: boolean) => void;
}

/** Returns the scroll handler, and the function that runs a scroll by the program, which may leave the end. */
export function useFollowEnd({ list, box, nearPx, isOn, onEnd }: FollowOptions) {
  const isFollowing = useRef(true);
  const isAtEnd = useRef(true);
  const last = useRef<ScrollPosition>({ top: 0, content: 0, box: 0 });
  const inputAt = useRef(Number.NEGATIVE_INFINITY);
  const boxChangedAt = useRef(Number.NEGATIVE_INFINITY);
  const noteInput = useCallback(() => {
    inputAt.current = performance.now();
  }, []);
  const report = useCallback(() => {
    const next = isFollowing.current || distanceToEnd(last.current) <= nearPx;
    if (next === isAtEnd.current) return;
    isAtEnd.current = next;
    onEnd?.(next);
  }, [nearPx, onEnd]);
  const update = useCallback(
    (isByInput: boolean) => {
      const element = box.current;
      if (element === null) return;
      const now = { top: element.scrollTop, content: element.scrollHeight, box: element.clientHeight };
      const time = performance.now();
      if (now.box !== last.current.box) boxChangedAt.current = time;
      const isSettling = time - boxChangedAt.current < settleMs;
      isFollowing.current = isFollowingAfter(isFollowing.current, last.current, now, { nearPx, isByInput, isSettling });
      last.current = now;
      report();
    },
    [box, nearPx, report],
  );
  const onScroll = useCallback(() => update(performance.now() - inputAt.current < inputMs), [update]);
  const scrollByProgram = useCallback(
    (scroll: () => void) => {
      onScroll();
      scroll();
      // At once: the scroll event may come late, and with a change of the content that would explain it.
      update(true);
      // For a smooth scroll only the events remain, which count as input.
      noteInput();
    },
    [noteInput, onScroll, update],
  );
  const follow = useCallback(() => {
    onScroll();
    if (isFollowing.current && distanceToEnd(last.current) > 1) list.scrollToEnd();
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
  useEffect(() => {
    const element = box.current;
    if (!isOn || element === null) return;
    const types = ["wheel", "touchmove", "keydown"] as const;
    for (const type of types) element.addEventListener(type, noteInput, { passive: true });
    return () => types.forEach((type) => element.removeEventListener(type, noteInput));
  }, [box, noteInput, isOn]);
  return { onScroll, scrollByProgram };
}
