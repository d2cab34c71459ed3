"use client";
/** Draws a registered pane, loading it first if necessary. An error in it leaves the other panes usable. */
import { Suspense } from "react";
import { createLazyComponents } from "../../ui/lazy-components";
import { ErrorBoundary } from "../notices/error-boundary";
import type { Pane, PaneContext } from "./pane-registry";

const lazyPane = createLazyComponents<PaneContext>();

interface PaneViewProps extends PaneContext {
  /** undefined = the layout names no registered pane: nothing is drawn. */
  readonly pane: Pane | undefined;
}

export function PaneView({ pane, ...context }: PaneViewProps) {
  if (pane === undefined || pane.when?.(context) === false) return null;
  return (
    <ErrorBoundary key={pane.id}>
      {"component" in pane ? <pane.component {...context} /> : <LoadedPane load={pane.load} {...context} />}
    </ErrorBoundary>
  );
}

type LoadedPaneProps = PaneContext & Pick<Extract<Pane, { load: unknown }>, "load">;

function LoadedPane({ load, ...context }: LoadedPaneProps) {
  const Component = lazyPane(load);
  return (
    <Suspense fallback={<div className="flex-1" />}>
      <Component {...context} />
    </Suspense>
  );
}
