"use client";
/** How the diffs of the Changes view are drawn, remembered in the browser. */
import { useState } from "react";
import type { DiffViewProps } from "../ui/code/diff-view";

/** `shape` absent = by width. */
export type DiffLayout = Pick<DiffViewProps, "shape" | "wraps">;

const storageKey = "gopi-web.diff-layout";

export function parseDiffLayout(text: string | null): DiffLayout {
  try {
    const stored: unknown = JSON.parse(text ?? "{}");
    if (typeof stored !== "object" || stored === null) return {};
    const shape =
      "shape" in stored && (stored.shape === "unified" || stored.shape === "split") ? stored.shape : undefined;
    return { shape, wraps: "wraps" in stored && stored.wraps === true };
  } catch {
    return {};
  }
}

function readLayout(): DiffLayout {
  try {
    return parseDiffLayout(localStorage.getItem(storageKey));
  } catch {
    return {};
  }
}

export function useDiffLayout(): readonly [DiffLayout, (layout: DiffLayout) => void] {
  const [layout, setLayout] = useState(readLayout);
  const store = (next: DiffLayout): void => {
    setLayout(next);
    try {
      localStorage.setItem(storageKey, JSON.stringify(next));
    } catch {
      // Without storage the layout lasts as long as the view.
    }
  };
  return [layout, store];
}
