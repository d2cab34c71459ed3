/** Laws of recover, after a kill at every event of random logs. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DurableEvent } from "@/lib/events/event";
import { fold } from "@/lib/view/fold";
import { asId, type MessageId } from "@/lib/events/id";
import { lawRuns } from "@/lib/testing/law-runs";
import { arbitraryLog, durableEvents, testSessionId } from "@/lib/testing/test-log";
import { emptyView, pathEntries, pendingApprovals, type SessionView } from "@/lib/view/view";
import { closeRun } from "@/server/agent/loop/close-run";
import { messagePrefix } from "./checkpoints";
import { recover, restoreHeldAnswer } from "./recover";
import { auditLog } from "../testing/test-audit";

const append = (view: SessionView, events: readonly DurableEvent[]): SessionView =>
  events.reduce<SessionView>(
    (now, event) => fold(now, { v: 1, sessionId: testSessionId, seq: now.seq + 1, at: now.updatedAt, event }),
    view,
  );
const numbered = (events: readonly DurableEvent[]) => events.map((event, index) => ({ seq: index + 1, event }));

describe("recover", () => {
  test("the logs of the generator are valid", () => {
    fc.assert(
      fc.property(arbitraryLog(true), (log) => {
        expect(auditLog(durableEvents(log))).toEqual([]);
      }),
      { numRuns: lawRuns(200) },
    );
  });

  test("after a kill at any event makes the log valid, starts nothing and is idempotent", () => {
    fc.assert(
      fc.property(arbitraryLog(false), (log) => {
        let view = emptyView(testSessionId);
        const events = durableEvents(log);
        for (const [index, envelope] of events.entries()) {
          view = fold(view, envelope);
          const ends = recover(view, []);
          const after = append(view, ends);
          expect(recover(after, [])).toEqual([]);
          const waits = pendingApprovals(after).length;
          expect(waits).toBe(pendingApprovals(view).length);
          expect(after.run === null).toBe(waits === 0 || view.run === null);
          const stored = [...events.slice(0, index + 1).map((one) => one.event), ...ends];
          expect(auditLog(numbered(stored), waits > 0)).toEqual([]);
          expect(ends.filter((event) => /_start$|approval|rewind/.test(event.type))).toEqual([]);
        }
      }),
      { numRuns: lawRuns(40) },
    );
  });

  test("approved and unguarded calls get an unknown outcome, calls that never ran are aborted, denied calls are denied", () => {
    fc.assert(
      fc.property(arbitraryLog(false), (log) => {
        const view = durableEvents(log).reduce(fold, emptyView(testSessionId));
        fc.pre(pendingApprovals(view).length === 0 && Object.keys(view.openCalls).length > 0);
        const after = append(view, recover(view, []));
        for (const entry of pathEntries(view)) {
          if (entry.kind !== "message") continue;
          const ended = pathEntries(after).find((one) => one.seq === entry.seq);
          for (const [index, call] of entry.calls.entries()) {
            if (!Object.hasOwn(view.openCalls, call.callId) || ended?.kind !== "message") continue;
            const denied = call.approvals.at(-1)?.response?.option === "deny";
            expect(ended.calls[index]?.state).toBe(
              denied ? "denied" : call.state === "running" ? "unknown" : "aborted",
            );
          }
        }
      }),
      { numRuns: lawRuns(150) },
    );
  });

  test("messages sent while a summary was written wait for the user, wherever the kill came", () => {
    const queued: DurableEvent = {
      type: "queue_change",
      queued: [{ id: asId("q1"), commandId: asId("c1"), intent: "steer", text: "and the tests", at: 0 }],
    };
    const events: readonly DurableEvent[] = [
      { type: "session_start", projectId: asId("p1"), cwd: "/project" },
      { type: "compaction_start", tokensBefore: 900 },
      queued,
      { type: "compaction_end", head: [], summary: "s", keepFromSeq: 5, tokensAfter: 100 },
    ];
    for (const length of [3, 4]) {
      const killed = append(emptyView(testSessionId), events.slice(0, length));
      const after = append(killed, recover(killed, []));
      expect(after.openCompaction).toBeNull();
      expect(after.queue.map(({ intent, text }) => [intent, text])).toEqual([["followUp", "and the tests"]]);
      expect(recover(after, [])).toEqual([]);
    }
  });

  test("Stop at any event closes everything, once", () => {
    fc.assert(
      fc.property(arbitraryLog(false), (log) => {
        let view = emptyView(testSessionId);
        const events = durableEvents(log);
        for (const [index, envelope] of events.entries()) {
          view = fold(view, envelope);
          if (view.run === null) continue;
          const ends = closeRun(view, { reason: "aborted" });
          expect(closeRun(append(view, ends), { reason: "aborted" })).toEqual([]);
          expect(auditLog(numbered([...events.slice(0, index + 1).map((one) => one.event), ...ends]))).toEqual([]);
        }
      }),
      { numRuns: lawRuns(40) },
    );
  });

  test("a fork at any border, also during a run, is closed by the same ends", () => {
    fc.assert(
      fc.property(arbitraryLog(false), fc.nat(), (log, choice) => {
        const border = log.borders[choice % log.borders.length] ?? 0;
        fc.pre(border > 0);
        const copied = durableEvents(log).filter((envelope) => envelope.seq <= border);
        const base = append(copied.reduce(fold, emptyView(testSessionId)), [
          { type: "session_fork", parentId: testSessionId, atSeq: border },
        ]);
        const ends: readonly DurableEvent[] = [
          ...closeRun(base, { reason: "interrupted" }),
          { type: "queue_change", queued: [] },
          { type: "session_update", mode: "ask" },
        ];
        const fork = append(base, ends);
        expect(fork).toMatchObject({ run: null, turn: null, openMessages: {}, openCalls: {}, queue: [], mode: "ask" });
        expect(recover(fork, [])).toEqual([]);
        const before = pathEntries(base);
        expect(pathEntries(fork).slice(0, before.length)).toEqual(before);
      }),
      { numRuns: lawRuns(200) },
    );
  });

  test("a run whose answer its server may hold stays open, with the text of the checkpoint, as often as it is recovered", () => {
    const messageId = asId<MessageId>("m1");
    const view = append(emptyView(testSessionId), [
      { type: "session_start", projectId: asId("p1"), cwd: "/project" },
      { type: "session_update", mode: "full" },
      { type: "agent_start", runId: asId("r1") },
      { type: "turn_start", turnId: asId("t1"), step: 1 },
      { type: "message_start", messageId, role: "assistant", held: "h1" },
    ]);
    const blocks = [
      { type: "thinking", text: "Hm." },
      { type: "input", name: "read", text: "" },
      { type: "text", text: "Half" },
    ];
    const checkpoints = [{ key: messagePrefix + messageId, body: JSON.stringify(blocks), at: 1 }];
    const ends = recover(view, checkpoints);
    expect(ends).toEqual([{ type: "session_update", mode: "ask" }]);
    const after = append(view, ends);
    expect(recover(after, checkpoints)).toEqual([]);
    const restored = restoreHeldAnswer(after, checkpoints);
    expect(restored.stale).toBe(false);
    expect(pathEntries(restored).at(-1)).toMatchObject({ blocks });
    // If the server has lost the answer, the calls in progress are left out.
    expect(closeRun(restored, { reason: "interrupted" })[0]).toMatchObject({
      type: "message_end",
      stop: "interrupted",
      blocks: [blocks[0], blocks[2]],
    });
  });

  test("Full access falls back to Ask, also when nothing was open", () => {
    const view = append(emptyView(testSessionId), [{ type: "session_update", mode: "full" }]);
    expect(recover(view, [])).toEqual([{ type: "session_update", mode: "ask" }]);
  });
});
