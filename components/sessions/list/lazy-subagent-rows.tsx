"use client";
/** Lazily loaded parts of rows with subagents: the button that opens them, and their own rows. */
import { type ComponentProps, lazy, Suspense } from "react";
import type { SubagentRows } from "./subagent-rows";
import type { SubagentToggleButton } from "./subagent-toggle";

const Loaded = lazy(async () => ({ default: (await import("./subagent-rows")).SubagentRows }));

export const LazySubagentRows = (props: ComponentProps<typeof SubagentRows>) => (
  <Suspense>
    <Loaded {...props} />
  </Suspense>
);

const Toggle = lazy(async () => ({ default: (await import("./subagent-toggle")).SubagentToggleButton }));

export const LazySubagentToggle = (props: ComponentProps<typeof SubagentToggleButton>) => (
  <Suspense>
    <Toggle {...props} />
  </Suspense>
);
