"use client";
/**
 * Virtual list: only visible rows are in the DOM; rows measure themselves. `anchor="end"` is for conversations: rows
 * added at the end are followed while the end is visible, rows added at the start do not move the visible content.
 */
import { useVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { type ComponentProps, type ReactNode, type RefObject, useImperativeHandle, useRef } from "react";
import { useFollowEnd } from "./use-follow-end";

export type ListHandle = Pick<Virtualizer<HTMLDivElement, HTMLDivElement>, "scrollToIndex" | "scrollToEnd">;

interface VirtualListProps extends Omit<ComponentProps<"div">, "children" | "ref"> {
  readonly count: number;
  readonly keyOf: (index: number) => string;
  readonly estimate: (index: number) => number;
  readonly row: (index: number) => ReactNode;
  readonly anchor?: "start" | "end";
  /** Padding before the first and after the last row, px. */
  readonly paddingStart?: number;
  readonly paddingEnd?: number;
  /** Height at the lower edge of the viewport that a row scrolled into view keeps clear of, px. */
  readonly scrollPaddingEnd?: number;
  readonly overscan?: number;
  /** Class name of the column that contains the rows. */
  readonly columnClass?: string;
  readonly handle?: RefObject<ListHandle | null>;
  /** With `anchor="end"`: called when the end becomes visible and when it no longer is. Must be stable. */
  readonly onEnd?: (isAtEnd: boolean) => void;
  readonly scroller?: RefObject<HTMLDivElement | null>;
}

/** px; at most this distance from the end counts as being at the end. */
const endThresholdPx = 24;

export function VirtualList(props: VirtualListProps) {
  const {
    count,
    keyOf,
    estimate,
    row,
    anchor = "start",
    paddingStart = 0,
    paddingEnd = 0,
    scrollPaddingEnd = 0,
    overscan = 6,
    columnClass,
    handle,
    scroller,
    onEnd,
    onScroll,
    style,
    ...rest
  } = props;
  const own = useRef<HTMLDivElement>(null);
  const box = scroller ?? own;
  const list = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count,
    getScrollElement: () => box.current,
    getItemKey: keyOf,
    estimateSize: estimate,
    overscan,
    paddingStart,
    paddingEnd,
    scrollPaddingEnd,
    anchorTo: anchor,
    followOnAppend: anchor === "end",
    // A larger distance means that the reader has scrolled up: see use-follow-end.ts.
    scrollEndThreshold: 2,
  });
  const followed = useFollowEnd({ list, box, nearPx: endThresholdPx, isOn: anchor === "end", onEnd });
  const { scrollByProgram } = followed;
  useImperativeHandle(
    handle,
    () => ({
      scrollToEnd: (options) => list.scrollToEnd(options),
      scrollToIndex: (index, options) => scrollByProgram(() => list.scrollToIndex(index, options)),
    }),
    [list, scrollByProgram],
  );
  return (
    <div
      ref={box}
      {...rest}
      style={{ ...style, scrollPaddingBottom: scrollPaddingEnd }}
      onScroll={(event) => {
        followed.onScroll();
        onScroll?.(event);
      }}
    >
      <div className={columnClass} style={{ position: "relative", height: list.getTotalSize(), width: "100%" }}>
        {list.getVirtualItems().map((item) => (
          <div
            key={item.key}
            ref={list.measureElement}
            data-index={item.index}
            style={{ position: "absolute", top: 0, left: 0, width: "100%", transform: `translateY(${item.start}px)` }}
          >
            {row(item.index)}
          </div>
        ))}
      </div>
    </div>
  );
}
