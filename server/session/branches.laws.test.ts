/** Laws of branches over random sessions: prompts with calls, rewinds, redos, forks, stops and kills in any order. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { each } from "@/lib/chunks";
import { isBorder } from "@/lib/event";
import { fold, foldLog } from "@/lib/fold";
import type { SessionId } from "@/lib/id";
import { emptyView, pathOf, type SessionView } from "@/lib/view";
import { compile } from "../agent/context/compile";
import type { ModelMessage } from "../providers/provider";
import type { Session } from "./session";
import { auditLog } from "./test-audit";
import { type Answer, calls, command, fails, type House, makeGate, makeHouse, rowsOf, says } from "./test-services";
import { treeOf } from "./tree";

const answers: readonly (() => Answer)[] = [
  () => says("Fine."),
  () => calls(["ls", {}], ["read", { path: "a.txt" }]),
  () => calls(["write", { path: "a.txt", content: "new" }]),
  () => fails("model_missing", false),
  () => [makeGate(), ...says("Never.")],
];

const told = (view: SessionView): readonly ModelMessage[] => compile(view, { system: "", image: () => null });

type Rows = ReturnType<typeof rowsOf>;

const folded = (id: SessionId, rows: Rows): SessionView =>
  foldLog(
    emptyView(id),
    rows.map(({ seq, at, event }) => ({ v: 1, sessionId: id, seq, at, event })),
  );

const stored = (harness: House, id: SessionId, upTo?: number): SessionView =>
  folded(id, rowsOf(harness, id).slice(0, upTo));

const bordersOf = (harness: House, id: SessionId): readonly number[] => [
  0,
  ...rowsOf(harness, id).flatMap(({ seq, event }) => (isBorder(event.type) ? [seq] : [])),
];

/** The sessions under test, and every row seen so far. */
class World {
  readonly sessions: Session[];
  readonly #seen = new Map<SessionId, string[]>();

  constructor(readonly harness: House) {
    this.sessions = [harness.session("full")];
  }

  /** Checks that no row of a log is ever changed, byte for byte. */
  remember(): void {
    for (const { id } of this.sessions) {
      const rows = rowsOf(this.harness, id).map((row) => JSON.stringify(row));
      const before = this.#seen.get(id) ?? [];
      expect(rows.slice(0, before.length)).toEqual(before);
      this.#seen.set(id, rows);
    }
  }

  fork(session: Session, choice: number): void {
    const borders = bordersOf(this.harness, session.id);
    const atSeq = borders[choice % borders.length] ?? 0;
    const made = this.harness.registry().fork({ sessionId: session.id, atSeq, commandId: command() });
    if (!made.ok) throw new Error(made.error.code);
    const { view, id } = made.value;
    expect(told(view)).toEqual(told(stored(this.harness, session.id, atSeq)));
    expect(view).toMatchObject({ run: null, turn: null, openCompaction: null, queue: [], mode: "ask" });
    expect(auditLog(rowsOf(this.harness, id))).toEqual([]);
    expect([...each(stored(this.harness, id).entries)]).toEqual([...each(view.entries)]);
    this.sessions.push(made.value);
  }

  /** Checks that a rewind is complete, or fails with not_idle and changes nothing. */
  rewind(session: Session, toSeq: number): void {
    const { seq, run, openCompaction } = session.view;
    const back = session.rewind(toSeq, command());
    expect(back.ok).toBe(run === null && openCompaction === null);
    expect(session.view.seq).toBe(back.ok ? seq + 1 : seq);
    if (!back.ok) return expect(back.error.code).toBe("not_idle");
    const then = stored(this.harness, session.id, toSeq);
    expect(pathOf(session.view)).toEqual(pathOf(then));
    expect(told(session.view)).toEqual(told(then));
  }

  act(session: Session, kind: number, choice: number): void {
    const borders = bordersOf(this.harness, session.id);
    const border = borders[choice % borders.length] ?? 0;
    switch (kind) {
      case 0:
      case 1:
        session.send(`text ${choice}`, (["prompt", "steer", "followUp"] as const)[choice % 3] ?? "prompt", command());
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
        const sent = session.send(`again ${choice}`, "prompt", command(), { rewindTo: border });
        if (!sent.ok) expect([sent.error.code, session.view.seq]).toEqual(["not_idle", seq]);
        return;
      }
      case 6: {
        const [queued] = session.view.queue;
        if (queued !== undefined) session.send(queued.text, "prompt", command(), { queuedId: queued.id });
        return;
      }
      case 7:
        session.compact(undefined, command());
        return;
      case 8:
        void session.abort();
        return;
      default:
        if (choice % 3 !== 0) return;
        this.harness.restart();
        this.sessions.splice(0, this.sessions.length, ...this.sessions.map((one) => this.harness.again(one)));
    }
  }

  /** Checks at every border of every session that a rewind restores the view at that border. */
  checkPaths(): void {
    for (const session of this.sessions) {
      const rows = rowsOf(this.harness, session.id);
      const view = folded(session.id, rows);
      expect([...each(session.view.entries)]).toEqual([...each(view.entries)]);
      const borders = bordersOf(this.harness, session.id);
      expect(borders).toContain(view.border);
      for (const toSeq of borders) {
        const event = { type: "rewind" as const, toSeq };
        const back = fold(view, { v: 1, sessionId: session.id, at: view.updatedAt, seq: view.seq + 1, event });
        const then = folded(session.id, rows.slice(0, toSeq));
        expect(pathOf(back)).toEqual(pathOf(then));
        expect(told(back)).toEqual(told(then));
        expect([back.border, back.usage]).toEqual([toSeq, then.usage]);
      }
      const { nodes } = treeOf(view, []);
      expect(nodes.every(({ from, to }) => borders.includes(from) && (to === null || borders.includes(to)))).toBe(true);
      const onPath = pathOf(view).flatMap((entry) => (entry.kind === "run_start" ? [entry.seq] : []));
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
      const harness = await makeHouse({
        facts: () => ({ window: 3_000, tokenRatio: 1 }),
        answer: () => says("So it is."),
      });
      const world = new World(harness);
      for (const [kind, choice, turns, which, script] of steps) {
        for (const one of script) harness.script(answers[one]?.() ?? says(""));
        const session = world.sessions[which % world.sessions.length];
        if (session !== undefined) world.act(session, kind, choice);
        for (let turn = 0; turn < turns * 4; turn += 1) await new Promise((resolve) => setImmediate(resolve));
        world.remember();
      }
      await Promise.all(world.sessions.map((session) => session.abort()));
      world.remember();
      for (const { id } of world.sessions) expect(auditLog(rowsOf(harness, id))).toEqual([]);
      world.checkPaths();
    }),
    { numRuns: 40, endOnFailure: true },
  );
});
