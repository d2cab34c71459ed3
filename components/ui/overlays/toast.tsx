"use client";
/**
 * Toasts at the lower right, above the status bar, placed so that they cover no control; announced by screen readers;
 * optionally with one action (undo). The owner decides how long a toast stays.
 */
import { X } from "lucide-react";
import { type RefObject, useLayoutEffect, useRef } from "react";
import { Button } from "../controls/button";
import { IconButton } from "../controls/icon-button";
import { toastPosition } from "./toast-position";

interface Toast {
  readonly id: string;
  readonly text: string;
  readonly look?: "plain" | "danger";
  readonly action?: { readonly label: string; readonly onSelect: () => void };
}

interface ToastsProps {
  readonly toasts: readonly Toast[];
  readonly closeName: string;
  readonly onClose: (id: string) => void;
}

export function Toasts({ toasts, closeName, onClose }: ToastsProps) {
  const stack = useRef<HTMLDivElement>(null);
  useToastPosition(stack, toasts);
  return (
    <div
      ref={stack}
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed right-4 bottom-8 z-50 flex max-w-[min(28rem,calc(100vw-16px))] flex-col items-end gap-2"
    >
      {toasts.map((toast) => (
        <div
          key={toast.id}
          data-look={toast.look ?? "plain"}
          className="pointer-events-auto flex max-w-full animate-rise items-center gap-2 rounded-card border border-line bg-raised py-1 pr-1 pl-3 shadow-float data-[look=danger]:border-danger/50"
        >
          <span className="line-clamp-3 min-w-0 py-1 [overflow-wrap:anywhere]">{toast.text}</span>
          {toast.action !== undefined && (
            <Button size="small" onClick={toast.action.onSelect}>
              {toast.action.label}
            </Button>
          )}
          <IconButton icon={X} name={closeName} size="small" onClick={() => onClose(toast.id)} />
        </div>
      ))}
    </div>
  );
}

const controlSelector = "a[href], button, input, select, textarea, [role=radio], [contenteditable=true]";
const floorSelector = "[data-composer]";

/**
 * Positions the stack when toasts are added or removed, when the window is resized, and when another composer mounts.
 */
function useToastPosition(stack: RefObject<HTMLDivElement | null>, toasts: readonly Toast[]): void {
  useLayoutEffect(() => {
    const element = stack.current;
    if (element === null || toasts.length === 0) return;
    let floor: Element | null = null;
    const place = (): void => {
      // Reset first, so that the measured width does not depend on the previous position.
      element.style.inset = "";
      floor = document.querySelector(floorSelector);
      const bars = measureBars(element);
      const position = toastPosition({
        stack: { width: element.offsetWidth, height: element.offsetHeight },
        view: { width: innerWidth, height: innerHeight },
        ...bars,
        floor: visibleBoxes(document.querySelectorAll(floorSelector))[0]?.top ?? null,
        controls: visibleBoxes(document.querySelectorAll(controlSelector), element),
      });
      element.style.inset = `${position.top}px auto auto ${position.left}px`;
    };
    place();
    const pages = new MutationObserver(() => {
      if (document.querySelector(floorSelector) !== floor) place();
    });
    pages.observe(document.body, { childList: true, subtree: true });
    addEventListener("resize", place);
    return () => {
      pages.disconnect();
      removeEventListener("resize", place);
    };
  }, [stack, toasts]);
}

/** Heights of the header and of the bar at the bottom edge (status bar or phone tabs), px. */
function measureBars(stack: HTMLElement): { readonly head: number; readonly foot: number } {
  const head = document.querySelector("header")?.getBoundingClientRect().bottom ?? 0;
  const foots = [...document.querySelectorAll("footer, nav")]
    .filter((bar) => !stack.contains(bar))
    .map((bar) => bar.getBoundingClientRect())
    .filter((box) => box.height > 0 && box.bottom >= innerHeight - 1 && box.height < innerHeight / 4);
  return { head, foot: Math.max(0, ...foots.map((box) => innerHeight - box.top)) };
}

/** Returns the boxes of the elements inside the viewport, except those within `but`. */
function visibleBoxes(elements: Iterable<Element>, but?: Element): readonly DOMRect[] {
  return [...elements]
    .filter((element) => but?.contains(element) !== true)
    .map((element) => element.getBoundingClientRect())
    .filter((box) => box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight);
}
