/** Change of the view by each event. */
import { describe, expect, test } from "vitest";
import type { Block, Json, Usage } from "../events/content";
import type { DurableEvent, LiveEvent } from "../events/event";
import { asId, type ApprovalId, type BlobId, type CallId, type MessageId, type RunId, type TurnId } from "../events/id";
import { testSessionId } from "../testing/test-log";
import { append, appendAt } from "../testing/test-view";
import { fold } from "./fold";
import { findUndecidedCall } from "./unrun-calls";
import { emptyView, pathEntries, type SessionView } from "./view";

const empty = emptyView(testSessionId);
const runId = asId<RunId>("r1");
const turnId = asId<TurnId>("t1");
const answerId = asId<MessageId>("m1");
const callId = asId<CallId>("c1");
const approvalId = asId<ApprovalId>("a1");

const text = (words: string): Block => ({ type: "text", text: words });
const usage = (promptTokens: number): Usage => ({
  promptTokens,
  outputTokens: 1,
  estimatedPromptTokens: 1,
  loadMs: 0,
  promptMs: 0,
  outputMs: 0,
});
const start: DurableEvent = { type: "agent_start", runId };
const end: DurableEvent = { type: "agent_end", runId, reason: "done" };
const turn = (step: number, id = turnId): DurableEvent => ({ type: "turn_start", turnId: id, step });
const turnEnd = (id = turnId): DurableEvent => ({ type: "turn_end", turnId: id });
const messageEvents = (
  id: string,
  role: "user" | "assistant",
  ended: Partial<Extract<DurableEvent, { type: "message_end" }>> = {},
): readonly DurableEvent[] => [
  { type: "message_start", messageId: asId(id), role },
  { type: "message_end", messageId: asId(id), blocks: [text(id)], stop: "done", ...ended },
];
const called: readonly DurableEvent[] = messageEvents("m1", "assistant", {
  blocks: [{ type: "call", callId, name: "bash", input: { command: "ls" } }],
});
const callStart: DurableEvent = {
  type: "tool_call_start",
  callId,
  messageId: answerId,
  kind: "shell",
  target: "ls",
  facts: { entries: 1 },
};
const card = (id = approvalId): DurableEvent => ({
  type: "approval_request",
  approvalId: id,
  callId,
  boundTo: asId("h"),
  options: ["once", "deny"],
});
const response = (id = approvalId): DurableEvent => ({
  type: "approval_response",
  approvalId: id,
  option: "once",
  by: asId("tab"),
});
const model: Extract<DurableEvent, { type: "model_change" }> = {
  type: "model_change",
  provider: "ollama",
  model: "qwen",
  toolMode: "native",
  numCtx: 4_096,
  think: false,
  profile: "default",
  prompt: asId<BlobId>("b1"),
};
const live = (view: SessionView, event: LiveEvent, after = view.seq): SessionView =>
  fold(view, { v: 1, sessionId: testSessionId, at: 1, after, event });
const callOf = (view: SessionView) =>
  pathEntries(view).flatMap((entry) => (entry.kind === "message" ? entry.calls : []))[0];

describe("the state of a session", () => {
  test("its times are those of its first and newest event; a new title or mode does not count as newest", () => {
    const first = appendAt(empty, 5, { type: "session_update", title: "a" });
    expect(first).toMatchObject({ createdAt: 5, updatedAt: 5 });
    const titled = appendAt(first, 9, { type: "session_update", title: "b" });
    expect(titled).toMatchObject({ createdAt: 5, updatedAt: 5 });
    expect(appendAt(titled, 12, start)).toMatchObject({ createdAt: 5, updatedAt: 12 });
  });

  test("an update changes only the fields it names", () => {
    const pin = { path: "a.ts" };
    const view = append(
      empty,
      { type: "session_update", title: "a", mode: "plan", pins: [pin] },
      { type: "session_update" },
    );
    expect(view).toMatchObject({ title: "a", mode: "plan", pins: [pin], labels: {} });
    expect(append(view, { type: "session_update", title: "b" })).toMatchObject({ title: "b", mode: "plan" });
    expect(append(view, { type: "session_update", pins: [] })).toMatchObject({ title: "a", pins: [] });
  });

  test("a pinned file has the position since which it is pinned, until it is unpinned", () => {
    const pin = (...paths: string[]): DurableEvent => ({
      type: "session_update",
      pins: paths.map((path) => ({ path })),
    });
    const view = append(empty, pin("a.ts"), pin("a.ts", "b.ts"));
    expect(view.pins).toEqual([
      { path: "a.ts", since: 1 },
      { path: "b.ts", since: 2 },
    ]);
    expect(append(view, pin("b.ts"), pin("a.ts", "b.ts")).pins).toEqual([
      { path: "a.ts", since: 4 },
      { path: "b.ts", since: 2 },
    ]);
  });

  test("a label is replaced by the next one at its place and removed by an empty one", () => {
    const label = (seq: number, words: string): DurableEvent => ({
      type: "session_update",
      label: { seq, text: words },
    });
    const view = append(empty, label(1, "one"), label(2, "two"), label(1, "new"));
    expect(view.labels).toEqual({ 1: "new", 2: "two" });
    expect(append(view, label(1, "")).labels).toEqual({ 2: "two" });
  });

  test("only an imported session is marked as imported, and only a fork has a parent", () => {
    const begin: DurableEvent = { type: "session_start", projectId: asId("p"), cwd: "/p" };
    expect(append(empty, begin)).toMatchObject({ projectId: "p", cwd: "/p" });
    expect(append(empty, begin)).not.toHaveProperty("imported");
    expect(append(empty, { ...begin, imported: true })).toHaveProperty("imported", true);
    expect(append(empty, begin)).not.toHaveProperty("parent");
    expect(append(empty, begin, { type: "session_fork", parentId: asId("s0"), atSeq: 7 }).parent).toEqual({
      sessionId: "s0",
      relation: "fork",
      atSeq: 7,
    });
  });
});

describe("a run", () => {
  test("begins with an entry that has the border before it and the model of that time", () => {
    expect(pathEntries(append(empty, start))).toEqual([{ kind: "run_start", seq: 1, at: 1, runId, from: 0 }]);
    const second = append(empty, model, start, end, start);
    expect(pathEntries(second).at(-1)).toEqual({
      kind: "run_start",
      seq: 4,
      at: 1,
      runId,
      from: 3,
      model: "qwen",
      provider: "ollama",
    });
  });

  test("counts its steps and ends with an entry; the end of another run or turn changes nothing", () => {
    const open = append(empty, start, turn(1), turnEnd(), turn(2, asId("t2")));
    expect(open).toMatchObject({ run: { steps: 2 }, turn: { turnId: "t2", step: 2 } });
    expect(append(open, turnEnd()).turn).toEqual(open.turn);
    expect(append(open, turnEnd(asId("t2"))).turn).toBeNull();
    expect(append(open, { ...end, runId: asId("r0") }).run).toEqual(open.run);
    const ended = appendAt(open, 8, end);
    expect(ended).toMatchObject({ run: null, turn: null });
    expect(pathEntries(ended).at(-1)).toEqual({
      kind: "run_end",
      seq: 5,
      at: 8,
      runId,
      reason: "done",
      startedAt: 1,
      waitedMs: 0,
      steps: 2,
    });
  });

  test("shows a phase of its open turn until its answer, the turn or the run ends, or the next turn starts", () => {
    const phase: LiveEvent = { type: "phase", phase: "reading", sinceMs: 1 };
    const open = append(empty, start, turn(1));
    expect(live(append(empty, start), phase).phase).toBeNull();
    expect(live(open, phase, 1).phase).toBeNull();
    const shown = live(open, phase);
    expect(shown.phase).toEqual({ phase: "reading", sinceMs: 1 });
    for (const event of [turnEnd(), end, turn(2, asId("t2"))]) expect(append(shown, event).phase).toBeNull();
    const answer = messageEvents("m1", "assistant");
    expect(append(shown, ...answer.slice(0, 1)).phase).toEqual(shown.phase);
    expect(append(shown, ...answer).phase).toBeNull();
  });
});

describe("a message", () => {
  test("of the user has the border before it, one of the model has none", () => {
    const view = append(empty, start, end, ...messageEvents("m0", "user"), ...messageEvents("m1", "assistant"));
    const [, , user, answer] = pathEntries(view);
    expect(user).toMatchObject({ from: 2, blocks: [text("m0")], stop: "done" });
    expect(answer).not.toHaveProperty("from");
    expect(user).not.toHaveProperty("commandId");
    const sent = append(empty, { type: "message_start", messageId: answerId, role: "user", commandId: asId("k") });
    expect(pathEntries(sent)[0]).toMatchObject({ commandId: "k", blocks: [] });
  });

  test("gives the view its usage; one without usage leaves that of the answer before", () => {
    const view = append(empty, ...messageEvents("m1", "assistant", { usage: usage(5) }));
    expect(view.usage).toEqual(usage(5));
    expect(pathEntries(view)[0]).toHaveProperty("usage", usage(5));
    const next = append(view, ...messageEvents("m2", "assistant"));
    expect(next.usage).toEqual(usage(5));
    expect(pathEntries(next)[1]).not.toHaveProperty("usage");
    expect(append(next, ...messageEvents("m3", "assistant", { usage: usage(7) })).usage).toEqual(usage(7));
  });

  test("replaced by a retry is marked, but one that an output limit ended is continued", () => {
    const retried = (code: "server_error" | "output_limit", messageId = answerId): unknown =>
      pathEntries(
        append(
          empty,
          start,
          ...messageEvents("m0", "assistant", { stop: "error" }),
          ...messageEvents("m1", "assistant", { stop: "error" }),
          { type: "retry", messageId, attempt: 1, of: 3, delayMs: 0, error: { code } },
        ),
      ).flatMap((entry) => (entry.kind === "message" ? [entry.replaced === true] : []));
    expect(retried("server_error")).toEqual([false, true]);
    expect(retried("server_error", asId("m0"))).toEqual([true, false]);
    expect(retried("output_limit")).toEqual([false, false]);
  });

  test("a retry marks no message of an earlier run", () => {
    const retry: DurableEvent = {
      type: "retry",
      messageId: answerId,
      attempt: 1,
      of: 3,
      delayMs: 0,
      error: { code: "server_error" },
    };
    const view = append(empty, start, ...messageEvents("m1", "assistant"), end, start, retry);
    expect(pathEntries(view)[1]).not.toHaveProperty("replaced");
    expect(pathEntries(view).at(-1)).toMatchObject({ kind: "retry", attempt: 1, of: 3 });
  });

  test("queues its calls when it is done, with a target from the usual arguments; a failed one has none", () => {
    const call = (input: Json) => {
      const blocks: readonly Block[] = [text("x"), { type: "call", callId, name: "read", input }];
      return append(empty, ...messageEvents("m1", "assistant", { blocks }));
    };
    const inputs: readonly Json[] = [
      { path: "a.ts" },
      { file_path: "b.ts" },
      { command: "ls" },
      { pattern: "x" },
      { command: "ls", path: "a.ts" },
      { path: 1, command: "ls" },
      { other: "x" },
      "text",
      null,
    ];
    expect(inputs.map((input) => callOf(call(input))?.target)).toEqual([
      "a.ts",
      "b.ts",
      "ls",
      "x",
      "a.ts",
      "ls",
      "",
      "",
      "",
    ]);
    expect(callOf(call({}))).toMatchObject({ callId, name: "read", state: "queued", approvals: [] });
    expect(call({}).openCalls).toEqual({ c1: 1 });
    const failed = append(empty, ...called.slice(0, 1), { ...called[1], type: "message_end", ...failure });
    expect([callOf(failed), failed.openCalls]).toEqual([undefined, {}]);
  });
  const failure = {
    messageId: answerId,
    blocks: [{ type: "call", callId, name: "bash", input: {} }],
    stop: "error",
  } as const;
});

type MessageDelta = Extract<LiveEvent, { type: "message_delta" }>;

describe("streamed text", () => {
  const delta = (block: number, offset: number, words: string): MessageDelta => ({
    type: "message_delta",
    messageId: answerId,
    block,
    kind: "text",
    offset,
    text: words,
  });
  const open = append(empty, { type: "message_start", messageId: answerId, role: "assistant" });
  const blocksOf = (view: SessionView) =>
    pathEntries(view).flatMap((one) => (one.kind === "message" ? one.blocks : []));

  test("is appended to its block; the next block may begin, a later one or another kind makes the view stale", () => {
    const view = live(live(open, delta(0, 0, "a")), delta(1, 0, "b"));
    expect(blocksOf(live(view, delta(0, 1, "c")))).toEqual([text("ac"), text("b")]);
    expect(live(view, delta(3, 0, "x"))).toMatchObject({ stale: true });
    expect(live(view, { ...delta(0, 1, "x"), kind: "thinking" })).toMatchObject({ stale: true });
    expect(blocksOf(live(view, { ...delta(0, 1, "x"), kind: "thinking" }))).toEqual([text("a"), text("b")]);
  });

  test("that was received already changes nothing, also when the message has ended", () => {
    const view = live(open, delta(0, 0, "abc"));
    expect(live(view, delta(0, 1, "bc"))).toBe(view);
    const ended = append(view, { type: "message_end", messageId: answerId, blocks: [text("abc")], stop: "done" });
    expect(live(ended, delta(0, 3, "d"))).toBe(ended);
  });

  test("of a call keeps the name that its first part has", () => {
    const first: LiveEvent = { ...delta(0, 0, "{"), kind: "input", name: "read" };
    const next: LiveEvent = { ...delta(0, 1, "}"), kind: "input" };
    expect(blocksOf(live(live(open, first), next))).toEqual([{ type: "input", name: "read", text: "{}" }]);
    expect(blocksOf(live(open, { ...next, offset: 0 }))).toEqual([{ type: "input", name: "", text: "}" }]);
  });
});

describe("a call", () => {
  const queued = append(empty, ...called);
  const output = (offset: number, words: string): LiveEvent => ({
    type: "tool_call_delta",
    callId,
    offset,
    text: words,
  });

  test("starts, waits for the newest approval and runs from its response on", () => {
    const running = appendAt(queued, 5, callStart);
    expect(callOf(running)).toMatchObject({ state: "running", startedAt: 5, kind: "shell", facts: { entries: 1 } });
    const second = asId<ApprovalId>("a2");
    const waiting = append(running, card(), card(second));
    expect(callOf(waiting)).toMatchObject({ state: "waiting", approvals: [{ approvalId }, { approvalId: "a2" }] });
    expect(callOf(append(waiting, response()))).toMatchObject({ state: "waiting" });
    expect(callOf(append(waiting, response(asId("a9"))))).toEqual(callOf(waiting));
    const answered = appendAt(waiting, 9, response(second));
    expect(callOf(answered)).toMatchObject({ state: "running", startedAt: 9 });
    expect(callOf(appendAt(answered, 20, response()))).toMatchObject({ state: "running", startedAt: 9 });
  });

  test("ends with the facts of its start and its end, and without the streamed output", () => {
    const streamed = live(append(queued, callStart), output(0, "one "));
    const ended = append(streamed, {
      type: "tool_call_end",
      callId,
      outcome: "error",
      output: [text("out")],
      facts: { exit: 1 },
      changes: [
        { path: "a", before: null, after: null, added: 2, removed: 1 },
        { path: "b", before: null, after: null, added: 3, removed: 4 },
      ],
      tookMs: 4,
    });
    expect(callOf(ended)).toMatchObject({ state: "error", facts: { entries: 1, exit: 1 }, tookMs: 4 });
    expect(callOf(ended)).not.toHaveProperty("live");
    expect(ended).toMatchObject({ openCalls: {}, added: 5, removed: 5 });
    expect(live(ended, output(4, "more"))).toBe(ended);
  });

  test("shows the tail of its output, whatever the parts it arrives in; a gap makes the view stale", () => {
    const running = append(queued, callStart);
    const long = Array.from({ length: 30_000 }, (_, line) => `${line}\n`).join("");
    const inParts = (size: number): SessionView => {
      let view = running;
      for (let from = 0; from < long.length; from += size)
        view = live(view, output(from, long.slice(from, from + size)));
      return view;
    };
    const shown = callOf(inParts(long.length))?.live;
    expect(shown?.length).toBe(long.length);
    expect(long.endsWith(shown?.tail ?? "-")).toBe(true);
    expect(shown?.tail.length).toBeGreaterThanOrEqual(65_536);
    expect(shown?.tail.length).toBeLessThan(2 * 65_536);
    for (const size of [1_000, 7_777, 100_000]) expect(callOf(inParts(size))?.live).toEqual(shown);
    const some = live(running, output(0, "abc"));
    expect(callOf(live(some, output(1, "bcd")))?.live).toEqual({ length: 4, tail: "abcd" });
    expect(live(some, output(5, "x"))).toMatchObject({ stale: true });
    expect(callOf(live(some, output(5, "x")))?.live).toEqual({ length: 3, tail: "abc" });
  });

  test("has no effect on the other calls of its message", () => {
    const other = asId<CallId>("c2");
    const blocks: readonly Block[] = [callId, other].map((id) => ({ type: "call", callId: id, name: "ls", input: {} }));
    const view = append(empty, ...messageEvents("m1", "assistant", { blocks }), callStart, card());
    const entry = pathEntries(append(view, response()))[0];
    expect(entry).toMatchObject({ calls: [{ state: "running" }, { callId: "c2", state: "queued", approvals: [] }] });
  });
});

describe("a compaction", () => {
  const begin: DurableEvent = { type: "compaction_start", tokensBefore: 9 };
  const done: DurableEvent = { type: "compaction_end", head: [], summary: "s", keepFromSeq: 1, tokensAfter: 1 };

  test("shows its cause and focus only if it has one", () => {
    expect(pathEntries(append(empty, begin))).toEqual([
      { kind: "compaction", seq: 1, at: 1, state: "running", tokensBefore: 9 },
    ]);
    expect(pathEntries(append(empty, { ...begin, why: "user", focus: "tests" }))[0]).toMatchObject({
      why: "user",
      focus: "tests",
    });
  });

  test.each<[string, readonly DurableEvent[], string]>([
    ["done at its end", [done], "done"],
    ["failed at an error", [{ type: "error", error: { code: "aborted" } }], "failed"],
    ["failed at the next turn", [turn(1)], "failed"],
    ["failed at the end of the run", [end], "failed"],
  ])("is %s, and nothing changes it afterwards", (_name, events, state) => {
    const view = append(empty, start, begin, ...events);
    expect(view.openCompaction).toBeNull();
    expect(pathEntries(append(view, done))[1]).toMatchObject({ kind: "compaction", state });
    expect(pathEntries(append(view, turn(2)))[1]).toMatchObject({ kind: "compaction", state });
  });

  test("whose summary was edited is followed by the new text", () => {
    const view = append(empty, begin, done, { type: "compaction_update", of: 1, summary: "t", head: [text("t")] });
    expect(pathEntries(view).at(-1)).toEqual({
      kind: "compaction_update",
      seq: 3,
      at: 1,
      of: 1,
      summary: "t",
      head: [text("t")],
    });
  });
});

describe("a rewind", () => {
  const view = append(
    empty,
    start,
    ...messageEvents("m1", "assistant", { usage: usage(3) }),
    end,
    ...messageEvents("m2", "user"),
    ...messageEvents("m3", "assistant", { usage: usage(9) }),
    end,
  );
  const back = (from: SessionView, toSeq: number): SessionView => append(from, { type: "rewind", toSeq });

  test("restores the usage of its target", () => {
    expect([view.usage, back(view, 4).usage, back(view, 1).usage]).toEqual([usage(9), usage(3), null]);
    expect(back(view, 0)).toMatchObject({ newest: 0, border: 0, rewound: true, stale: false });
  });

  test("to a seq that is not in the log changes nothing", () => {
    for (const toSeq of [-1, 0.5, view.seq + 1, view.seq + 2, Number.NaN])
      expect(back(view, toSeq)).toEqual({ ...view, seq: view.seq + 1 });
  });

  test("is followed by a new branch, and the branch before it is no longer on the path", () => {
    const other = append(back(view, 4), start);
    expect(other).toMatchObject({ rewound: false, left: null });
    expect(pathEntries(other).map(({ seq }) => seq)).toEqual([1, 2, 4, other.seq]);
  });

  test("a later rewind keeps the position that a redo returns to, and one to that position leaves nothing to redo", () => {
    const { border } = view;
    const first = back(view, 4);
    expect([first.left, back(first, 0).left, back(first, border).left]).toEqual([border, border, null]);
  });
});

describe("a call in the text of an answer that was not run", () => {
  const unrun = [
    { name: "ls", input: {}, reason: "example" },
    { name: "bash", input: { command: "ls" }, reason: "explained" },
  ] as const;
  const answered = append(empty, start, turn(1), ...messageEvents("m1", "assistant", { unrun }), turnEnd(), end);
  const messageSeq = 3;
  const unrunOf = (view: SessionView) =>
    pathEntries(view).flatMap((entry) => (entry.kind === "message" ? (entry.unrun ?? []) : []));

  test("is kept with the message, and the user's dismissal outside of the path, as it was", () => {
    expect(unrunOf(answered)).toEqual(unrun);
    const dismissed = append(answered, { type: "call_decision", of: messageSeq, index: 1, run: false });
    expect(unrunOf(dismissed)).toEqual(unrun);
    expect(dismissed.dismissedCalls).toEqual({ [messageSeq]: [1] });
    expect(append(dismissed, { type: "rewind", toSeq: answered.newest }).dismissedCalls).toEqual({ [messageSeq]: [1] });
    expect(dismissed.newest).toBe(answered.newest);
  });

  test("can be decided about while its message is the newest one and it is not dismissed", () => {
    expect(findUndecidedCall(answered, messageSeq, 1)).toEqual(unrun[1]);
    expect(findUndecidedCall(answered, messageSeq, 2)).toBe(null);
    const dismissed = append(answered, { type: "call_decision", of: messageSeq, index: 1, run: false });
    expect(findUndecidedCall(dismissed, messageSeq, 1)).toBe(null);
    expect(findUndecidedCall(dismissed, messageSeq, 0)).toEqual(unrun[0]);
    const prompted = append(answered, start, ...messageEvents("m2", "user"));
    expect(findUndecidedCall(prompted, messageSeq, 0)).toBe(null);
  });

  test("a decision about a message or a call that does not exist changes nothing", () => {
    for (const event of [
      { type: "call_decision", of: 2, index: 0, run: false },
      { type: "call_decision", of: messageSeq, index: 9, run: false },
      { type: "call_decision", of: messageSeq, index: 0, run: true },
    ] as const)
      expect(append(answered, event).entries).toEqual(answered.entries);
  });
});
