import fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { joinTextBlocks } from "@/lib/events/content";
import type { DurableEvent } from "@/lib/events/event";
import { foldLog } from "@/lib/view/fold";
import { asId, type SessionId } from "@/lib/events/id";
import { arbitraryLog, durableEvents } from "@/lib/testing/test-log";
import { emptyView, pathEntries, type SessionView } from "@/lib/view/view";
import { openTestStore } from "@/server/store/__fixtures__/home";
import { computeHash } from "@/server/base/id";
import { exportSession } from "../export/export";
import { buildFileHistory, isContentLost, stateAt } from "../restore/file-history";
import { importSessions } from "./import";
import { testCommandId } from "../testing/test-harness";

const rig = () => {
  const store = openTestStore();
  const project = store.projects.open({ path: "/here", name: "here" }, 1);
  const viewOf = (id: SessionId): SessionView =>
    foldLog(
      emptyView(id),
      store.events.read(id).map((row) => ({ ...row, v: 1 as const, sessionId: id })),
    );
  const bring = (text: string, commandId = testCommandId(), name = "some folder/talk.jsonl") =>
    importSessions({ store, now: () => 5_000 }, { projectId: project.id, root: "/here", commandId, name, text });
  const brought = async (text: string) => {
    const made = await bring(text);
    if (!made.ok) throw new Error(JSON.stringify(made.error));
    const [row] = made.value;
    if (row === undefined) throw new Error("nothing was made");
    return { row, view: viewOf(row.id), rows: store.events.read(row.id) };
  };
  return { store, project, viewOf, bring, brought };
};
const jsonl = (...lines: readonly object[]): string => lines.map((line) => JSON.stringify(line)).join("\n");
const shown = (view: SessionView) =>
  pathEntries(view).flatMap((entry) =>
    entry.kind === "message"
      ? [`${entry.role}: ${entry.blocks.map((block) => ("text" in block ? block.text : block.type)).join("|")}`]
      : entry.kind === "compaction"
        ? [`compaction: ${entry.summary}`]
        : [],
  );

/** The view without the fields that depend on where and how the session was created. */
const withoutOrigin = ({ sessionId: _id, projectId: _project, cwd: _cwd, imported: _imported, ...view }: SessionView) =>
  view;

test("an exported and imported session is the same session, for random logs", async () => {
  const { store, project, viewOf, bring } = rig();
  const prompt = store.blobs.put(Buffer.from('{"system":"You are gopi.","tools":[]}'));
  /** Replaces project and prompt by existing ones. */
  const here = (event: DurableEvent): DurableEvent => {
    if (event.type === "session_start") return { ...event, projectId: project.id, cwd: "/here" };
    return event.type === "model_change" ? { ...event, prompt } : event;
  };
  let counted = 0;
  await fc.assert(
    fc.asyncProperty(arbitraryLog(false), async (log) => {
      const id = asId<SessionId>(`ses${(counted += 1)}`);
      const rows = durableEvents(log).map(({ seq, at: time, event }) => ({ seq, at: time, event: here(event) }));
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
      const made = await bring(text);
      if (!made.ok) throw new Error(JSON.stringify(made.error));
      const again = viewOf(asId<SessionId>(made.value[0]?.id ?? ""));
      const whole = foldLog(
        emptyView(again.sessionId),
        store.events
          .read(again.sessionId)
          .slice(0, rows.length)
          .map((row) => ({ ...row, v: 1 as const, sessionId: again.sessionId })),
      );
      expect(withoutOrigin(whole)).toEqual(withoutOrigin(view));
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
    { numRuns: 25, endOnFailure: true },
  );
});

test("an imported session is marked in the list and in its view, from every format and after another export", async () => {
  const { store, project, brought, viewOf } = rig();
  const message = { type: "message", role: "user", content: "Hi" };
  const plain = await brought(jsonl({ type: "header", id: "a" }, message));
  const again = await brought(exportSession(store, plain.view, "jsonl", null)?.text ?? "");
  const pi = await brought(
    jsonl(
      { type: "session", id: "p", cwd: "/x" },
      { type: "message", id: "1", message: { role: "user", content: "Hi" } },
    ),
  );
  for (const { row, view } of [plain, again, pi]) {
    expect(row.imported).toBe(true);
    expect(view.imported).toBe(true);
    expect(store.sessions.get(row.id)?.imported).toBe(true);
  }
  const own = { ...plain.row, id: asId<SessionId>("own"), cwd: '/"imported":true' };
  const start = { type: "session_start", projectId: project.id, cwd: own.cwd } as const;
  store.events.create({ session: own, rows: [{ seq: 1, at: 1, event: start }] });
  expect(viewOf(own.id)).not.toHaveProperty("imported");
  const listed = store.sessions.list({ limit: 10 }).rows;
  expect(listed.filter(({ imported }) => imported !== true).map(({ id }) => id)).toEqual([own.id]);
});

test("the colours of an output survive an export, and invalid ones are refused", async () => {
  const { store, brought, bring } = rig();
  const call = { id: "c", function: { name: "bash", arguments: "{}" } };
  const { rows, view } = await brought(
    jsonl(
      { type: "header", id: "a" },
      { type: "message", role: "assistant", content: "", tool_calls: [call] },
      { type: "message", role: "tool", tool_call_id: "c", content: "red" },
    ),
  );
  const text = exportSession(store, view, "jsonl", null)?.text ?? "";
  expect(rows.some(({ event }) => event.type === "tool_call_end")).toBe(true);
  const styled = (color: string): string =>
    text.replace(
      /("type":"tool_call_end",)/,
      `$1"output":[{"type":"text","text":"red","styles":[{"from":0,"to":3,"color":"${color}"}]}],`,
    );
  const first = await brought(styled("red"));
  const second = await brought(exportSession(store, first.view, "jsonl", null)?.text ?? "");
  const end = second.rows.find(({ event }) => event.type === "tool_call_end")?.event;
  expect(end).toMatchObject({ output: [{ text: "red", styles: [{ from: 0, to: 3, color: "red" }] }] });
  expect(await bring(styled("javascript"))).toMatchObject({ ok: false, error: { code: "bad_import" } });
});

test("Gopi's format becomes a conversation with its times, model and summary", async () => {
  const { brought } = rig();
  const { row, view } = await brought(
    jsonl(
      { type: "header", id: "a1", cwd: "/old", timestamp: "2026-02-26T10:00:00Z" },
      { type: "model_change", model: "qwen2.5-coder:7b", timestamp: "2026-02-26T10:00:01Z" },
      { type: "message", role: "user", content: "帮我写一个快排", timestamp: "2026-02-26T10:00:02Z" },
      { type: "message", role: "assistant", content: "好的", timestamp: "2026-02-26T10:00:09Z" },
      { type: "compaction", summary: "快排", token_before: 18500, timestamp: "2026-02-26T10:01:00Z" },
      { type: "something_new", anything: [1] },
    ),
  );
  expect(shown(view)).toEqual(["user: 帮我写一个快排", "assistant: 好的", "compaction: 快排"]);
  expect(row).toMatchObject({
    title: "帮我写一个快排",
    model: "qwen2.5-coder:7b",
    cwd: "/here",
    status: "idle",
    createdAt: Date.parse("2026-02-26T10:00:00Z"),
    updatedAt: Date.parse("2026-02-26T10:01:00Z"),
  });
});

test("a missing title is taken from the first prompt, without a prompt from the file name", async () => {
  const { brought } = rig();
  const prompt = { type: "message", role: "user", content: "## Sort *quickly*\nand well" };
  expect((await brought(jsonl({ type: "header" }, prompt))).row.title).toBe("Sort *quickly*");
  expect((await brought(jsonl({ type: "header", title: "Mine" }, prompt))).row.title).toBe("Mine");
  expect((await brought(jsonl({ type: "header" }, { type: "model_change", model: "m" }))).row.title).toBe("talk");
});

const cardsOf = (view: SessionView) =>
  pathEntries(view).flatMap((entry) =>
    entry.kind === "message"
      ? entry.calls.map(({ name, state, target, output }) => ({
          name,
          state,
          target,
          text: joinTextBlocks(output ?? []),
        }))
      : [],
  );
const toolLine = (id: string, content: string, more: object = {}) => ({
  type: "message",
  role: "tool",
  tool_call_id: id,
  content,
  ...more,
});

test("tool lines of a plain Gopi file become cards with their results, with or without the calls", async () => {
  const { brought } = rig();
  const { view } = await brought(
    jsonl(
      { type: "header" },
      { type: "message", role: "user", content: "look" },
      {
        type: "message",
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "bash", arguments: '{"command":"ls"}' } },
          { id: "call_2", name: "read", arguments: { path: "a.txt" } },
        ],
      },
      toolLine("call_2", "hello"),
      toolLine("call_1", "a.txt"),
      { type: "message", role: "assistant", content: "Once more." },
      toolLine("call_1", "no such file", { name: "read", is_error: true }),
      { type: "compaction", summary: "looked", token_before: 700 },
      toolLine("", "a result without a call"),
      { type: "message", role: "assistant", content: "Done." },
    ),
  );
  expect(cardsOf(view)).toEqual([
    { name: "bash", state: "ok", target: "ls", text: "a.txt" },
    { name: "read", state: "ok", target: "a.txt", text: "hello" },
    { name: "read", state: "error", target: "", text: "no such file" },
    { name: "tool", state: "ok", target: "", text: "a result without a call" },
  ]);
  expect(pathEntries(view)).toContainEqual(expect.objectContaining({ kind: "compaction", tokensBefore: 700 }));
});

test("an export without our events is still a conversation for a plain reader", async () => {
  const { store, brought } = rig();
  const first = await brought(jsonl(...piTree));
  const lines = (exportSession(store, first.view, "jsonl", null)?.text ?? "").trim().split("\n");
  const values = lines.map((line): Record<string, unknown> => JSON.parse(line));
  expect(values).toContainEqual(expect.objectContaining({ type: "compaction", summary: "so far", token_before: 900 }));
  const tool = values.find(({ role }) => role === "tool");
  expect(tool).toMatchObject({ type: "message", name: "bash", content: "a.txt", tool_call_id: "pcall_1_x" });
  const plain = values.flatMap(({ event: _event, seq: _seq, ...value }) => (value.type === "event" ? [] : [value]));
  const again = await brought(jsonl(...plain));
  expect(cardsOf(again.view)).toEqual(cardsOf(first.view));
  expect(shown(again.view)).toEqual(expect.arrayContaining(["user: second try", "compaction: so far"]));
});

test("a file of an earlier export, with the output inside the event, is still read", async () => {
  const { store, brought } = rig();
  const first = await brought(jsonl(...piTree));
  const text = exportSession(store, first.view, "jsonl", null)?.text ?? "";
  const old = text
    .trim()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line))
    .map(({ role, content, tool_call_id: _id, name: _name, event, ...rest }) =>
      role === "tool" && typeof event === "object"
        ? { ...rest, type: "event", event: { ...event, output: [{ type: "text", text: content }] } }
        : { ...rest, role, content, event },
    );
  expect(withoutOrigin((await brought(jsonl(...old))).view)).toEqual(withoutOrigin(first.view));
});

const at = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const says = (id: string, parentId: string | null, role: string, content: unknown, more: object = {}) => ({
  type: "message",
  id,
  parentId,
  timestamp: at(Number(id.slice(1))),
  message: { role, content, ...more },
});
const text = (value: string) => ({ type: "text", text: value });
const pixel = Buffer.from("not really a picture").toString("base64");
const piHeader = { type: "session", version: 3, id: "u", timestamp: at(0), cwd: "/old" };
const piTree = [
  piHeader,
  { type: "model_change", id: "e1", parentId: null, timestamp: at(1), provider: "ollama", modelId: "qwen3:8b" },
  says("e2", "e1", "user", [text("look at this"), { type: "image", data: pixel, mimeType: "image/png" }]),
  says(
    "e3",
    "e2",
    "assistant",
    [
      { type: "thinking", thinking: "hm" },
      text("I look."),
      { type: "toolCall", id: "call:1/x", name: "bash", arguments: { command: "ls" } },
    ],
    { model: "qwen3:8b", stopReason: "toolUse", usage: { input: 100, output: 20, cacheRead: 50, cacheWrite: 0 } },
  ),
  says("e4", "e3", "toolResult", [text("a.txt")], { toolCallId: "call:1/x", toolName: "bash", isError: false }),
  says("e5", "e4", "assistant", [text("There is a.txt.")], { stopReason: "stop" }),
  says("e6", "e5", "user", "first try"),
  says("e7", "e6", "assistant", [text("first answer")], { stopReason: "stop" }),
  says("e8", "e5", "user", "second try"),
  {
    type: "compaction",
    id: "e9",
    parentId: "e8",
    timestamp: at(9),
    summary: "so far",
    firstKeptEntryId: "e8",
    tokensBefore: 900,
  },
  says("e10", "e9", "assistant", [text("second answer")], { stopReason: "stop" }),
  { type: "label", id: "e11", parentId: "e10", timestamp: at(11), targetId: "e8", label: "good" },
  { type: "session_info", id: "e12", parentId: "e11", timestamp: at(12), name: "Two tries" },
  { type: "custom", id: "e13", parentId: "e12", timestamp: at(13), customType: "x", data: {} },
];

test("a session of pi keeps its newest branch as the path, and the other one is reachable by a rewind", async () => {
  const { store, brought } = rig();
  const { row, view, rows } = await brought(jsonl(...piTree));
  expect(shown(view)).toEqual([
    "user: look at this|image",
    "assistant: hm|I look.|call",
    "assistant: There is a.txt.",
    "user: second try",
    "compaction: so far",
    "assistant: second answer",
  ]);
  expect(row).toMatchObject({ title: "Two tries", model: "qwen3:8b" });
  expect(Object.values(view.labels)).toEqual(["good"]);
  const messages = pathEntries(view).filter((entry) => entry.kind === "message");
  expect(messages[1]?.calls).toMatchObject([{ name: "bash", kind: "shell", target: "ls", state: "ok" }]);
  expect(messages[1]?.usage).toMatchObject({ promptTokens: 150, cachedTokens: 50, outputTokens: 20 });
  const image = messages[0]?.blocks.find((block) => block.type === "image");
  expect(image?.type === "image" ? Buffer.from(store.blobs.get(image.blob) ?? []).toString() : "").toBe(
    "not really a picture",
  );
  const rewinds = rows.filter(({ event }) => event.type === "rewind");
  expect(rewinds).toHaveLength(1);
  const left = rewinds[0]?.seq ?? 0;
  const before = foldLog(
    emptyView(row.id),
    rows.slice(0, left - 1).map((one) => ({ ...one, v: 1 as const, sessionId: row.id })),
  );
  expect(shown(before).slice(3)).toEqual(["user: first try", "assistant: first answer"]);
});

test("an old session of pi is a list of lines", async () => {
  const { brought } = rig();
  const { view } = await brought(
    jsonl(
      { type: "session", id: "u", timestamp: at(0), cwd: "/old" },
      { type: "message", timestamp: at(1), message: { role: "user", content: "hello" } },
      { type: "message", timestamp: at(2), message: { role: "assistant", content: [text("hi")], stopReason: "stop" } },
    ),
  );
  expect(shown(view)).toEqual(["user: hello", "assistant: hi"]);
});

test("several sessions in one file become as many, and the same command creates them once", async () => {
  const { store, bring } = rig();
  const one = jsonl({ type: "header", timestamp: at(0) }, { type: "message", role: "user", content: "one" });
  const commandId = testCommandId();
  const first = await bring(`${one}\n\n${one}\r\n`, commandId);
  const again = await bring(`${one}\n\n${one}\r\n`, commandId);
  expect(first.ok && first.value).toHaveLength(2);
  expect(again).toEqual(first);
  expect(store.sessions.list({ limit: 10 }).rows).toHaveLength(2);
});

test("a file grants no rights: modes fall back to Ask, pending cards are closed, file states are ignored", async () => {
  const { brought } = rig();
  const line = (seq: number, event: object) => ({ type: "event", seq, timestamp: at(seq), event });
  const { view, rows } = await brought(
    jsonl(
      { type: "header", version: 1 },
      line(1, { type: "session_start", projectId: "p", cwd: "/etc" }),
      line(2, { type: "session_update", mode: "full", title: "Trust me" }),
      line(3, { type: "agent_start", runId: "r" }),
      line(4, { type: "turn_start", turnId: "t", step: 1 }),
      line(5, { type: "message_start", messageId: "m", role: "assistant" }),
      line(6, {
        type: "message_end",
        messageId: "m",
        blocks: [{ type: "call", callId: "c", name: "bash", input: { command: "evil" } }],
        stop: "done",
      }),
      line(7, { type: "file_change", callId: "c", path: "../x", before: null, mode: 420 }),
      line(8, { type: "tool_call_start", callId: "c", messageId: "m", kind: "shell", target: "evil", facts: {} }),
      line(9, { type: "approval_request", approvalId: "a", callId: "c", boundTo: "h", options: ["once"] }),
    ),
  );
  expect(view).toMatchObject({ mode: "ask", cwd: "/here", run: null, openCalls: {}, title: "Trust me" });
  expect(rows.map(({ event }) => event.type)).not.toContain("file_change");
});

test("a restore in a file writes nothing on this disk", async () => {
  const { store, brought } = rig();
  const evil = Buffer.from("evil");
  const line = (seq: number, event: object) => ({ type: "event", seq, timestamp: at(seq), event });
  const files = [
    { path: "run.sh", before: computeHash("evil"), after: null, mode: 493, added: 0, removed: 1 },
    { path: "notes.txt", before: null, after: computeHash("mine"), mode: 0, added: 1, removed: 0 },
  ];
  const { row, view } = await brought(
    jsonl(
      { type: "header", version: 1 },
      { type: "blob", data: evil.toString("base64") },
      line(1, { type: "session_start", projectId: "p", cwd: "/etc" }),
      line(2, { type: "restore", toSeq: 0, files }),
    ),
  );
  expect(pathEntries(view)).toMatchObject([{ kind: "restore", files: [{ path: "run.sh" }, { path: "notes.txt" }] }]);
  const before = [...buildFileHistory(store.fileLog.read(row.id)).values()].map((history) => stateAt(history, 0));
  expect(before.map((state) => state !== undefined && isContentLost(state))).toEqual([true, true]);
});

test("a notice of every topic is imported", async () => {
  const { brought } = rig();
  const topics = ["project", "tree", "mode", "shell", "model", "guard", "files"];
  const blocks = topics.map((topic) => ({ type: "context", kind: "notice", topic, text: topic }));
  const line = (seq: number, event: object) => ({ type: "event", seq, timestamp: at(seq), event });
  const { view } = await brought(
    jsonl(
      { type: "header", version: 1 },
      line(1, { type: "session_start", projectId: "p", cwd: "/p" }),
      line(2, { type: "message_start", messageId: "m", role: "user" }),
      line(3, { type: "message_end", messageId: "m", blocks, stop: "done" }),
    ),
  );
  expect(shown(view)).toEqual([`user: ${topics.join("|")}`]);
});

const good = jsonl({ type: "header" }, { type: "message", role: "user", content: "x" });
test.each<[string, string, number]>([
  ["nothing", " \n\n", 1],
  ["garbage", "hello there", 1],
  ["a list", "[1,2]", 1],
  ["no header", jsonl({ type: "message", role: "user", content: "x" }), 1],
  ["a file that was cut off", good.slice(0, -4), 2],
  ["a later version of ours", jsonl({ type: "header", version: 2 }), 1],
  ["a later version of pi", jsonl({ ...piHeader, version: 4 }), 1],
  ["a message without content", jsonl({ type: "header" }, { type: "message", role: "user" }), 2],
  ["an id twice", jsonl(piHeader, says("e1", null, "user", "a"), says("e1", null, "user", "b")), 3],
  ["a seq that does not follow", jsonl({ type: "header" }, { seq: 2, timestamp: at(1), event: { type: "hidden" } }), 2],
  [
    "an event with something wrong",
    jsonl({ type: "header" }, { seq: 1, timestamp: at(1), event: { type: "agent_start", runId: 5 } }),
    2,
  ],
  [
    "a log that does not begin with its session",
    jsonl({ type: "header" }, { seq: 1, timestamp: at(1), event: { type: "agent_start", runId: "r" } }),
    2,
  ],
])("%s is refused with its line", async (_what, file, line) => {
  const { store, bring } = rig();
  expect(await bring(file)).toMatchObject({ ok: false, error: { code: "bad_import", facts: { line } } });
  expect(store.sessions.list({ limit: 1 }).rows).toEqual([]);
});

test("a large file is read in slices by size, whatever the length of its lines, and yields in between", async () => {
  const { brought } = rig();
  const turns = vi.spyOn(globalThis, "setImmediate");
  onTestFinished(() => turns.mockRestore());
  const content = "x".repeat(100_000);
  const talk = Array.from({ length: 200 }, () => ({ type: "message", role: "user", content }));
  await brought(jsonl({ type: "header", version: 1 }, ...talk));
  // 20 MB in slices of about 300 kB.
  expect(turns.mock.calls.length).toBeGreaterThan(60);
});

test("a large log of ours is read and stored in slices, and is never visible in part", async () => {
  const { store, bring } = rig();
  const lines = [
    { type: "header", version: 1 },
    { seq: 1, timestamp: at(1), event: { type: "session_start", projectId: "p", cwd: "/p" } },
    ...Array.from({ length: 20_000 }, (_, index) => ({ seq: index + 2, timestamp: at(1), event: { type: "hidden" } })),
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
  expect(await done).toMatchObject({ ok: true, value: [{ lastSeq: 20_002 }, { lastSeq: 20_002 }] });
  expect([...seen].filter((count) => count !== 2)).toEqual([0]);
  // The title is the last event. Lines, events, the fold and the store: four passes, each in slices of at most 1,000
  // rows.
  expect(turns.mock.calls.length).toBeGreaterThan((4 * 40_000) / 1_000);
});

const toolLines = (count: number, idOf: (index: number) => string) =>
  jsonl({ type: "header" }, ...Array.from({ length: count }, (_, index) => toolLine(idOf(index), `r${index}`)));

test.each<[string, (index: number) => string]>([
  ["without ids", () => ""],
  ["with ids", (index) => `call_${index}`],
])("many results without a matching call, %s, are read in slices and in linear time", async (_what, idOf) => {
  const { brought } = rig();
  const cpuOf = async (count: number): Promise<number> => {
    const before = process.cpuUsage();
    const { view } = await brought(toolLines(count, idOf));
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

test.each(["1e999", "-1e999", "1e300", "0.5", '"7"', "null", "[]"])(
  "a count of %s in a file gives a session that can be read again",
  async (count) => {
    const { brought } = rig();
    const plain = `{"type":"header"}\n{"type":"compaction","summary":"s","token_before":${count}}`;
    const pi = `${jsonl(piHeader, says("e1", null, "user", "a"))}
{"type":"compaction","id":"e2","parentId":"e1","timestamp":${JSON.stringify(at(2))},"summary":"s","firstKeptEntryId":"e1","tokensBefore":${count}}
{"type":"message","id":"e3","parentId":"e2","timestamp":${JSON.stringify(at(3))},"message":{"role":"assistant","content":[],"stopReason":"stop","usage":{"input":${count},"output":${count},"cacheRead":${count}}}}`;
    for (const file of [plain, pi]) {
      const { view, rows } = await brought(file);
      expect(rows.map(({ event }) => event.type)).not.toContain("hidden");
      expect(pathEntries(view)).toContainEqual(expect.objectContaining({ kind: "compaction", tokensBefore: 0 }));
    }
  },
);

test("2,000 damaged files are refused or imported, and none throws or hangs", async () => {
  const { store, bring, viewOf, brought } = rig();
  const { view } = await brought(jsonl(...piTree));
  const seeds = [jsonl(...piTree), exportSession(store, view, "jsonl", null)?.text ?? "", `${good}\n${good}`];
  let taken = 0;
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
  const samples = fc.sample(fc.tuple(fc.nat(2), mutations), { numRuns: 2_000, seed: 7 });
  for (const [which, changes] of samples) {
    const damaged = changes.reduce((file, { at: place, drop, put }) => {
      const from = place % (file.length + 1);
      return file.slice(0, from) + put + file.slice(from + drop);
    }, seeds[which] ?? "");
    const made = await bring(damaged);
    if (!made.ok) expect(made.error.code).toBe("bad_import");
    else for (const { id } of made.value) expect(viewOf(id).run).toBeNull();
    taken += made.ok ? 1 : 0;
  }
  // Some damage is inside a text.
  expect(taken).toBeGreaterThan(0);
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
