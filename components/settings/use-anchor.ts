/** A part of the settings that an address names behind #: brought into sight and given the focus when it appears. */
import { type RefObject, useEffect, useRef } from "react";

/** `isReady` = the part is on the page. */
export function useAnchor<E extends HTMLElement>(id: string | undefined, isReady: boolean): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    if (!isReady || id === undefined || location.hash !== `#${id}`) return;
    element.current?.scrollIntoView({ block: "start" });
    element.current?.focus({ preventScroll: true });
  }, [id, isReady]);
  return element;
}
