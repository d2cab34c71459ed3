"use client";
/** Shape of the list of changed paths, remembered in the browser. */
import { useState } from "react";
import type { SourceListShape } from "./source-rows";

const storageKey = "gopi-web.source-list";

function readShape(): SourceListShape {
  try {
    return localStorage.getItem(storageKey) === "tree" ? "tree" : "list";
  } catch {
    return "list";
  }
}

export function useListShape(): readonly [SourceListShape, (shape: SourceListShape) => void] {
  const [shape, setShape] = useState(readShape);
  const store = (next: SourceListShape): void => {
    setShape(next);
    try {
      localStorage.setItem(storageKey, next);
    } catch {
      // Without storage the shape lasts as long as the pane.
    }
  };
  return [shape, store];
}
