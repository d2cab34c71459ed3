import { expect, test } from "vitest";
import { countRedoMessages } from "./count-redo-messages";
import { asId, type MessageId, type RunId } from "../events/id";
import { createSessionSnapshot } from "./snapshot";
import { viewFromSnapshot } from "./view-from-snapshot";
import { testSessionId } from "../testing/test-log";
import { append } from "../testing/test-view";
import { emptyView, type SessionView } from "./view";

let ids = 0;
/** Appends a run with one user message: four events. */
function sendMessage(view: SessionView): SessionView {
  ids += 1;
  const messageId = asId<MessageId>(`m${ids}`);
  const runId = asId<RunId>(`r${ids}`);
  return append(
    view,
    { type: "agent_start", runId },
    { type: "message_start", messageId, role: "user" },
    { type: "message_end", messageId, blocks: [{ type: "text", text: "said" }], stop: "done" },
    { type: "agent_end", runId, reason: "done" },
  );
}
const three = sendMessage(sendMessage(sendMessage(emptyView(testSessionId))));
const back = (view: SessionView, toSeq: number): SessionView => append(view, { type: "rewind", toSeq });

test("counts the user messages a rewind hid, over several rewinds, and in a client that received them", () => {
  expect(countRedoMessages(three)).toBeNull();
  expect(countRedoMessages(back(three, 8))).toBe(1);
  expect(countRedoMessages(back(back(three, 8), 0))).toBe(3);
  expect(countRedoMessages(back(back(three, 8), 12))).toBeNull();
  expect(countRedoMessages(back(viewFromSnapshot(createSessionSnapshot(three)), 4))).toBe(2);
});

test("returns null in a client that opened the session after the rewind", () => {
  expect(countRedoMessages(viewFromSnapshot(createSessionSnapshot(back(three, 8))))).toBeNull();
  expect(countRedoMessages(back(viewFromSnapshot(createSessionSnapshot(back(three, 8))), 4))).toBeNull();
});

test("returns null after the next message", () => {
  expect(countRedoMessages(sendMessage(back(three, 8)))).toBeNull();
});

test("a failed compaction is no border, and the redo position skips it", () => {
  const failed = append(
    three,
    { type: "compaction_start", tokensBefore: 9 },
    { type: "error", error: { code: "server_error" } },
  );
  expect(failed).toMatchObject({ newest: 14, border: 12 });
  expect(back(failed, 4).left).toBe(12);
  const summed = append(
    three,
    { type: "compaction_start", tokensBefore: 9 },
    { type: "compaction_end", head: [], summary: "s", keepFromSeq: 1, tokensAfter: 1 },
  );
  expect(summed.border).toBe(14);
  expect(back(summed, 4).left).toBe(14);
});
