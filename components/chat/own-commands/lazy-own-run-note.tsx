"use client";
/** Loads the note about a command that the user may run himself: most sessions have none. */
import { type ComponentProps, lazy, Suspense } from "react";
import type { OwnRunNote } from "./own-run-note";

const LoadedNote = lazy(async () => ({ default: (await import("./own-run-note")).OwnRunNote }));

export const LazyOwnRunNote = (props: ComponentProps<typeof OwnRunNote>) => (
  <Suspense fallback={<div className="h-8" />}>
    <LoadedNote {...props} />
  </Suspense>
);
