/** Scrolls the settings section named in the URL's hash into view and focuses it. */
import { type RefObject, useEffect, useRef } from "react";

/** `isReady` = the section has rendered. */
export function useAnchor<E extends HTMLElement>(id: string | undefined, isReady: boolean): RefObject<E | null> {
  const element = useRef<E>(null);
  useEffect(() => {
    if (!isReady || id === undefined || location.hash !== `#${id}`) return;
    element.current?.scrollIntoView({ block: "start" });
    element.current?.focus({ preventScroll: true });
  }, [id, isReady]);
  return element;
}
