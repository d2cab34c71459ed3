/** Gates that are loaded later: nothing passes before they are there. */
import { expect, test } from "vitest";
import { asId, type ProjectId, type SessionId } from "@/lib/events/id";
import { type AskGates, type GateCall, lateGates, passGates } from "./call-gate";

const call: GateCall = {
  projectId: asId<ProjectId>("p"),
  sessionId: asId<SessionId>("s"),
  mode: "full",
  tool: "bash",
  input: {},
};
const never = new AbortController().signal;

test("a call asks until there are gates, then they answer", async () => {
  const loaded: AskGates[] = [];
  const askGates = lateGates(() => loaded[0]);
  expect(await askGates(call, never)).toEqual({
    kind: "ask",
    note: { gate: "", reason: "", failure: "not_loaded" },
  });
  loaded.push(passGates);
  expect(await askGates(call, never)).toEqual({ kind: "pass" });
});
