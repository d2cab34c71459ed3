import { describe, expect, test } from "vitest";
import type { Block, Usage } from "@/lib/events/content";
import {
  asId,
  type BlobId,
  type CallId,
  type Hash,
  type CommandId,
  type MessageId,
  type QueuedId,
  type RunId,
} from "@/lib/events/id";
import type { CallView, Entry, MessageEntry } from "@/lib/view/view";
import {
  gapAbove,
  type ConversationItem,
  createItemBuilder,
  newestChangeIndex,
  newestItemIndex,
  computeTurnPositions,
} from "./conversation-items";
import { type RunSummary, summariseRun } from "../run/run-summary";

const call = (id: string, more: Partial<CallView> = {}): CallView => ({
  callId: asId<CallId>(id),
  name: "read",
  kind: "read",
  target: `${id}.ts`,
  facts: {},
  state: "ok",
  approvals: [],
  tookMs: 5,
  ...more,
});
const usage = (outputTokens: number, outputMs: number): Usage => ({
  promptTokens: 1,
  estimatedPromptTokens: 1,
  outputTokens,
  loadMs: 0,
  promptMs: 1,
  outputMs,
});
const message = (
  seq: number,
  parts: readonly (Block | CallView)[],
  more: Partial<MessageEntry> = {},
): MessageEntry => ({
  kind: "message",
  seq,
  messageId: asId<MessageId>(`m${seq}`),
  role: "assistant",
  at: 1_000,
  stop: "done",
  blocks: parts.map(
    (part): Block => ("target" in part ? { type: "call", callId: part.callId, name: part.name, input: {} } : part),
  ),
  calls: parts.flatMap((part) => ("target" in part ? [part] : [])),
  ...more,
});
const text = (value: string): Block => ({ type: "text", text: value });
const runId = asId<RunId>("r");
const runStart = (seq: number): Entry => ({ kind: "run_start", seq, at: 1_000, runId, from: seq - 1 });
const runEnd = (
  seq: number,
  reason: "done" | "aborted" | "limit" | "error" = "done",
): Extract<Entry, { kind: "run_end" }> => ({
  kind: "run_end",
  seq,
  at: 13_000,
  runId,
  reason,
  startedAt: 1_000,
  waitedMs: 0,
  steps: 2,
});
const kinds = (items: readonly ConversationItem[]): readonly string[] => items.map((item) => item.content.kind);

describe("rows of the conversation", () => {
  const retry = (seq: number, attempt: number): Entry => ({
    kind: "retry",
    seq,
    at: 1_000,
    messageId: asId<MessageId>(`m${seq}`),
    attempt,
    of: 3,
    delayMs: 500,
    error: { code: "server_busy" },
  });
  const failed = (seq: number): Entry => ({ kind: "error", seq, at: 1_000, error: { code: "server_error" } });

  test("a run end carries the user message that started the run, and none after Continue", () => {
    const userMessage = message(2, [text("one")], { role: "user", from: 0 });
    const steer = message(4, [text("two")], { role: "user", from: 3 });
    const items = createItemBuilder()([
      runStart(1),
      userMessage,
      message(3, [text("a")]),
      steer,
      runEnd(5),
      runStart(6),
      runEnd(7),
    ]);
    const request = items.flatMap(({ content }) => (content.kind === "run_end" ? [content.request?.seq] : []));
    expect(request).toEqual([2, undefined]);
  });

  test("calls that were not run are rows of the newest message alone, until they are dismissed", () => {
    const ls = { name: "ls", input: {}, reason: "example" } as const;
    const answer = message(1, [text("a")], { unrun: [ls, ls] });
    const build = createItemBuilder();
    expect(kinds(build([answer, runEnd(2)]))).toEqual(["text", "unrun", "unrun", "run_end"]);
    expect(build([answer, runEnd(2)], { 1: [0] }).map((item) => item.content)).toMatchObject([
      { kind: "text" },
      { kind: "unrun", index: 1 },
      { kind: "run_end" },
    ]);
    const ask = message(3, [text("b")], { role: "user", from: 2 });
    expect(kinds(build([answer, runEnd(2), ask]))).toEqual(["text", "run_end", "user"]);
  });

  test("a call that the user ran keeps its row, as run", () => {
    const ls = { name: "ls", input: { path: "b" }, reason: "example" } as const;
    const answer = message(1, [text("a")], { unrun: [{ ...ls, input: { path: "a" } }, ls] });
    const decided = (raw: string) =>
      message(4, [call("c")], {
        blocks: [{ type: "call", callId: asId<CallId>("c"), name: "ls", input: ls.input, raw }],
      });
    const rows = (raw: string) =>
      createItemBuilder()([answer, runEnd(2), runStart(3), decided(raw), runEnd(5)]).flatMap(({ content }) =>
        content.kind === "unrun" ? [[content.index, content.isRun]] : [],
      );
    expect(rows("")).toEqual([[1, true]]);
    expect(rows("ls b")).toEqual([]);
  });

  test("a command that the sandbox stopped is marked once the user queued it and ran it outside", () => {
    const stopped = (id: string): CallView =>
      call(id, { name: "bash", kind: "shell", target: "make", facts: { exit: 1, sandboxFailure: "files" } });
    const own = call("u", { name: "user_command", kind: "shell", target: "make" });
    const ran = message(3, [own], {
      role: "user",
      blocks: [{ type: "call", callId: own.callId, name: "user_command", input: { command: "make", added: true } }],
    });
    const queued = { id: asId<QueuedId>("q"), commandId: asId<CommandId>("k"), intent: "followUp", at: 1 } as const;
    const build = createItemBuilder();
    const marks = (entries: readonly Entry[], texts: readonly string[] = []) =>
      build(
        entries,
        {},
        texts.map((command) => ({ ...queued, text: `!${command}`, isCommand: true })),
      ).flatMap(({ content }) => (content.kind === "call" ? [content.ownRun ?? null] : []));
    const failed = message(1, [stopped("a")]);
    expect(marks([failed])).toEqual(["offered"]);
    expect(marks([failed], ["make all"])).toEqual(["offered"]);
    expect(marks([failed], ["make"])).toEqual(["queued"]);
    expect(marks([failed, ran])).toEqual(["ran"]);
    expect(marks([failed, ran, message(5, [stopped("b")])])).toEqual(["ran", "offered"]);
  });

  describe("a refused command", () => {
    const refused = (facts: CallView["facts"]): Entry =>
      message(3, [call("a", { name: "bash", kind: "shell", target: "rm a", state: "error", facts })]);
    const byName = refused({ code: "blocked", rule: "blocked_word", refusedBy: "rm" });
    const ownRuns = (entry: Entry, inheritedUpTo?: number) =>
      createItemBuilder()([entry], {}, [], inheritedUpTo).flatMap(({ content }) =>
        content.kind === "call" ? [content.ownRun ?? null] : [],
      );
    test("by a blocked word is offered to the user", () => expect(ownRuns(byName)).toEqual(["offered"]));
    // The word is refused whatever the command does; these judge the command: a rule is the user's own decision about it.
    test.each<[string, CallView["facts"]]>([
      ["a deny rule of the user", { code: "blocked", rule: "rule_denies", refusedBy: "rm *" }],
      ["the gate of an extension", { code: "blocked", rule: "gate", refusedBy: "tickets" }],
      ["a protected file", { code: "protected", rule: "protected", refusedBy: ".env" }],
      ["a path outside", { code: "outside", rule: "outside", refusedBy: "/etc/passwd" }],
      ["Plan mode", { code: "plan_mode", rule: "plan_mode" }],
    ])("by %s is not", (_name, facts) => expect(ownRuns(refused(facts))).toEqual([null]));
    test("that a fork inherited is not: it is the other session's", () => {
      expect(ownRuns(byName, 3)).toEqual([null]);
      expect(ownRuns(byName, 2)).toEqual(["offered"]);
    });
  });

  test("a command of the user that changed files has an end with their undo, another one has none", () => {
    const own = (changes: CallView["changes"]): Entry =>
      message(2, [call("u", { name: "user_command", kind: "shell", target: "rm a", changes })], {
        role: "user",
        blocks: [{ type: "call", callId: asId<CallId>("u"), name: "user_command", input: { command: "rm a" } }],
      });
    const rows = (changes?: CallView["changes"]) => createItemBuilder()([runStart(1), own(changes), runEnd(3)]);
    expect(kinds(rows())).toEqual(["userCommand"]);
    const changed = rows([{ path: "a", before: asId<BlobId>("b"), after: null, added: 0, removed: 1 }]);
    expect(kinds(changed)).toEqual(["userCommand", "run_end"]);
    expect(newestChangeIndex(changed)).toBe(1);
    expect(changed[1]?.content).toMatchObject({ request: undefined, summary: { files: 1, commands: 1 } });
  });

  test("only the last of several retries is a row, also with empty interrupted answers between them", () => {
    const entries = [message(1, [], { stop: "error" }), retry(2, 1), message(3, [], { stop: "error" }), retry(4, 2)];
    expect(createItemBuilder()(entries).map((item) => item.seq)).toEqual([4]);
  });
  test("a pause at the step limit is one row: the run end with its continue button", () => {
    const limit: Entry = { kind: "error", seq: 2, at: 1_000, error: { code: "step_limit" } };
    expect(kinds(createItemBuilder()([runStart(1), limit, runEnd(3, "limit")]))).toEqual(["run_end"]);
  });
  test("the error right before a pause becomes its cause and has no row", () => {
    const loop: Entry = { kind: "error", seq: 2, at: 1_000, error: { code: "loop_detected", facts: { times: 3 } } };
    const [only, ...others] = createItemBuilder()([runStart(1), loop, runEnd(3, "limit")]);
    expect(others).toEqual([]);
    expect(only?.content).toMatchObject({ kind: "run_end", cause: { code: "loop_detected", facts: { times: 3 } } });
  });
  test("a cut prompt has a row at its position although the run continued", () => {
    const cut: Entry = { kind: "error", seq: 2, at: 1_000, error: { code: "prompt_cut" } };
    expect(kinds(createItemBuilder()([runStart(1), cut, message(3, [text("a")]), runEnd(4, "limit")]))).toEqual([
      "error",
      "text",
      "run_end",
    ]);
  });
  test("the source text of a parsed call is passed on, also into folded reads", () => {
    const written = message(1, [call("a"), call("b"), call("c")]);
    const blocks = written.blocks.map(
      (block): Block => (block.type === "call" ? { ...block, raw: "{...}" } : text("")),
    );
    const [fold] = createItemBuilder()([{ ...written, blocks }]);
    expect(fold?.content.kind === "reads" && fold.content.calls.map(({ raw }) => raw)).toEqual([
      "{...}",
      "{...}",
      "{...}",
    ]);
    const [single] = createItemBuilder()([
      { ...message(2, [call("a", { kind: "edit" })]), blocks: blocks.slice(0, 1) },
    ]);
    expect(single?.content).toMatchObject({ kind: "call", raw: "{...}" });
  });
  test("the user's newest edit replaces a summary, and only the newest compaction is in force", () => {
    const compaction = (seq: number): Entry => ({
      kind: "compaction",
      seq,
      at: 1_000,
      state: "done",
      tokensBefore: 9_000,
      summary: "old",
    });
    const edit = (seq: number, compactionSeq: number, summary: string): Entry => ({
      kind: "compaction_update",
      seq,
      at: 1_000,
      of: compactionSeq,
      summary,
      head: [],
    });
    const build = createItemBuilder();
    const first = compaction(1);
    const before = build([first]);
    expect(before[0]?.content).toMatchObject({ isInForce: true });
    expect(before[0]?.content).not.toHaveProperty("edited");
    const entries = [first, edit(2, 1, "mine"), edit(3, 1, "mine again")];
    expect(build(entries)[0]?.content).toMatchObject({ isInForce: true, edited: "mine again" });
    expect(build([...entries, compaction(4)]).map(({ content }) => content)).toMatchObject([
      { isInForce: false, edited: "mine again" },
      { isInForce: true },
    ]);
  });
  test("remedies belong to the newest turn, continuing to its end", () => {
    const userMessage = (seq: number): Entry => message(seq, [text("hi")], { role: "user" });
    const items = createItemBuilder()([
      userMessage(1),
      failed(2),
      userMessage(3),
      failed(4),
      message(5, [text("a")]),
      failed(6),
      runEnd(7),
    ]);
    expect(items.map((_, index) => computeTurnPositions(items)(index))).toEqual([
      "past",
      "past",
      "turn",
      "turn",
      "turn",
      "end",
      "end",
    ]);
  });
  test("a file restore after a run leaves the run the newest row, with its end remedies", () => {
    const restored = (seq: number): Entry => ({ kind: "restore", seq, at: 1_000, toSeq: 1, files: [] });
    const items = createItemBuilder()([message(1, [text("a")]), failed(2), runEnd(3), restored(4), restored(5)]);
    expect(newestItemIndex(items)).toBe(2);
    expect(computeTurnPositions(items)(1)).toBe("end");
    expect(newestItemIndex(createItemBuilder()([runEnd(1), restored(2), message(3, [text("b")])]))).toBe(2);
    expect(newestItemIndex([])).toBe(-1);
  });
  test("the newest run that changed files stays the one with the undo after a message and a run without changes", () => {
    const change = { path: "a.ts", before: null, after: null, added: 1, removed: 0 };
    const writing = message(1, [call("w", { kind: "edit", changes: [change] })]);
    const asking = message(4, [text("thanks")], { role: "user" });
    const later = [asking, runStart(5), message(6, [text("b")]), runEnd(7)];
    const at = (entries: readonly Entry[]) => {
      const items = createItemBuilder()(entries);
      return items[newestChangeIndex(items)]?.seq;
    };
    expect(at([writing, runEnd(3)])).toBe(3);
    expect(at([writing, runEnd(3), asking])).toBe(3);
    expect(at([writing, runEnd(3), ...later])).toBe(3);
    expect(at(later)).toBeUndefined();
    const undo: Entry = {
      kind: "restore",
      seq: 4,
      at: 1_000,
      toSeq: 0,
      files: [{ path: change.path, added: 0, removed: 0 }],
    };
    expect(at([runStart(0), writing, runEnd(3), undo])).toBeUndefined();
  });
  test("each file restore has its direction: undone, redone, undone again", () => {
    const restored = (seq: number, toSeq: number): Entry => ({ kind: "restore", seq, at: 1_000, toSeq, files: [] });
    const directions = (entries: readonly Entry[]) =>
      createItemBuilder()(entries).flatMap(({ content }) => (content.kind === "restore" ? [content.direction] : []));
    const run = [message(1, [text("a")]), runEnd(3)];
    expect(directions([...run, restored(4, 1)])).toEqual(["undone"]);
    expect(directions([...run, restored(4, 1), restored(5, 3)])).toEqual(["undone", "redone"]);
    expect(directions([...run, restored(4, 1), restored(5, 3), restored(6, 4)])).toEqual([
      "undone",
      "redone",
      "undone",
    ]);
    // To an earlier seq than the restore before it: more is undone.
    expect(directions([...run, restored(4, 2), restored(5, 1)])).toEqual(["undone", "undone"]);
  });
  test("a file restore is reversed once a later one is to the state before it, for all of its files", () => {
    const paths = ["a", "b"].map((path) => ({ path, added: 1, removed: 0 }));
    const restored = (seq: number, toSeq: number, files = paths): Entry => ({
      kind: "restore",
      seq,
      at: 1,
      toSeq,
      files,
    });
    const reversed = (...entries: readonly Entry[]) =>
      createItemBuilder()(entries).flatMap(({ content }) => (content.kind === "restore" ? [content.isReversed] : []));
    expect(reversed(restored(4, 1))).toEqual([false]);
    expect(reversed(restored(4, 1), restored(5, 3))).toEqual([true, false]);
    expect(reversed(restored(4, 1), restored(5, 3, paths.slice(1)))).toEqual([false, false]);
    expect(reversed(restored(4, 2), restored(5, 1))).toEqual([false, false]);
  });
  test("a run that failed before any work has no end row, only the error", () => {
    expect(kinds(createItemBuilder()([runStart(1), failed(2), runEnd(3, "error")]))).toEqual(["error"]);
    const worked = message(2, [call("a", { kind: "shell", facts: { exit: 0 } })]);
    expect(kinds(createItemBuilder()([runStart(1), worked, failed(3), runEnd(4, "error")]))).toEqual([
      "call",
      "error",
      "run_end",
    ]);
  });
  test("the error that ended a run carries its user message and keeps its row object while entries are added", () => {
    const build = createItemBuilder();
    const userMessage = message(2, [text("one")], { role: "user", from: 0 });
    const ended = [runStart(1), userMessage, failed(3), runEnd(4, "error")];
    const [, row] = build(ended);
    expect(row?.content).toMatchObject({ kind: "error", request: { seq: 2 } });
    expect(build([...ended, runStart(5), message(6, [text("two")], { role: "user", from: 4 })])[1]).toBe(row);
    const [early] = createItemBuilder()([failed(1), message(2, [text("a")])]);
    expect(early?.content).not.toHaveProperty("request");
  });
  test("a message is one row per block, in order", () => {
    const items = createItemBuilder()([
      message(1, [{ type: "thinking", text: "hm" }, text("a"), call("c1", { kind: "edit" }), text("b")]),
    ]);
    expect(kinds(items)).toEqual(["thinking", "text", "call", "text"]);
    expect(new Set(items.map((item) => item.key)).size).toBe(4);
    expect(items.every((item) => item.seq === 1)).toBe(true);
  });

  test("only the last block of an open message is live", () => {
    const [first, last] = createItemBuilder()([message(1, [text("a"), text("b")], { stop: undefined })]);
    expect(first?.content).toMatchObject({ live: false });
    expect(last?.content).toMatchObject({ live: true });
  });

  test("an entry that did not change keeps its row objects", () => {
    const build = createItemBuilder();
    const closed = message(1, [text("a")]);
    const before = build([closed, message(2, [text("b")], { stop: undefined })]);
    const after = build([closed, message(2, [text("b and more")], { stop: undefined })]);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
  });

  test("three finished reads fold, also across messages; two do not, nor do reads with other rows between them", () => {
    const build = createItemBuilder();
    expect(kinds(build([message(1, [call("a"), call("b")]), message(2, [call("c")])]))).toEqual(["reads"]);
    expect(kinds(build([message(3, [call("a"), call("b")])]))).toEqual(["call", "call"]);
    expect(kinds(build([message(4, [call("a"), call("b"), text("x"), call("c")])]))).toEqual([
      "call",
      "call",
      "text",
      "call",
    ]);
    expect(kinds(build([message(5, [call("a"), call("b"), call("c", { state: "error" })])]))).toEqual([
      "call",
      "call",
      "call",
    ]);
  });

  test("context blocks and empty texts have no rows", () => {
    const context: Block = { type: "context", kind: "snapshot", topic: "project", text: "tree" };
    expect(createItemBuilder()([message(1, [context], { role: "user" }), message(2, [text("  \n"), context])])).toEqual(
      [],
    );
  });

  test("a stop has one row", () => {
    const build = createItemBuilder();
    expect(kinds(build([message(1, [text("a")], { stop: "aborted" }), runEnd(2, "aborted")]))).toEqual([
      "text",
      "run_end",
    ]);
    expect(kinds(build([message(3, [text("a")], { stop: "length" }), runEnd(4)]))).toEqual([
      "text",
      "stopped",
      "run_end",
    ]);
    expect(
      kinds(
        build([
          message(5, [text("a")], { stop: "error" }),
          { kind: "error", seq: 6, at: 1, error: { code: "stalled" } },
        ]),
      ),
    ).toEqual(["text", "error"]);
  });

  test("a call block without call state has no row yet", () => {
    const block: Block = { type: "call", callId: asId<CallId>("x"), name: "read", input: {} };
    expect(createItemBuilder()([message(1, [block], { stop: undefined })])).toEqual([]);
  });

  test("turns have a gap, adjacent call lines have none", () => {
    const [user, thinking, line, words] = createItemBuilder()([
      message(1, [text("hi")], { role: "user" }),
      message(2, [{ type: "thinking", text: "hm" }, call("a"), text("b")]),
    ]);
    if (user === undefined || thinking === undefined || line === undefined || words === undefined)
      throw new Error("rows are missing");
    expect([
      gapAbove(undefined, user),
      gapAbove(user, thinking),
      gapAbove(thinking, line),
      gapAbove(line, words),
      gapAbove(words, user),
    ]).toEqual([0, 16, 0, 8, 24]);
  });
});

describe("run summary", () => {
  const change = (path: string, added: number, removed: number) => ({
    path,
    before: asId<BlobId>("b"),
    after: asId<Hash>("h"),
    added,
    removed,
  });
  const shell = (id: string, more: Partial<CallView>) => call(id, { kind: "shell", ...more });

  test("files count once, lines add up, only commands that ran count, speed covers all answers", () => {
    const end = runEnd(9);
    const entries: readonly Entry[] = [
      message(1, [call("old", { kind: "edit", changes: [change("z.ts", 50, 50)] })]),
      runStart(2),
      message(
        3,
        [
          call("a", { kind: "edit", changes: [change("a.ts", 10, 2)] }),
          call("b", { kind: "write", changes: [change("b.ts", 30, 0)] }),
        ],
        { usage: usage(300, 10_000) },
      ),
      message(
        4,
        [
          call("c", { kind: "edit", changes: [change("a.ts", 2, 5)] }),
          shell("d", { facts: { exit: 0 } }),
          shell("e", { facts: { exit: 1 }, state: "ok", changes: [change("c.ts", 0, 0)] }),
          shell("f", { state: "denied" }),
          shell("g", { state: "error", facts: { ended: "timeout" } }),
          shell("h", { state: "error", facts: { code: "blocked" } }),
        ],
        { usage: usage(320, 10_000) },
      ),
      message(5, [text("done")], { usage: usage(0, 0) }),
      end,
    ];
    expect(summariseRun(entries, 5, end)).toMatchObject({
      files: 3,
      added: 42,
      removed: 7,
      commands: 3,
      workedMs: 12_000,
      tokensPerSecond: 31,
    });
  });

  test("a run without usage has no speed; a run whose start is not loaded counts the loaded part", () => {
    const end = runEnd(2);
    expect(summariseRun([message(1, [text("x")]), end], 1, end)).toEqual<RunSummary>({
      files: 0,
      added: 0,
      removed: 0,
      commands: 0,
      refused: 0,
      refusedCommands: 0,
      workedMs: 12_000,
      waitedMs: 0,
      tokensPerSecond: null,
      server: { answers: 0, loadMs: 0, readMs: 0, writeMs: 0, promptTokens: 0, outputTokens: 0 },
      firstTokenMs: null,
      cachedPrefix: null,
      servedBy: [],
      readAgain: 0,
      movesOften: false,
    });
  });
});
