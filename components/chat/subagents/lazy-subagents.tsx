"use client";
/** Lazily loaded parts of subagents: most sessions have none. */
import { lazy, Suspense, type ComponentProps } from "react";
import type { SubagentBar } from "./subagent-bar";
import type { SubagentLine } from "./subagent-line";

const LoadedLine = lazy(async () => ({ default: (await import("./subagent-line")).SubagentLine }));
const LoadedBar = lazy(async () => ({ default: (await import("./subagent-bar")).SubagentBar }));

export const LazySubagentLine = (props: ComponentProps<typeof SubagentLine>) => (
  <Suspense fallback={<div className="h-8" />}>
    <LoadedLine {...props} />
  </Suspense>
);

export const LazySubagentBar = (props: ComponentProps<typeof SubagentBar>) => (
  <Suspense fallback={<div className="h-9" />}>
    <LoadedBar {...props} />
  </Suspense>
);
