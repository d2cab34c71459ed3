"use client";
/** Keys of the review: y, x and c for the change that has the focus, u to undo, ] and [ between changes, n and p between files. */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from "react";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";
import { isLayerOpen } from "../../ui/browser/focus";
import { moveToFile } from "../move-to-file";

const hunksOf = (pane: HTMLElement): readonly HTMLElement[] => [
  ...pane.querySelectorAll<HTMLElement>("[data-review-hunk]"),
];

const focusHunk = (hunk: HTMLElement | undefined): void => {
  hunk?.focus({ preventScroll: true });
  hunk?.scrollIntoView({ block: "nearest" });
};

/**
 * Handles the keys in the pane, at the end of a run, and while nothing has the focus. Returns a function to be called before a decision: the
 * focus goes to the change that follows the decided one, once `shown` is another state.
 */
export function useReviewKeys(pane: RefObject<HTMLElement | null>, shown: unknown): () => void {
  const decided = useRef(-1);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { current } = pane;
      const { target, key } = event;
      if (current === null || !(target instanceof HTMLElement) || isForInputMethod(event)) return;
      if (event.ctrlKey || event.metaKey || (event.altKey && !event.getModifierState("AltGraph"))) return;
      if (target.closest("textarea, input:not([type=checkbox]), [contenteditable]") !== null || isLayerOpen()) return;
      // From elsewhere a key may go to the changes, but not decide about one.
      const isHere =
        target === document.body || target.closest("[data-run-actions]") !== null || current.contains(target);
      if (!isHere && key !== "]" && key !== "[") return;
      if (handleKey(current, target, key)) event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [pane]);
  useLayoutEffect(() => {
    const { current } = pane;
    if (current === null || decided.current < 0) return;
    const hunks = hunksOf(current);
    if (document.activeElement === document.body) focusHunk(hunks[Math.min(decided.current, hunks.length - 1)]);
    decided.current = -1;
  }, [pane, shown]);
  return useCallback(() => {
    const hunks = pane.current === null ? [] : hunksOf(pane.current);
    decided.current = hunks.findIndex((hunk) => hunk.contains(document.activeElement));
  }, [pane]);
}

/** Returns whether the key has a meaning here. */
function handleKey(pane: HTMLElement, target: HTMLElement, key: string): boolean {
  const hunks = hunksOf(pane);
  const at = hunks.findIndex((hunk) => hunk.contains(target));
  switch (key) {
    case "]":
    case "[":
      focusHunk(hunks[at < 0 ? 0 : at + (key === "]" ? 1 : -1)]);
      return true;
    case "n":
    case "p":
      moveToFile(pane, target, key === "n" ? 1 : -1);
      return true;
    case "u":
      pane.querySelector<HTMLElement>("[data-review-undo]")?.click();
      return true;
    case "y":
    case "x":
    case "c": {
      // Without the focus in a change, the key leads to the first one, and the next press decides.
      const inFile = target.closest("[data-file]")?.querySelector<HTMLElement>("[data-review-hunk]");
      const chosen = hunks[at] ?? inFile ?? hunks[0];
      if (at < 0) focusHunk(chosen);
      else chosen?.querySelector<HTMLElement>(`[data-review-key="${key}"]`)?.click();
      return chosen !== undefined;
    }
    default:
      return false;
  }
}
