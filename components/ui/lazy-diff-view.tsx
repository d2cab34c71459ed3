"use client";
/** The diff view behind a lazy import; its place has the height it will need, so that nothing moves. */
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
