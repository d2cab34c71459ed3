/**
 * Random sessions over a real store: prompts, answers, stops, edits and kills in any order leave a log that satisfies
 * every law.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { lawRuns } from "@/lib/testing/law-runs";
import { fold } from "@/lib/view/fold";
import { iterate } from "@/lib/view/chunks";
import { activeCompaction } from "@/lib/view/snapshot";
import { emptyView, pendingApprovals, type SessionView } from "@/lib/view/view";
import { compileMessages } from "@/server/agent/context/compile";
import type { Session } from "../core/session-types";
import { auditLog } from "../testing/test-audit";
import { brokenPairs } from "../testing/test-long-run";
import {
  type ScriptedAnswer,
  callAnswer,
  testCommandId,
  failureAnswer,
  type Gate,
  type TestHarness,
  makeGate,
  makeTestHarness,
  storedRows,
  truncatedAnswer,
  textAnswer,
  testTab,
} from "../testing/test-harness";
import { queueMaxEntries } from "../core/queue";

const answers: readonly ((gate: Gate) => ScriptedAnswer)[] = [
  () => textAnswer("Fine."),
  (gate) => [{ type: "thinking", text: "Hm" }, gate, ...textAnswer("Slow.")],
  () => callAnswer(["ls", {}], ["read", { path: "a.txt" }]),
  () => callAnswer(["write", { path: "a.txt", content: "new" }], ["write", { path: "a.txt", content: "newer" }]),
  (gate) => [gate, ...callAnswer(["edit", { path: "a.txt", old_string: "new", new_string: "old" }], ["nothing", {}])],
  () => callAnswer(["write", { path: "b.txt", content: "b" }], ["write", { path: "c.txt", content: "c" }]),
  () => failureAnswer("connection_lost", true, [{ type: "text", text: "half" }]),
  () => failureAnswer("model_missing", false),
  () => truncatedAnswer("too long"),
];

const modes = ["ask", "edits", "plan", "full"] as const;

/** The kind of a step that restarts the process. */
const restartKind = 9;

/** Performs one action of a user, a disk or an operating system. */
function act(harness: TestHarness, session: Session, kind: number, choice: number, gates: Gate[]): Session {
  const queued = session.view.queue[choice % Math.max(1, session.view.queue.length)];
  switch (kind) {
    case 0:
    case 1:
      session.send(
        `text ${choice}`,
        (["prompt", "steer", "followUp"] as const)[choice % 3] ?? "prompt",
        testCommandId(),
      );
      return session;
    case 2:
    case 3: {
      const pending = pendingApprovals(session.view);
      const one = pending[choice % Math.max(1, pending.length)]?.approval;
      const option = one?.options[choice % one.options.length];
      if (one !== undefined && option !== undefined)
        expect(session.answer(one.approvalId, { option }, testTab)).toBe(true);
      return session;
    }
    case 4:
      if (choice % 3 === 0) void session.abort();
      return session;
    case 5:
      session.update({ mode: modes[choice % modes.length] ?? "ask" }, testCommandId());
      return session;
    case 6:
      session.resume(testCommandId());
      return session;
    case 7:
      if (queued !== undefined && choice % 2 === 0) session.unqueue(queued.id, testCommandId());
      if (queued !== undefined && choice % 2 === 1) session.requeue(queued.id, "changed", testCommandId());
      return session;
    case 8:
      harness.registry().release(session.id);
      return harness.reload(session);
    case 10:
      session.compact(choice % 2 === 0 ? "the files" : undefined, testCommandId());
      return session;
    case 11: {
      const head = activeCompaction(session.view);
      if (head !== null) session.editSummary(head.kind === "compaction" ? head.seq : head.of, "Mine.", testCommandId());
      return session;
    }
    default:
      for (const gate of gates.splice(0)) gate.open();
      return session;
  }
}

/** Some turns of the event loop, so that the engine proceeds to a random point. */
async function restart(harness: TestHarness, session: Session): Promise<Session> {
  await harness.restart();
  const now = harness.reload(session);
  const waits = pendingApprovals(now.view).length > 0;
  expect(now.idle).toBe(true);
  expect(auditLog(storedRows(harness, session.id), waits)).toEqual([]);
  return now;
}

async function runEventLoop(turns: number): Promise<void> {
  for (let count = 0; count < turns; count += 1) await new Promise((resolve) => setImmediate(resolve));
}

test("any sequence of commands, answers and kills leaves a valid log, and the view equals its fold", async () => {
  const step = fc.tuple(fc.nat(13), fc.nat(999), fc.nat(6), fc.array(fc.nat(answers.length - 1), { maxLength: 3 }));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      // So small that a few steps fill it.
      const harness = await makeTestHarness({ facts: () => ({ window: 1_800, tokenRatio: 1 }) });
      let session = harness.session();
      const gates: Gate[] = [];
      for (const [kind, choice, turns, script] of steps) {
        for (const one of script) {
          const gate = makeGate();
          gates.push(gate);
          harness.script(answers[one]?.(gate) ?? textAnswer(""));
        }
        if (kind === restartKind && choice % 2 === 0) {
          session = await restart(harness, session);
          gates.length = 0;
        } else session = act(harness, session, kind, choice, gates);
        await runEventLoop(turns * 4);
      }
      await session.abort();
      expect(session.idle).toBe(true);
      const rows = storedRows(harness, session.id);
      expect(auditLog(rows)).toEqual([]);
      const stored = rows.reduce<SessionView>(
        (view, { seq, at, event }) => fold(view, { v: 1, sessionId: session.id, seq, at, event }),
        emptyView(session.id),
      );
      expect([...iterate(session.view.entries)]).toEqual([...iterate(stored.entries)]);
      expect({ ...session.view, entries: 0, stale: 0 }).toEqual({ ...stored, entries: 0, stale: 0 });
      expect(session.view.queue.every((message) => message.intent === "followUp")).toBe(true);
      const row = harness.store.sessions.get(session.id);
      expect(row).toMatchObject({ lastSeq: session.view.seq, mode: session.view.mode, added: session.view.added });
      expect(queueMaxEntries).toBeGreaterThanOrEqual(session.view.queue.length);
      expect(harness.store.events.checkpoints(session.id)).toEqual([]);
      expect(brokenPairs(compileMessages(session.view, { system: "", image: () => null }))).toEqual([]);
    }),
    { numRuns: lawRuns(120), endOnFailure: true },
  );
});
