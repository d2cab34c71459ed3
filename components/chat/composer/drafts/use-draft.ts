"use client";
/** State of the composer's text, stored as a draft while typing and restored after a reload. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { readDraft, writeDraft } from "./drafts";

const saveAfterMs = 250;

export function useDraft(key: string): readonly [text: string, setText: (text: string) => void] {
  const [text, setState] = useState(() => (typeof window === "undefined" ? "" : readDraft(key)));
  const unsaved = useRef<string | null>(null);
  // A refused message may have been put back between the first render and now.
  useLayoutEffect(() => {
    if (unsaved.current === null) setState(readDraft(key));
  }, [key]);
  const save = useCallback(() => {
    if (unsaved.current !== null) writeDraft(key, unsaved.current);
    unsaved.current = null;
  }, [key]);
  useEffect(() => {
    addEventListener("pagehide", save);
    return () => removeEventListener("pagehide", save);
  }, [save]);
  // A layout effect: the field that replaces this one reads the draft in the same commit.
  useLayoutEffect(() => save, [save]);
  useEffect(() => {
    const timer = setTimeout(save, saveAfterMs);
    return () => clearTimeout(timer);
  }, [text, save]);
  const setText = useCallback((next: string) => {
    unsaved.current = next;
    setState(next);
  }, []);
  return [text, setText];
}
