"use client";
/** Lazily loaded diff view; the fallback has its final height, so that the layout does not shift. */
import { lazy, Suspense } from "react";
import type { DiffViewProps } from "./diff-view";

const Loaded = lazy(async () => ({ default: (await import("./diff-view")).DiffView }));

const lineHeightPx = 20;

export function LazyDiffView(props: DiffViewProps) {
  const lines = props.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  return (
    <Suspense fallback={<div className={props.className} style={{ height: lines * lineHeightPx + 12 }} />}>
      <Loaded {...props} />
    </Suspense>
  );
}
