"use client";
/** Loads the warning of Full access when it is first shown; its line has its place at once. */
import { type ComponentProps, lazy, Suspense } from "react";
import type { FullAccessWarning } from "./full-access-warning";

const LoadedWarning = lazy(async () => ({ default: (await import("./full-access-warning")).FullAccessWarning }));

export const LazyFullAccessWarning = (props: ComponentProps<typeof FullAccessWarning>) => (
  <Suspense fallback={<div className="h-8 rounded-t-[11px] bg-danger-soft" />}>
    <LoadedWarning {...props} />
  </Suspense>
);
