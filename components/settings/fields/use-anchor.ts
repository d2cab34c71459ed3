/** Scrolls the part of a settings section that the URL's hash names into view and focuses its control. */
import { type RefObject, useEffect, useRef } from "react";
import { useSettingsHash } from "../open-item";

export function useAnchor<E extends HTMLElement>(id: string | undefined): RefObject<E | null> {
  const element = useRef<E>(null);
  const hash = useSettingsHash();
  useEffect(() => {
    if (id === undefined || hash !== id || element.current === null) return;
    scrollToUpperThird(element.current);
    (controlOf(element.current) ?? element.current).focus({ preventScroll: true });
  }, [id, hash]);
  return element;
}

/** Scrolls the page's own area only: `scrollIntoView` also moves the frame around it. */
function scrollToUpperThird(element: HTMLElement): void {
  const area = element.closest("main");
  if (area === null) return;
  const { top } = area.getBoundingClientRect();
  area.scrollTop += element.getBoundingClientRect().top - top - area.clientHeight / 3;
}

/** The first control; null = there is none, or an input would open the keyboard of a touch screen. */
const controlOf = (element: HTMLElement): HTMLElement | null =>
  matchMedia("(pointer: fine)").matches
    ? element.querySelector("input:not([type=radio]), input:checked, select, textarea, [role=switch]")
    : null;
