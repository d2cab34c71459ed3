"use client";
/** Scroll bar over a whole file of which only a part is loaded; the keyboard scrolls the text itself. */
import { type PointerEvent, useRef } from "react";
import type { VisiblePart } from "./large-text";

interface PositionBarProps {
  readonly label: string;
  /** Id of the element that it scrolls. */
  readonly controls: string;
  readonly visible: VisiblePart;
  /** Called with the share of the file that is to be above the visible text, 0 to 1. */
  readonly onSeek: (share: number) => void;
}

const minThumbPx = 32;

export function PositionBar({ label, controls, visible: { top, bottom }, onSeek }: PositionBarProps) {
  const thumb = useRef<HTMLDivElement>(null);
  /** Distance from the thumb's top to the pointer that drags it, px. */
  const grip = useRef(0);
  const height = bottom - top;
  const drag = ({ currentTarget, clientY }: PointerEvent): void => {
    const track = currentTarget.getBoundingClientRect();
    const way = track.height - (thumb.current?.offsetHeight ?? 0);
    const place = (clientY - track.top - grip.current) / Math.max(1, way);
    onSeek(Math.min(1, Math.max(0, place)) * (1 - height));
  };
  const thumbHeight = `max(${minThumbPx}px, ${height * 100}%)`;
  return (
    <div
      role="scrollbar"
      aria-label={label}
      aria-controls={controls}
      aria-orientation="vertical"
      aria-valuenow={Math.round(top * 100)}
      className="relative w-3.5 shrink-0 touch-none border-l border-line max-tablet:w-6"
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        // Keeps the focus in the text.
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        const box = thumb.current?.getBoundingClientRect() ?? new DOMRect();
        grip.current = event.target === thumb.current ? event.clientY - box.top : box.height / 2;
        drag(event);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) drag(event);
      }}
    >
      <div
        ref={thumb}
        className="absolute inset-x-0.5 rounded-full bg-ink-faint/40 hover:bg-ink-faint/60"
        style={{ height: thumbHeight, top: `calc(${height < 1 ? top / (1 - height) : 0} * (100% - ${thumbHeight}))` }}
      />
    </div>
  );
}
