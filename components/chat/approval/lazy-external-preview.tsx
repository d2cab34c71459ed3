"use client";
/** Lazily loaded preview of a call of another program's tool; the fallback has about its height. */
import { lazy, Suspense } from "react";
import type { ExternalPreviewProps } from "./external-preview";

const Loaded = lazy(async () => ({ default: (await import("./external-preview")).ExternalPreview }));

export const LazyExternalPreview = (props: ExternalPreviewProps) => (
  <Suspense fallback={<div className="h-24 border-t border-line" />}>
    <Loaded {...props} />
  </Suspense>
);
