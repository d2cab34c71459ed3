/** Scrolls the part of a settings section that the URL's hash names into view and focuses its control. */
import { type RefObject, useEffect, useRef } from "react";
import { useSettingsHash } from "../item-section/open-item";
import { opensKeyboard } from "../../ui/browser/focus";

export function useAnchor<E extends HTMLElement>(id: string | undefined): RefObject<E | null> {
  const element = useRef<E>(null);
  const hash = useSettingsHash();
  useEffect(() => {
    if (id === undefined || hash !== id || element.current === null) return;
    (controlOf(element.current) ?? element.current).focus({ preventScroll: true });
    return keepInUpperThird(element.current);
  }, [id, hash]);
  return element;
}

const userEvents = ["wheel", "touchmove", "pointerdown", "keydown"] as const;

/** Lists above it are loaded later and move it: it is scrolled back until the user does anything. Returns the undo. */
function keepInUpperThird(element: HTMLElement): () => void {
  const area = element.closest("main");
  if (area === null) return () => {};
  scrollToUpperThird(area, element);
  const observer = new ResizeObserver(() => scrollToUpperThird(area, element));
  for (const part of area.children) observer.observe(part);
  const end = (): void => {
    observer.disconnect();
    for (const name of userEvents) removeEventListener(name, end);
  };
  for (const name of userEvents) addEventListener(name, end, { passive: true });
  return end;
}

/** Scrolls the page's own area only: `scrollIntoView` also moves the frame around it. */
function scrollToUpperThird(area: HTMLElement, element: HTMLElement): void {
  const { top } = area.getBoundingClientRect();
  area.scrollTop += element.getBoundingClientRect().top - top - area.clientHeight / 3;
}

/** The first control; null = there is none, or an input would open the keyboard of a touch screen. */
const controlOf = (element: HTMLElement): HTMLElement | null =>
  opensKeyboard()
    ? null
    : element.querySelector("input:not([type=radio]), input:checked, select, textarea, [role=switch]");
