import { expect, test } from "vitest";
import type { RunEnd } from "@/lib/events/event";
import { asId } from "@/lib/events/id";
import type { SessionStatus } from "@/lib/protocol/session-row";
import { testSessionId } from "@/lib/testing/test-log";
import { append } from "@/lib/testing/test-view";
import { emptyView } from "@/lib/view/view";
import { sessionStatus } from "./session-row";

const running = append(emptyView(testSessionId), { type: "agent_start", runId: asId("r1") });

test.each<[RunEnd, SessionStatus]>([
  ["done", "idle"],
  ["aborted", "aborted"],
  ["limit", "limit"],
  ["error", "error"],
  ["interrupted", "interrupted"],
])("the status after a run with the end %s is %s, until the next run starts", (reason, status) => {
  const ended = append(running, { type: "agent_end", runId: asId("r1"), reason });
  expect(sessionStatus(ended)).toBe(status);
  const next = append(ended, { type: "agent_start", runId: asId("r2") });
  expect(sessionStatus(next)).toBe("running");
  expect(sessionStatus(append(next, { type: "agent_end", runId: asId("r2"), reason: "done" }))).toBe("idle");
});
