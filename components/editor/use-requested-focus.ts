"use client";
/** Moves the keyboard focus to the group that a split, a move or a closed group made the focused one. */
import { type RefObject, useEffect } from "react";
import { useClient } from "../state/client";
import type { SplitControl } from "./split-control";

interface RequestedFocusOptions {
  readonly control: SplitControl;
  readonly isFocused: boolean;
  /** The active file is being read. */
  readonly isLoading: boolean;
  readonly section: RefObject<HTMLElement | null>;
}

/**
 * Focuses the text of the focused group once after `control.requestFocus`. While its file is being read the tab has the
 * focus, and the text gets it afterwards if it is still in this group.
 */
export function useRequestedFocus({ control, isFocused, isLoading, section }: RequestedFocusOptions): void {
  const { handles } = useClient();
  const { focusRequest, focusRequests } = control;
  // Runs when the view of the text exists: effects of children come first.
  useEffect(() => {
    if (!isFocused || focusRequest.current === null) return;
    const hasLeft = focusRequest.current === "reading" && section.current?.contains(document.activeElement) !== true;
    focusRequest.current = isLoading && !hasLeft ? "reading" : null;
    if (!hasLeft) handles.editor?.focus();
  }, [isFocused, isLoading, focusRequests, focusRequest, section, handles]);
}
