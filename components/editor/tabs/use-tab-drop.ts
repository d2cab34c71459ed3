"use client";
/** Lets a group of the editor receive a dragged tab: one of the other group, or on its right half its own one. */
import { type DragEvent, useState } from "react";
import type { EditorGroup } from "../../state/workbench/layout";
import type { SplitControl } from "../split-control";

type DropArea = "all" | "right";

/** Returns the part of the group into which the tab would move now (null = none), and the handlers of its element. */
export function useTabDrop({ group, tabs }: EditorGroup, { dragged, isSplit, hasRoom, moveTab }: SplitControl) {
  const [area, setArea] = useState<DropArea | null>(null);
  const areaAt = ({ currentTarget, clientX }: DragEvent): DropArea | null => {
    if (dragged.current === null) return null;
    if (dragged.current.group !== group) return "all";
    const { left, width } = currentTarget.getBoundingClientRect();
    return !isSplit && hasRoom && tabs.length > 1 && clientX > left + width / 2 ? "right" : null;
  };
  const handlers = {
    onDragOver: (event: DragEvent) => {
      const next = areaAt(event);
      setArea(next);
      if (next === null) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "move";
    },
    onDragLeave: ({ currentTarget, relatedTarget }: DragEvent) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setArea(null);
    },
    onDrop: (event: DragEvent) => {
      setArea(null);
      const tab = dragged.current;
      if (tab === null || areaAt(event) === null) return;
      event.preventDefault();
      // The element of the tab may be gone before its drag ends.
      dragged.current = null;
      moveTab(tab);
    },
  };
  return { area, handlers };
}
