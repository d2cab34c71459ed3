"use client";
/** Recognises a long press of a finger, which browsers of phones do not all report as a request for a menu. */
import { type MouseEvent, type PointerEvent, useEffect, useRef } from "react";

const pressMs = 500;
/** A finger that moves farther scrolls. */
const movePx = 10;

interface Press {
  readonly timer: ReturnType<typeof setTimeout>;
  readonly x: number;
  readonly y: number;
}

/** Returns the handlers of the element. The click that ends a long press is suppressed. */
export function useLongPress(onPress: (target: EventTarget, at: { readonly x: number; readonly y: number }) => void) {
  const press = useRef<Press | null>(null);
  const wasLong = useRef(false);
  const cancel = (): void => {
    clearTimeout(press.current?.timer);
    press.current = null;
  };
  useEffect(() => cancel, []);
  return {
    onPointerDown: ({ pointerType, target, clientX: x, clientY: y }: PointerEvent) => {
      cancel();
      wasLong.current = false;
      if (pointerType === "mouse") return;
      const timer = setTimeout(() => {
        wasLong.current = true;
        onPress(target, { x, y });
      }, pressMs);
      press.current = { timer, x, y };
    },
    onPointerMove: ({ clientX, clientY }: PointerEvent) => {
      const start = press.current;
      if (start !== null && Math.hypot(clientX - start.x, clientY - start.y) > movePx) cancel();
    },
    onPointerUp: cancel,
    onPointerCancel: cancel,
    onClickCapture: (event: MouseEvent) => {
      if (!wasLong.current) return;
      wasLong.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
