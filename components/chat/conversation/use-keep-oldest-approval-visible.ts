"use client";
/**
 * While several approval cards wait and the reader follows the end, scrolls to the oldest card: keys answer that one,
 * and newer cards below would push it out of the viewport. When none waits, the end is followed again.
 */
import { type MouseEvent, type RefObject, useEffect, useMemo, useRef } from "react";
import type { CallId } from "@/lib/events/id";
import type { ListHandle } from "../../ui/layout/virtual-list";
import type { WaitingApproval } from "../approval/approval-sheet";
import type { ConversationItem } from "./conversation-items";

interface OldestApprovalOptions {
  readonly list: RefObject<ListHandle | null>;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly items: readonly ConversationItem[];
  /** The waiting approvals, oldest first. */
  readonly pending: readonly WaitingApproval[];
  readonly atEnd: boolean;
  /** False = the cards are not in the list (phones). */
  readonly isOn: boolean;
}

/** Index of the row of a call; -1 = it has none. */
export const findCallIndex = (items: readonly ConversationItem[], callId: CallId): number =>
  items.findIndex(({ content }) => content.kind === "call" && content.call.callId === callId);

const opensOtherContent = (target: EventTarget): boolean =>
  target instanceof Element &&
  target.closest("button, a, summary") !== null &&
  target.closest("[data-approval]") === null;

/** Returns listeners for the list that release the scroll position when the reader scrolls or opens something. */
export function useKeepOldestApprovalVisible({ list, scroller, items, pending, atEnd, isOn }: OldestApprovalOptions) {
  const waiting = pending.length;
  const callId = pending[0]?.call.callId;
  const index = useMemo(() => (callId === undefined ? -1 : findCallIndex(items, callId)), [items, callId]);
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
    // Runs after the list has followed the new card to the end.
    const frame = requestAnimationFrame(() => list.current?.scrollToIndex(index, { align: "auto" }));
    return () => cancelAnimationFrame(frame);
  }, [list, index, waiting, isOn]);
  useEffect(() => {
    const element = scroller.current;
    if (!isOn || element === null) return;
    const observer = new ResizeObserver(() => {
      if (isHeld.current) list.current?.scrollToIndex(index, { align: "auto" });
    });
    observer.observe(element);
    // Its only child has the height of all rows: a card also grows when its parts have loaded.
    if (element.firstElementChild !== null) observer.observe(element.firstElementChild);
    return () => observer.disconnect();
  }, [list, scroller, index, isOn]);
  useEffect(() => {
    wasAtEnd.current = atEnd;
  }, [atEnd]);
  return useMemo(() => {
    const letGo = (): void => {
      isHeld.current = false;
    };
    const onClick = ({ target }: MouseEvent): void => {
      if (opensOtherContent(target)) letGo();
    };
    return { onWheel: letGo, onTouchMove: letGo, onClick };
  }, []);
}
