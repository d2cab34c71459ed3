"use client";
/** Lazily loaded input of a call of another program's tool. */
import { lazy, Suspense } from "react";
import type { InputFieldsProps } from "./input-fields";

const Loaded = lazy(async () => ({ default: (await import("./input-fields")).InputFields }));

export const LazyInputFields = (props: InputFieldsProps) => (
  <Suspense fallback={<div className="h-9" />}>
    <Loaded {...props} className="border-b border-line" />
  </Suspense>
);
