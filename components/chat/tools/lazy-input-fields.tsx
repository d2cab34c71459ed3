"use client";
/** Lazily loaded input of a call of another program's tool. */
import { lazy, Suspense } from "react";
import type { CallInputProps } from "./call-input";

const Loaded = lazy(async () => ({ default: (await import("./call-input")).CallInput }));

export const LazyInputFields = (props: CallInputProps) => (
  <Suspense fallback={<div className="h-9" />}>
    <Loaded {...props} />
  </Suspense>
);
