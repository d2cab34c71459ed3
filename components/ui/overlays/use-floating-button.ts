"use client";
/** State and attributes of a button that opens a floating element. */
import { useId, useRef, useState } from "react";

/**
 * `attributes` are for the button; the floating element gets `id` and `anchor`, and is drawn while `isOpen`. `close`
 * returns the focus to the button if `refocus` is true.
 */
export function useFloatingButton(kind: "menu" | "dialog") {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const id = useId();
  return {
    id,
    anchor,
    isOpen,
    open: (): void => setOpen(true),
    close: (refocus: boolean): void => {
      setOpen(false);
      if (refocus) anchor.current?.focus();
    },
    attributes: {
      type: "button",
      "aria-haspopup": kind,
      "aria-expanded": isOpen,
      "aria-controls": isOpen ? id : undefined,
      "data-state": isOpen ? "open" : "closed",
      onClick: (): void => setOpen(!isOpen),
    },
  } as const;
}
