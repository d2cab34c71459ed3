/** A call as a run prints it. */
import { asId, type CallId } from "@/lib/events/id";
import type { CallView } from "@/lib/view/view";

export const makeTestCall = (change: Partial<CallView>): CallView => ({
  callId: asId<CallId>("c1"),
  name: "bash",
  kind: "shell",
  target: "npm test",
  facts: {},
  state: "ok",
  approvals: [],
  ...change,
});
