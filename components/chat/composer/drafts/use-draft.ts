"use client";
/** State of the composer's text, stored as a draft while typing and restored after a reload. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { readDraft, writeDraft } from "./drafts";

const saveAfterMs = 250;

/** Replaces the text, or edits the newest one, which may not be rendered yet. */
export type SetDraft = (next: string | ((now: string) => string)) => void;

export function useDraft(key: string): readonly [text: string, setText: SetDraft] {
  const [text, setState] = useState(() => (typeof window === "undefined" ? "" : readDraft(key)));
  const newest = useRef(text);
  const unsaved = useRef<string | null>(null);
  // A refused message may have been put back between the first render and now.
  useLayoutEffect(() => {
    if (unsaved.current === null) setState((newest.current = readDraft(key)));
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
  const setText = useCallback<SetDraft>((next) => {
    newest.current = typeof next === "string" ? next : next(newest.current);
    unsaved.current = newest.current;
    setState(newest.current);
  }, []);
  return [text, setText];
}
