/** Laws of branches over random sessions: prompts with calls, rewinds, redos, forks, stops and kills in any order. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { iterate } from "@/lib/view/chunks";
import { isBorder } from "@/lib/events/event";
import { fold, foldLog } from "@/lib/view/fold";
import type { SessionId } from "@/lib/events/id";
import { lawRuns } from "@/lib/testing/law-runs";
import { emptyView, pathEntries, type SessionView } from "@/lib/view/view";
import { compileMessages } from "@/server/agent/context/compile";
import type { ModelMessage } from "@/server/providers/provider";
import type { Session } from "../core/session-types";
import { auditLog } from "../testing/test-audit";
import {
  type ScriptedAnswer,
  callAnswer,
  testCommandId,
  failureAnswer,
  type TestHarness,
  makeGate,
  makeTestHarness,
  storedRows,
  textAnswer,
} from "../testing/test-harness";
import { buildSessionTree } from "./session-tree";

const answers: readonly (() => ScriptedAnswer)[] = [
  () => textAnswer("Fine."),
  () => callAnswer(["ls", {}], ["read", { path: "a.txt" }]),
  () => callAnswer(["write", { path: "a.txt", content: "new" }]),
  () => failureAnswer("model_missing", false),
  () => [makeGate(), ...textAnswer("Never.")],
];

const modelMessages = (view: SessionView): readonly ModelMessage[] =>
  compileMessages(view, { system: "", image: () => null });

type Rows = ReturnType<typeof storedRows>;

const folded = (id: SessionId, rows: Rows): SessionView =>
  foldLog(
    emptyView(id),
    rows.map(({ seq, at, event }) => ({ v: 1, sessionId: id, seq, at, event })),
  );

const stored = (harness: TestHarness, id: SessionId, upTo?: number): SessionView =>
  folded(id, storedRows(harness, id).slice(0, upTo));

const listBorders = (harness: TestHarness, id: SessionId): readonly number[] => [
  0,
  ...storedRows(harness, id).flatMap(({ seq, event }) => (isBorder(event.type) ? [seq] : [])),
];

/** The sessions under test, and every row seen so far. */
class RandomSessions {
  readonly sessions: Session[];
  readonly #seen = new Map<SessionId, string[]>();

  constructor(readonly harness: TestHarness) {
    this.sessions = [harness.session("full")];
  }

  /** Checks that no row of a log is ever changed, byte for byte. */
  remember(): void {
    for (const { id } of this.sessions) {
      const rows = storedRows(this.harness, id).map((row) => JSON.stringify(row));
      const before = this.#seen.get(id) ?? [];
      expect(rows.slice(0, before.length)).toEqual(before);
      this.#seen.set(id, rows);
    }
  }

  fork(session: Session, choice: number): void {
    const borders = listBorders(this.harness, session.id);
    const atSeq = borders[choice % borders.length] ?? 0;
    const forked = this.harness.registry().fork({ sessionId: session.id, atSeq, commandId: testCommandId() });
    if (!forked.ok) throw new Error(forked.error.code);
    const { view, id } = forked.value;
    expect(modelMessages(view)).toEqual(modelMessages(stored(this.harness, session.id, atSeq)));
    expect(view).toMatchObject({ run: null, turn: null, openCompaction: null, queue: [], mode: "ask" });
    expect(auditLog(storedRows(this.harness, id))).toEqual([]);
    expect([...iterate(stored(this.harness, id).entries)]).toEqual([...iterate(view.entries)]);
    this.sessions.push(forked.value);
  }

  /** Checks that a rewind is complete, or fails with not_idle and changes nothing. */
  rewind(session: Session, toSeq: number): void {
    const { seq, run, openCompaction } = session.view;
    const back = session.rewind(toSeq, testCommandId());
    expect(back.ok).toBe(run === null && openCompaction === null);
    expect(session.view.seq).toBe(back.ok ? seq + 1 : seq);
    if (!back.ok) return expect(back.error.code).toBe("not_idle");
    const then = stored(this.harness, session.id, toSeq);
    expect(pathEntries(session.view)).toEqual(pathEntries(then));
    expect(modelMessages(session.view)).toEqual(modelMessages(then));
  }

  act(session: Session, kind: number, choice: number): void {
    const borders = listBorders(this.harness, session.id);
    const border = borders[choice % borders.length] ?? 0;
    switch (kind) {
      case 0:
      case 1:
        session.send(
          `text ${choice}`,
          (["prompt", "steer", "followUp"] as const)[choice % 3] ?? "prompt",
          testCommandId(),
        );
        return;
      case 2:
        return this.rewind(session, border);
      case 3: {
        const { left } = session.view;
        if (left === null) return;
        expect(borders).toContain(left);
        return this.rewind(session, left);
      }
      case 4:
        return this.fork(session, choice);
      case 5: {
        const { seq } = session.view;
        const sent = session.send(`again ${choice}`, "prompt", testCommandId(), { rewindTo: border });
        if (!sent.ok) expect([sent.error.code, session.view.seq]).toEqual(["not_idle", seq]);
        return;
      }
      case 6: {
        const [queued] = session.view.queue;
        if (queued !== undefined) session.send(queued.text, "prompt", testCommandId(), { queuedId: queued.id });
        return;
      }
      case 7:
        session.compact(undefined, testCommandId());
        return;
      case 8:
        void session.abort();
        return;
      default:
        return;
    }
  }

  async restart(): Promise<void> {
    await this.harness.restart();
    this.sessions.splice(0, this.sessions.length, ...this.sessions.map((one) => this.harness.reload(one)));
  }

  /** Checks at every border of every session that a rewind restores the view at that border. */
  checkPaths(): void {
    for (const session of this.sessions) {
      const rows = storedRows(this.harness, session.id);
      const view = folded(session.id, rows);
      expect([...iterate(session.view.entries)]).toEqual([...iterate(view.entries)]);
      const borders = listBorders(this.harness, session.id);
      expect(borders).toContain(view.border);
      for (const toSeq of borders) {
        const event = { type: "rewind" as const, toSeq };
        const back = fold(view, { v: 1, sessionId: session.id, at: view.updatedAt, seq: view.seq + 1, event });
        const then = folded(session.id, rows.slice(0, toSeq));
        expect(pathEntries(back)).toEqual(pathEntries(then));
        expect(modelMessages(back)).toEqual(modelMessages(then));
        expect([back.border, back.usage]).toEqual([toSeq, then.usage]);
      }
      const { nodes } = buildSessionTree(view, []);
      expect(nodes.every(({ from, to }) => borders.includes(from) && (to === null || borders.includes(to)))).toBe(true);
      const onPath = pathEntries(view).flatMap((entry) => (entry.kind === "run_start" ? [entry.seq] : []));
      expect(nodes.flatMap((node) => (node.onPath ? [node.seq] : []))).toEqual(onPath);
    }
  }
}

test("random operations on branches: paths, forks and the model's context follow the laws, and no row changes", async () => {
  const step = fc.tuple(
    fc.nat(9),
    fc.nat(999),
    fc.nat(6),
    fc.nat(9),
    fc.array(fc.nat(answers.length - 1), { maxLength: 3 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
      const harness = await makeTestHarness({
        facts: () => ({ window: 3_000, tokenRatio: 1 }),
        answer: () => textAnswer("So it is."),
      });
      const randomSessions = new RandomSessions(harness);
      for (const [kind, choice, turns, cutIndex, script] of steps) {
        for (const one of script) harness.script(answers[one]?.() ?? textAnswer(""));
        const session = randomSessions.sessions[cutIndex % randomSessions.sessions.length];
        if (session !== undefined) randomSessions.act(session, kind, choice);
        if (kind === 9 && choice % 3 === 0) await randomSessions.restart();
        for (let turn = 0; turn < turns * 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        randomSessions.remember();
      }
      await Promise.all(randomSessions.sessions.map((session) => session.abort()));
      randomSessions.remember();
      for (const { id } of randomSessions.sessions) expect(auditLog(storedRows(harness, id))).toEqual([]);
      randomSessions.checkPaths();
    }),
    { numRuns: lawRuns(40), endOnFailure: true },
  );
});
