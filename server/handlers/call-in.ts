/** Finds the newest call with this id on the active path of a view. */
import type { CallId } from "@/lib/id";
import { type CallView, pathBack, type SessionView } from "@/lib/view";

export function callIn(view: SessionView, callId: CallId): CallView | undefined {
  for (const entry of pathBack(view)) {
    const call = entry.kind === "message" ? entry.calls.find((one) => one.callId === callId) : undefined;
    if (call !== undefined) return call;
  }
  return undefined;
}
