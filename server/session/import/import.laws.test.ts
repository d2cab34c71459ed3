import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import type { DurableEvent } from "@/lib/events/event";
import { foldLog } from "@/lib/view/fold";
import { asId, type SessionId } from "@/lib/events/id";
import { lawRuns } from "@/lib/testing/law-runs";
import { arbitraryLog, durableEvents } from "@/lib/testing/test-log";
import { emptyView } from "@/lib/view/view";
import { exportSession } from "../export/export";
import { rig, jsonl, withoutOrigin, cardsOf, toolLine, timestampOf, good, piTree } from "./test-import";

const toolLines = (count: number, idOf: (index: number) => string) =>
  jsonl({ type: "header" }, ...Array.from({ length: count }, (_, index) => toolLine(idOf(index), `r${index}`)));

test("an exported and imported session is the same session, for random logs", async () => {
  const { store, project, viewOf, bring } = rig();
  const prompt = store.blobs.put(Buffer.from('{"system":"You are gopi.","tools":[]}'));
  /** A file has no calls that could still be run. */
  const withoutUnrun = (event: DurableEvent): DurableEvent => {
    if (event.type !== "message_end") return event;
    const { unrun: _unrun, ...end } = event;
    return end;
  };
  /** Replaces project and prompt by existing ones. */
  const rebase = (event: DurableEvent): DurableEvent => {
    if (event.type === "session_start") return { ...event, projectId: project.id, cwd: "/here" };
    return event.type === "model_change" ? { ...event, prompt } : event;
  };
  let counted = 0;
  await fc.assert(
    fc.asyncProperty(arbitraryLog(false), async (log) => {
      const id = asId<SessionId>(`ses${(counted += 1)}`);
      const rows = durableEvents(log).map(({ seq, at: time, event }) => ({ seq, at: time, event: rebase(event) }));
      const view = foldLog(
        emptyView(id),
        rows.map((row) => ({ ...row, v: 1 as const, sessionId: id })),
      );
      store.events.create({
        session: {
          id,
          projectId: project.id,
          cwd: "/here",
          title: view.title,
          status: "idle",
          mode: view.mode,
          model: "",
          createdAt: 1,
          updatedAt: 1,
          added: 0,
          removed: 0,
        },
        rows,
      });
      const file = exportSession(store, view, "jsonl", null);
      const text = file?.text ?? "";
      const imported = await bring(text);
      if (!imported.ok) throw new Error(JSON.stringify(imported.error));
      const again = viewOf(asId<SessionId>(imported.value.rows[0]?.id ?? ""));
      const whole = foldLog(
        emptyView(again.sessionId),
        store.events
          .read(again.sessionId)
          .slice(0, rows.length)
          .map((row) => ({ ...row, v: 1 as const, sessionId: again.sessionId })),
      );
      const expected = foldLog(
        emptyView(id),
        rows.map((row) => ({ ...row, event: withoutUnrun(row.event), v: 1 as const, sessionId: id })),
      );
      expect(withoutOrigin(whole)).toEqual(withoutOrigin(expected));
      expect(again).toMatchObject({
        run: null,
        turn: null,
        openCalls: {},
        openMessages: {},
        openCompaction: null,
        queue: [],
      });
      expect(["ask", "plan"]).toContain(again.mode);
    }),
    { numRuns: lawRuns(25), endOnFailure: true },
  );
});

test("a large file is read in slices by size, whatever the length of its lines, and yields in between", async () => {
  const { importText } = rig();
  const turns = vi.spyOn(globalThis, "setImmediate");
  onTestFinished(() => turns.mockRestore());
  const content = "x".repeat(100_000);
  const talk = Array.from({ length: 200 }, () => ({ type: "message", role: "user", content }));
  await importText(jsonl({ type: "header", version: 1 }, ...talk));
  // 20 MB in slices of about 300 kB.
  expect(turns.mock.calls.length).toBeGreaterThan(60);
});

test("a large log of ours is read and stored in slices, and is never visible in part", async () => {
  const { store, bring } = rig();
  const lines = [
    { type: "header", version: 1 },
    { seq: 1, timestamp: timestampOf(1), event: { type: "session_start", projectId: "p", cwd: "/p" } },
    ...Array.from({ length: 20_000 }, (_, index) => ({
      seq: index + 2,
      timestamp: timestampOf(1),
      event: { type: "hidden" },
    })),
  ];
  const turns = vi.spyOn(globalThis, "setImmediate");
  onTestFinished(() => turns.mockRestore());
  const seen = new Set<number>();
  const done = bring(`${jsonl(...lines)}\n${jsonl(...lines)}`);
  let isDone = false;
  void done.then(() => (isDone = true));
  while (!isDone) {
    seen.add(store.sessions.list({ limit: 10 }).rows.length);
    await new Promise((resolve) => setTimeout(resolve));
  }
  expect(await done).toMatchObject({ ok: true, value: { rows: [{ lastSeq: 20_002 }, { lastSeq: 20_002 }] } });
  expect([...seen].filter((count) => count !== 2)).toEqual([0]);
  // The title is the last event. Lines, events, the fold and the store: four passes, each in slices of at most 1,000
  // rows.
  expect(turns.mock.calls.length).toBeGreaterThan((4 * 40_000) / 1_000);
});

test.each<[string, (index: number) => string]>([
  ["without ids", () => ""],
  ["with ids", (index) => `call_${index}`],
])("many results without a matching call, %s, are read in slices and in linear time", async (_what, idOf) => {
  const { importText } = rig();
  const cpuOf = async (count: number): Promise<number> => {
    const before = process.cpuUsage();
    const { view } = await importText(toolLines(count, idOf));
    const { user, system } = process.cpuUsage(before);
    expect(cardsOf(view)).toHaveLength(count);
    return (user + system) / 1_000;
  };
  await cpuOf(500);
  const small = await cpuOf(2_500);
  const turns = vi.spyOn(globalThis, "setImmediate");
  onTestFinished(() => turns.mockRestore());
  const large = await cpuOf(10_000);
  expect(turns.mock.calls.length).toBeGreaterThan(30);
  expect(large / Math.max(small, 20)).toBeLessThan(10);
});

test("2,000 damaged files are refused or imported, and none throws or hangs", async () => {
  const { store, bring, viewOf, importText } = rig();
  const { view } = await importText(jsonl(...piTree));
  const seeds = [jsonl(...piTree), exportSession(store, view, "jsonl", null)?.text ?? "", `${good}\n${good}`];
  let successes = 0;
  const mutations = fc.array(
    fc.record({
      at: fc.nat(),
      drop: fc.nat(40),
      put: fc.oneof(
        fc.string({ maxLength: 12 }),
        fc.constantFrom('"', "{", "}", "null", "-1", "1e999", "[[[[", '"__proto__"', "\u0000", "\n"),
      ),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const samples = fc.sample(fc.tuple(fc.nat(2), mutations), { numRuns: lawRuns(2_000), seed: 7 });
  for (const [sampleIndex, changes] of samples) {
    const damaged = changes.reduce((file, { at: place, drop, put }) => {
      const from = place % (file.length + 1);
      return file.slice(0, from) + put + file.slice(from + drop);
    }, seeds[sampleIndex] ?? "");
    const imported = await bring(damaged);
    if (!imported.ok) expect(imported.error.code).toBe("bad_import");
    else for (const { id } of imported.value.rows) expect(viewOf(id).run).toBeNull();
    successes += imported.ok ? 1 : 0;
  }
  // Some damage is inside a text.
  expect(successes).toBeGreaterThan(0);
  expect(
    await bring(
      `{"type":"header"}\n{"seq":1,"timestamp":1,"event":{"type":"error","error":${"[".repeat(50_000)}${"]".repeat(50_000)}}}`,
    ),
  ).toMatchObject({ ok: false });
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  expect(
    await bring(
      `{"type":"header"}\n{"type":"message","role":"assistant","tool_calls":[{"id":"a","name":"x","arguments":${deep}}]}`,
    ),
  ).toMatchObject({ ok: false, error: { code: "bad_import" } });
});
