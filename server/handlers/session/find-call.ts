/** Finds the newest call with this id on the active path of a view. */
import type { CallId } from "@/lib/events/id";
import { type CallView, pathEntriesBackward, type SessionView } from "@/lib/view/view";

export function findCall(view: SessionView, callId: CallId): CallView | undefined {
  for (const entry of pathEntriesBackward(view)) {
    const call = entry.kind === "message" ? entry.calls.find((one) => one.callId === callId) : undefined;
    if (call !== undefined) return call;
  }
  return undefined;
}
