"use client";
/**
 * Loads the notes about commands that the user may run himself, and about those that wait in the sandbox for the network:
 * most sessions have none.
 */
import { type ComponentProps, lazy, Suspense } from "react";
import type { CallView } from "@/lib/view/view";
import type { OwnRunNote } from "./own-run-note";

const LoadedNote = lazy(async () => ({ default: (await import("./own-run-note")).OwnRunNote }));
const LoadedWait = lazy(async () => ({ default: (await import("./offline-wait-note")).OfflineWaitNote }));

export const LazyOwnRunNote = (props: ComponentProps<typeof OwnRunNote>) => (
  <Suspense fallback={<div className="h-8" />}>
    <LoadedNote {...props} />
  </Suspense>
);

/** Nothing for a command that needs no network or has it: the card of one that lacks it offered it. */
export function LazyOfflineWaitNote({ call }: { readonly call: CallView }) {
  const approval = call.approvals.at(-1);
  const option = approval?.response?.option;
  if (option === undefined || option === "network" || approval?.options.includes("network") !== true) return null;
  const length = call.live?.length ?? 0;
  return (
    <Suspense>
      <LoadedWait key={length} since={length === 0 ? call.startedAt : undefined} />
    </Suspense>
  );
}
