import { expect, test } from "vitest";
import { asId, type CallId, type MessageId, type RunId } from "@/lib/events/id";
import type { Entry } from "@/lib/view/view";
import { findUndoTarget } from "./undo-target";

/** A run of three entries that starts at `seq`; it changes the file, or answers only. */
function run(seq: number, path: string | null): readonly Entry[] {
  const [at, runId, callId] = [1, asId<RunId>(`r${seq}`), asId<CallId>(`c${seq}`)];
  const change = { path: path ?? "", before: null, after: null, added: 1, removed: 0 };
  const call = { callId, name: "write", kind: "edit", target: "a", facts: {}, state: "ok", approvals: [] } as const;
  return [
    { kind: "run_start", seq, at, runId, from: seq - 1 },
    {
      kind: "message",
      seq: seq + 1,
      at,
      messageId: asId<MessageId>(`m${seq}`),
      role: "assistant",
      stop: "done",
      blocks: path === null ? [{ type: "text", text: "ok" }] : [{ type: "call", callId, name: "write", input: {} }],
      calls: path === null ? [] : [{ ...call, changes: [change] }],
    },
    { kind: "run_end", seq: seq + 2, at, runId, reason: "done", startedAt: at, waitedMs: 0, steps: 1 },
  ];
}

test("undo applies to the newest run that changed files, unless they are undone", () => {
  expect(findUndoTarget([])).toBeNull();
  expect(findUndoTarget(run(1, null))).toBeNull();
  expect(findUndoTarget([...run(1, "a"), ...run(11, "b")])).toEqual({ toSeq: 10, before: "run" });
  expect(findUndoTarget([...run(1, "a"), ...run(11, null)])).toEqual({ toSeq: 0, before: "earlier" });
  const files = [{ path: "b", added: 0, removed: 1 }];
  const undone: Entry = { kind: "restore", seq: 14, at: 1, toSeq: 10, files };
  expect(findUndoTarget([...run(1, "a"), ...run(11, "b"), undone])).toEqual({ toSeq: 0, before: "earlier" });
});
