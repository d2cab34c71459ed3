"use client";
/** Lazily loaded parts of rows with subagents: the button that opens them, and their own rows. */
import { type ComponentType, createElement, lazy, Suspense } from "react";

function loadLate<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Loaded = lazy(async () => ({ default: await load() }));
  return (props) => <Suspense>{createElement(Loaded, props)}</Suspense>;
}

export const LazySubagentRows = loadLate(async () => (await import("./subagent-rows")).SubagentRows);
export const LazySubagentToggle = loadLate(async () => (await import("./subagent-toggle")).SubagentToggleButton);
