"use client";
/** Loads the note about a command that waits in the sandbox for the network: most sessions have none. */
import { lazy, Suspense } from "react";
import type { CallView } from "@/lib/view/view";

const LoadedNote = lazy(async () => ({ default: (await import("./offline-wait-note")).OfflineWaitNote }));

/** Nothing for a command that needs no network or has it: the card of one that lacks it offered it. */
export function LazyOfflineWaitNote({ call }: { readonly call: CallView }) {
  const approval = call.approvals.at(-1);
  const option = approval?.response?.option;
  if (option === undefined || option === "network" || approval?.options.includes("network") !== true) return null;
  const length = call.live?.length ?? 0;
  return (
    <Suspense>
      <LoadedNote key={length} since={length === 0 ? call.startedAt : undefined} />
    </Suspense>
  );
}
