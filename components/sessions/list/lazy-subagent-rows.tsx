"use client";
/** Lazily loaded rows of subagents: they are drawn when the user opens them. */
import { type ComponentProps, lazy, Suspense } from "react";
import type { SubagentRows } from "./subagent-rows";

const Loaded = lazy(async () => ({ default: (await import("./subagent-rows")).SubagentRows }));

export const LazySubagentRows = (props: ComponentProps<typeof SubagentRows>) => (
  <Suspense>
    <Loaded {...props} />
  </Suspense>
);
