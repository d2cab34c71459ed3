"use client";
/**
 * Loads the notes about commands that the sandbox stopped or that wait in it for the network, and the button that runs a
 * refused command: most sessions have none.
 */
import { type ComponentProps, lazy, Suspense } from "react";
import type { CallView } from "@/lib/view/view";
import { useConversationActions } from "../actions";
import type { OwnRunButton } from "./own-run-button";
import type { SandboxFailureNote } from "./sandbox-failure-note";

const LoadedFailure = lazy(async () => ({ default: (await import("./sandbox-failure-note")).SandboxFailureNote }));
const LoadedButton = lazy(async () => ({ default: (await import("./own-run-button")).OwnRunButton }));
const LoadedWait = lazy(async () => ({ default: (await import("./offline-wait-note")).OfflineWaitNote }));

export const LazySandboxFailureNote = (props: ComponentProps<typeof SandboxFailureNote>) => (
  <Suspense fallback={<div className="h-8" />}>
    <LoadedFailure {...props} />
  </Suspense>
);

/** Nothing for a viewer while there is only the button. */
export function LazyOwnRunButton(props: ComponentProps<typeof OwnRunButton>) {
  const { runControls } = useConversationActions();
  if (props.ownRun === "offered" && runControls === null) return null;
  return (
    <div className="mb-1 ml-6">
      <Suspense fallback={<div className="h-7" />}>
        <LoadedButton {...props} />
      </Suspense>
    </div>
  );
}

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
