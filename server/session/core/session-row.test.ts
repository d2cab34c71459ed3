import { expect, test } from "vitest";
import type { RunEnd } from "@/lib/events/event";
import { asId, type MessageId } from "@/lib/events/id";
import type { SessionStatus } from "@/lib/protocol/session-row";
import { testSessionId } from "@/lib/testing/test-log";
import { append } from "@/lib/testing/test-view";
import { emptyView } from "@/lib/view/view";
import { rowPatch, sessionStatus } from "./session-row";

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

test("the row has the progress of the plan, and none after a rewind to before it", () => {
  const messageId = asId<MessageId>("m1");
  const started = append(running, { type: "message_start", messageId, role: "assistant" });
  const text = "- [x] a\n- [ ] b";
  const planned = append(started, { type: "message_end", messageId, blocks: [{ type: "text", text }], stop: "done" });
  expect(rowPatch(running, started)).not.toHaveProperty("plan");
  expect(rowPatch(started, planned)).toMatchObject({ plan: { done: 1, total: 2 } });
  const ended = append(planned, { type: "agent_end", runId: asId("r1"), reason: "done" });
  expect(rowPatch(planned, ended)).not.toHaveProperty("plan");
  expect(rowPatch(ended, append(ended, { type: "rewind", toSeq: 0 }))).toMatchObject({ plan: null });
});
