"use client";
/** Loads the note about a command that the sandbox stopped: most sessions have none. */
import { type ComponentProps, lazy, Suspense } from "react";
import type { SandboxFailureNote } from "./sandbox-failure-note";

const LoadedNote = lazy(async () => ({ default: (await import("./sandbox-failure-note")).SandboxFailureNote }));

export const LazySandboxFailureNote = (props: ComponentProps<typeof SandboxFailureNote>) => (
  <Suspense fallback={<div className="h-8" />}>
    <LoadedNote {...props} />
  </Suspense>
);
