"use client";
/** Draws a registered pane, loading it first if necessary. An error in it leaves the other panes usable. */
import { Suspense } from "react";
import { createLazyComponents } from "../../ui/lazy-components";
import { ErrorBoundary } from "../notices/error-boundary";
import type { Pane, PaneContext } from "./pane-registry";

const paneComponent = createLazyComponents<PaneContext>();

interface PaneViewProps extends PaneContext {
  /** undefined = the layout names no registered pane: nothing is drawn. */
  readonly pane: Pane | undefined;
}

export function PaneView({ pane, ...context }: PaneViewProps) {
  if (pane === undefined || pane.when?.(context) === false) return null;
  const Component = paneComponent(pane);
  const { projectId, sessionId } = context.place;
  return (
    <ErrorBoundary key={pane.id} resetKey={`${projectId}/${sessionId}`}>
      <Suspense fallback={<div className="flex-1" />}>
        <Component {...context} />
      </Suspense>
    </ErrorBoundary>
  );
}
