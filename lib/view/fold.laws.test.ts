/** Property tests of the laws of the fold, over random logs. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { iterate } from "./chunks";
import type { DurableEnvelope, Envelope } from "../events/event";
import { fold, foldLog } from "./fold";
import { asId, type CallId, type MessageId, type SessionId } from "../events/id";
import { type SessionSnapshot, createSessionSnapshot, pageBefore } from "./snapshot";
import { addOlderPage, viewFromSnapshot } from "./view-from-snapshot";
import { lawRuns } from "../testing/law-runs";
import { cpuRatio } from "../testing/test-cpu";
import { arbitraryLog, durableEvents, generateLog, testSessionId, type TestLog } from "../testing/test-log";
import { emptyView, pathEntries, pendingApprovals, type SessionView } from "./view";

const runs = { numRuns: lawRuns(300) };
const foldAll = (envelopes: readonly Envelope[], start: SessionView = emptyView(testSessionId)): SessionView =>
  envelopes.reduce(fold, start);

/** Comparable form of a view: entries as an array, without `stale`, to which the laws do not apply. */
const plain = ({ stale: _stale, entries, ...state }: SessionView) => ({ ...state, entries: [...iterate(entries)] });
const isIdle = (view: SessionView): boolean => view.run === null && view.openCompaction === null;
const upTo = (log: TestLog, seq: number): readonly DurableEnvelope[] =>
  durableEvents(log).filter((envelope) => envelope.seq <= seq);
const sent = (snapshot: SessionSnapshot): SessionSnapshot => JSON.parse(JSON.stringify(snapshot));

/** Reference implementation of the path by parent pointers, as the law states it. */
function pathByParents(events: readonly DurableEnvelope[]): ReadonlySet<number> {
  const onPath = /^(agent|turn|message|tool_call|approval|file_change|compaction|retry|error|review$)/;
  const parents = new Map<number, number>();
  let newest = 0;
  for (const { seq, event } of events) {
    if (event.type === "rewind") newest = event.toSeq;
    if (!onPath.test(event.type)) continue;
    parents.set(seq, newest);
    newest = seq;
  }
  const path = new Set<number>();
  for (let seq = newest; seq > 0; seq = parents.get(seq) ?? 0) path.add(seq);
  return path;
}

describe("the path", () => {
  test("equals the path by parent pointers, over any rewinds", () => {
    fc.assert(
      fc.property(arbitraryLog(false), (log) => {
        const events = durableEvents(log);
        const path = pathByParents(events);
        const starts = /^(agent_start|agent_end|message_start|compaction_start|compaction_update|retry|error|review)$/;
        const expected = events
          .filter(({ seq, event }) => path.has(seq) && starts.test(event.type))
          .map(({ seq }) => seq);
        expect(pathEntries(foldAll(events)).map((entry) => entry.seq)).toEqual(expected);
      }),
      runs,
    );
  });

  test("after a rewind to a border equals the path at that border", () => {
    fc.assert(
      fc.property(arbitraryLog(true), fc.nat(), (log, choice) => {
        const border = log.borders[choice % log.borders.length] ?? 0;
        const view = foldAll(durableEvents(log));
        const at = view.updatedAt + 1;
        const rewound = fold(view, {
          v: 1,
          sessionId: testSessionId,
          seq: view.seq + 1,
          at,
          event: { type: "rewind", toSeq: border },
        });
        expect(pathEntries(rewound)).toEqual(pathEntries(foldAll(upTo(log, border))));
      }),
      runs,
    );
  });

  test("is restored by a rewind to the hidden branch", () => {
    fc.assert(
      fc.property(arbitraryLog(true), fc.nat(), (log, choice) => {
        const ends = log.borders.filter((border) => border > 0);
        const tip = ends.at(-1);
        const view = foldAll(durableEvents(log));
        fc.pre(tip !== undefined && view.newest === tip);
        const to = log.borders[choice % log.borders.length] ?? 0;
        const rewind = (from: SessionView, toSeq: number): SessionView =>
          fold(from, { v: 1, sessionId: testSessionId, seq: from.seq + 1, at: 9e6, event: { type: "rewind", toSeq } });
        expect(pathEntries(rewind(rewind(view, to), tip ?? 0))).toEqual(pathEntries(view));
      }),
      runs,
    );
  });
});

describe("folding a whole log at once", () => {
  test("gives the same view as event by event, from any start, and does not modify the start view", () => {
    fc.assert(
      fc.property(arbitraryLog(false), fc.nat(), (log, choice) => {
        const events = durableEvents(log);
        const cut = choice % (events.length + 1);
        const begun = foldAll(events.slice(0, cut));
        const seen = structuredClone(begun);
        // Events that must be skipped: already folded, of another session, after a gap.
        const other = { ...events[0], sessionId: asId<SessionId>("another") };
        const late = { ...events.at(-1), seq: events.length + 5 };
        const way = [...events, other, late].filter((one): one is DurableEnvelope => "event" in one);
        expect(foldLog(begun, way)).toEqual(foldAll(way, begun));
        expect(begun).toEqual(seen);
      }),
      runs,
    );
  });

  test("returns the same object if no event is new", () => {
    const view = foldAll(generateLog([1, 2, 3], 60, true).envelopes);
    expect(foldLog(view, durableEvents(generateLog([1, 2, 3], 60, true)))).toBe(view);
  });

  test("folding one event never modifies the given view", () => {
    fc.assert(
      fc.property(arbitraryLog(false), (log) => {
        let view = emptyView(testSessionId);
        for (const envelope of log.envelopes) view = fold(Object.freeze(view), envelope);
        expect(view).toEqual(foldAll(log.envelopes));
      }),
      runs,
    );
  });
});

describe("the durable events alone determine the view", () => {
  const mangled = (log: TestLog, picks: readonly number[]): readonly Envelope[] =>
    log.envelopes.flatMap((envelope, index): readonly Envelope[] => {
      if ("seq" in envelope) return [envelope];
      const fate = (picks[index % picks.length] ?? 0) % 100;
      return fate < 30 ? [] : fate < 51 ? [envelope, envelope] : [envelope];
    });
  const picks = fc.array(fc.nat(99), { minLength: 20, maxLength: 60 });

  test("whenever nothing is open, with 30 % of the live events lost and 21 % duplicated", () => {
    fc.assert(
      fc.property(arbitraryLog(true), picks, (log, chances) => {
        let bare = emptyView(testSessionId);
        let lossy = emptyView(testSessionId);
        for (const envelope of mangled(log, chances)) {
          lossy = fold(lossy, envelope);
          if (!("seq" in envelope)) continue;
          bare = fold(bare, envelope);
          if (isIdle(bare)) expect(plain(lossy)).toEqual(plain(bare));
        }
      }),
      runs,
    );
  });

  test("a duplicate or late durable event changes nothing", () => {
    fc.assert(
      fc.property(arbitraryLog(false), fc.nat(), (log, choice) => {
        const view = foldAll(log.envelopes);
        const events = durableEvents(log);
        const again = events[choice % events.length];
        expect(again === undefined ? view : fold(view, again)).toBe(view);
      }),
      runs,
    );
  });

  test("a missing durable event makes the view stale and ends folding at the gap", () => {
    fc.assert(
      fc.property(arbitraryLog(true), fc.nat(), (log, choice) => {
        const events = durableEvents(log);
        const gap = choice % (events.length - 1);
        const view = foldAll(events.toSpliced(gap, 1));
        expect(view.stale).toBe(true);
        expect(view.seq).toBe(gap);
      }),
      runs,
    );
  });

  test("a gap in live text makes the view stale, and the text after the gap is not shown", () => {
    const { envelopes } = generateLog([], 0, false);
    const messageId = asId<MessageId>("m1");
    const start = foldAll([
      ...envelopes,
      { v: 1, sessionId: testSessionId, at: 1, seq: 2, event: { type: "message_start", messageId, role: "assistant" } },
    ]);
    const delta = (offset: number, words: string): Envelope => ({
      v: 1,
      sessionId: testSessionId,
      at: 1,
      after: 2,
      event: { type: "message_delta", messageId, block: 0, kind: "text", offset, text: words },
    });
    const gap = foldAll([delta(0, "one "), delta(8, "three")], start);
    expect(gap.stale).toBe(true);
    expect(pathEntries(gap)).toMatchObject([{ blocks: [{ type: "text", text: "one " }] }]);
    const overlap = foldAll([delta(0, "one "), delta(2, "e two "), delta(8, "three")], start);
    expect(overlap.stale).toBe(false);
    expect(pathEntries(overlap)).toMatchObject([{ blocks: [{ type: "text", text: "one two three" }] }]);
  });
});

describe("the fold is total", () => {
  const names = fc.constantFrom("constructor", "__proto__", "toString", "", "m1", "c1", "a1", "r1", "t1");
  const number = fc.oneof(fc.integer(), fc.constantFrom(Number.NaN, -1, 0.5, Number.POSITIVE_INFINITY, 2 ** 53));

  test("unknown event types change only seq", () => {
    fc.assert(
      fc.property(arbitraryLog(false), fc.string(), (log, name) => {
        const view = foldAll(log.envelopes);
        const unknown = JSON.parse(
          JSON.stringify({
            v: 1,
            sessionId: testSessionId,
            seq: view.seq + 1,
            at: 5,
            event: { type: `x${name}`, toSeq: 0 },
          }),
        );
        expect(fold(view, unknown)).toEqual({ ...view, seq: view.seq + 1 });
        const live = JSON.parse(
          JSON.stringify({ v: 1, sessionId: testSessionId, after: view.seq, at: 5, event: { type: `x${name}` } }),
        );
        expect(fold(view, live)).toBe(view);
      }),
      runs,
    );
  });

  test("unknown ids and invalid numbers never throw and have no effect", () => {
    fc.assert(
      fc.property(arbitraryLog(false), names, number, fc.nat(11), (log, name, value, kind) => {
        const view = foldAll(log.envelopes);
        const ids = { messageId: name, callId: name, approvalId: name, runId: name, turnId: name };
        const events = [
          { type: "rewind", toSeq: value },
          { type: "message_end", ...ids, blocks: [], stop: "done" },
          { type: "tool_call_start", ...ids, kind: "other", target: "", facts: {} },
          {
            type: "tool_call_end",
            ...ids,
            outcome: "ok",
            output: [],
            facts: {},
            changes: [{ added: 7, removed: 7 }],
            tookMs: value,
          },
          { type: "approval_request", ...ids, boundTo: "", options: [] },
          { type: "approval_response", ...ids, option: "once", by: name },
          { type: "file_change", ...ids, path: "", before: null, mode: 0 },
          { type: "turn_end", ...ids },
          { type: "agent_end", ...ids, reason: "done" },
          { type: "compaction_update", of: value, summary: "", head: [] },
          { type: "message_start", ...ids, role: "assistant" },
          { type: "session_fork", parentId: name, atSeq: value },
        ];
        const event = events[kind];
        const next = fold(
          view,
          JSON.parse(JSON.stringify({ v: 1, sessionId: testSessionId, seq: view.seq + 1, at: 5, event })),
        );
        expect(next.seq).toBe(view.seq + 1);
        expect(() => [pathEntries(next), pendingApprovals(next), createSessionSnapshot(next)]).not.toThrow();
        const isOpen = Object.hasOwn(view.openCalls, name);
        if (event?.type === "tool_call_end" && !isOpen) expect(next.added).toBe(view.added);
        const live = { type: "message_delta", ...ids, block: value, kind: "text", offset: value, text: "x" };
        expect(() =>
          fold(next, JSON.parse(JSON.stringify({ v: 1, sessionId: testSessionId, after: 0, at: 5, event: live }))),
        ).not.toThrow();
      }),
      { numRuns: lawRuns(600) },
    );
  });

  test("a rewind to a future seq is ignored", () => {
    const view = foldAll(generateLog([3, 5, 7], 60, true).envelopes);
    const ahead = fold(view, {
      v: 1,
      sessionId: testSessionId,
      seq: view.seq + 1,
      at: 5,
      event: { type: "rewind", toSeq: view.seq + 50 },
    });
    expect(pathEntries(ahead)).toEqual(pathEntries(view));
  });

  test("events of another session are ignored", () => {
    const { envelopes } = generateLog([1, 2, 3], 20, true);
    const view = emptyView(asId<SessionId>("s2"));
    expect(envelopes.reduce(fold, view)).toBe(view);
  });
});

describe("what has ended stays ended", () => {
  test("a call has exactly one result", () => {
    fc.assert(
      fc.property(arbitraryLog(false), (log) => {
        const view = foldAll(log.envelopes);
        const open = new Set(Object.keys(view.openCalls));
        for (const entry of iterate(view.entries)) {
          if (entry.kind !== "message") continue;
          const blocks = entry.stop === "done" ? entry.blocks.filter((block) => block.type === "call").length : 0;
          expect(entry.calls).toHaveLength(blocks);
          for (const call of entry.calls) expect(call.output === undefined).toBe(open.has(call.callId));
        }
      }),
      runs,
    );
  });

  test("a repeated end event changes only seq and time", () => {
    fc.assert(
      fc.property(arbitraryLog(true), fc.nat(), (log, choice) => {
        const view = foldAll(log.envelopes);
        const ends = durableEvents(log).filter(({ event }) =>
          /^(message_end|tool_call_end|turn_end|agent_end|compaction_end)$/.test(event.type),
        );
        const late = ends[choice % Math.max(1, ends.length)];
        fc.pre(late !== undefined);
        if (late === undefined) return;
        const after = fold(view, { ...late, seq: view.seq + 1, at: view.updatedAt });
        const { newest: _n, border: _b, seq: _seq, segments: _segments, ...others } = plain(after);
        const { rewound: _rewound, left: _left, ...rest } = others;
        expect(plain(view)).toMatchObject(rest);
      }),
      runs,
    );
  });

  test("error, the next turn and the end of the run close a compaction; a later compaction_end is ignored", () => {
    const start = foldAll(generateLog([], 0, false).envelopes);
    const apply = (view: SessionView, event: DurableEnvelope["event"]): SessionView =>
      fold(view, { v: 1, sessionId: testSessionId, seq: view.seq + 1, at: 5, event });
    const end = { type: "compaction_end", head: [], summary: "s", keepFromSeq: 1, tokensAfter: 1 } as const;
    const closers: readonly DurableEnvelope["event"][] = [
      { type: "error", error: { code: "aborted" } },
      { type: "turn_start", turnId: asId("t1"), step: 1 },
    ];
    for (const closer of closers) {
      const closed = apply(apply(start, { type: "compaction_start", tokensBefore: 5 }), closer);
      expect(closed.openCompaction).toBeNull();
      expect(pathEntries(apply(closed, end))[0]).toMatchObject({ kind: "compaction", state: "failed" });
    }
  });

  test("only the first response to an approval is applied", () => {
    fc.assert(
      fc.property(arbitraryLog(false), (log) => {
        const events = durableEvents(log);
        const answer = events.findLast(({ event }) => event.type === "approval_response")?.event;
        fc.pre(answer?.type === "approval_response");
        if (answer?.type !== "approval_response") return;
        const view = foldAll(log.envelopes);
        const other = fold(view, {
          v: 1,
          sessionId: testSessionId,
          seq: view.seq + 1,
          at: view.updatedAt,
          event: { ...answer, option: "always" },
        });
        expect([...iterate(other.entries)]).toEqual([...iterate(view.entries)]);
      }),
      runs,
    );
  });
});

describe("opening a session", () => {
  const window = fc.integer({ min: 1, max: 8 });

  test("at any moment, with paging back and further events, gives the view of the server", () => {
    fc.assert(
      fc.property(arbitraryLog(false), fc.nat(), window, window, (log, cutAt, size, page) => {
        const moment = cutAt % (log.envelopes.length + 1);
        let server = foldAll(log.envelopes.slice(0, moment));
        let client = viewFromSnapshot(sent(createSessionSnapshot(server, size)));
        for (const envelope of log.envelopes.slice(moment)) {
          server = fold(server, envelope);
          client = fold(client, envelope);
          if (client.stale) client = viewFromSnapshot(sent(createSessionSnapshot(server, size)));
        }
        const window = pathEntries(client).filter((entry) => entry.seq >= client.heldFrom);
        expect(window).toEqual(pathEntries(server).filter((entry) => entry.seq >= client.heldFrom));
        const { entries: _all, heldFrom: _server, windowed: _no, stale: _a, ...state } = server;
        expect(client).toMatchObject(state);
        while (client.heldFrom > 0) client = addOlderPage(client, sent2(pageBefore(server, client.heldFrom, page)));
        expect(pathEntries(client)).toEqual(pathEntries(server));
      }),
      { numRuns: lawRuns(500) },
    );
  });

  test("includes every open entry, however old, exactly once", () => {
    fc.assert(
      fc.property(arbitraryLog(false), window, (log, size) => {
        const server = foldAll(log.envelopes);
        const { entries } = createSessionSnapshot(server, size);
        const held = entries.map((entry) => entry.seq);
        expect(held).toEqual([...new Set(held)].toSorted((a, b) => a - b));
        for (const seq of [...Object.values(server.openMessages), ...Object.values(server.openCalls)])
          expect(held).toContain(seq);
        expect(pendingApprovals(viewFromSnapshot(sent(createSessionSnapshot(server, size))))).toEqual(
          pendingApprovals(server),
        );
      }),
      runs,
    );
  });

  test("a page holds the ancestors of its entry, also directly after a rewind", () => {
    fc.assert(
      fc.property(arbitraryLog(true), fc.nat(), window, (log, choice, size) => {
        const server = foldAll(durableEvents(log));
        const all = [...iterate(server.entries)];
        const entry = all[choice % Math.max(1, all.length)];
        fc.pre(entry !== undefined);
        if (entry === undefined) return;
        const before = pathEntries(foldAll(upTo(log, entry.seq)))
          .filter((one) => one.seq < entry.seq)
          .map((one) => one.seq);
        expect(pageBefore(server, entry.seq, size).entries.map((one) => one.seq)).toEqual(before.slice(-size));
      }),
      runs,
    );
  });
});

const sent2 = (page: ReturnType<typeof pageBefore>): ReturnType<typeof pageBefore> => JSON.parse(JSON.stringify(page));

describe("a long session", () => {
  const longLog = (messages: number): readonly Envelope[] => {
    const choices = Array.from({ length: 997 }, (_, index) => (index * 7919 + 13) % 5_039);
    return generateLog(choices, messages, true).envelopes;
  };
  test("folding takes time linear in the number of events", () => {
    const long = longLog(40_000);
    const durable = durableEvents({ envelopes: long });
    expect(durable.length).toBeGreaterThan(15_000);
    const tenth = long.slice(0, Math.floor(long.length / 10));
    foldAll(tenth);
    expect(
      cpuRatio(
        () => foldAll(long),
        () => foldAll(tenth),
        40,
      ),
    ).toBeLessThan(40);
  });

  test("a repeated call id cannot end a call again", () => {
    const view = foldAll(longLog(400));
    const callId = asId<CallId>("c5");
    const next = fold(view, {
      v: 1,
      sessionId: testSessionId,
      seq: view.seq + 1,
      at: view.updatedAt,
      event: { type: "tool_call_end", callId, outcome: "ok", output: [], facts: {}, tookMs: 0 },
    });
    expect([...iterate(next.entries)]).toEqual([...iterate(view.entries)]);
  });
});
