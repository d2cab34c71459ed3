"use client";
/** Divider between two panes: resize by dragging or with arrow keys; a double click restores the default. */
import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { classes } from "../theme/classes";

interface DividerProps {
  /** vertical = a vertical line between a left and a right pane. */
  readonly direction: "vertical" | "horizontal";
  readonly name: string;
  /** Size of the resized pane and its bounds, px. */
  readonly size: number;
  readonly min: number;
  readonly max: number;
  /** Whether the resized pane is before (left, above) or after the line. */
  readonly pane: "before" | "after";
  readonly onResize: (size: number) => void;
  readonly onReset: () => void;
}

const stepPx = 16;

export function Divider({ direction, name, size, min, max, pane, onResize, onReset }: DividerProps) {
  const drag = useRef<{ readonly from: number; readonly size: number } | null>(null);
  const vertical = direction === "vertical";
  const sign = pane === "before" ? 1 : -1;
  const coordinate = (event: PointerEvent): number => (vertical ? event.clientX : event.clientY);
  const resize = (wanted: number): void => onResize(Math.round(Math.max(min, Math.min(max, wanted))));
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = vertical ? { ArrowLeft: -1, ArrowRight: 1 } : { ArrowUp: -1, ArrowDown: 1 };
    const step = steps[event.key];
    if (step !== undefined) resize(size + step * sign * stepPx);
    else if (event.key === "Home") resize(min);
    else if (event.key === "End") resize(max);
    else if (event.key === "Enter") onReset();
    else return;
    event.preventDefault();
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-label={name}
      aria-orientation={direction}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      onKeyDown={onKeyDown}
      onDoubleClick={onReset}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { from: coordinate(event), size };
      }}
      onPointerMove={(event) => {
        if (drag.current !== null) resize(drag.current.size + (coordinate(event) - drag.current.from) * sign);
      }}
      onLostPointerCapture={() => {
        drag.current = null;
      }}
      className={classes(
        "group relative z-10 shrink-0 touch-none outline-none before:absolute before:content-['']",
        vertical
          ? "w-px cursor-col-resize before:inset-y-0 before:-inset-x-1"
          : "h-px cursor-row-resize before:inset-x-0 before:-inset-y-1",
        "bg-line transition-colors hover:bg-accent focus-visible:bg-accent active:bg-accent",
      )}
    />
  );
}
