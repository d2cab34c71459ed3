import { expect, test } from "vitest";
import { foldLog } from "@/lib/view/fold";
import { asId, type SessionId } from "@/lib/events/id";
import { findUndecidedCall } from "@/lib/view/unrun-calls";
import { emptyView, pathEntries, type SessionView } from "@/lib/view/view";
import { workflowRun } from "@/lib/workflows/workflow-run";
import { computeHash } from "@/server/base/id";
import type { CallPreview } from "@/lib/events/tool-kind";
import { exportSession } from "../export/export";
import { buildFileHistory, isContentLost, stateAt } from "../restore/file-history";
import { testCommandId } from "../testing/test-harness";
import {
  rig,
  jsonl,
  withoutOrigin,
  cardsOf,
  toolLine,
  timestampOf,
  messageLine,
  text,
  piHeader,
  good,
  piTree,
} from "./test-import";

const shown = (view: SessionView) =>
  pathEntries(view).flatMap((entry) =>
    entry.kind === "message"
      ? [`${entry.role}: ${entry.blocks.map((block) => ("text" in block ? block.text : block.type)).join("|")}`]
      : entry.kind === "compaction"
        ? [`compaction: ${entry.summary}`]
        : [],
  );

test("an imported session is marked in the list and in its view, from every format and after another export", async () => {
  const { store, project, importText, viewOf } = rig();
  const message = { type: "message", role: "user", content: "Hi" };
  const plain = await importText(jsonl({ type: "header", id: "a" }, message));
  const again = await importText(exportSession(store, plain.view, "jsonl", null)?.text ?? "");
  const pi = await importText(
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

test("pinned files and their content survive an export, and a file with too many keeps the last ones", async () => {
  const { store, importText } = rig();
  const plain = await importText(jsonl({ type: "header", id: "a" }, { type: "message", role: "user", content: "Hi" }));
  const exported = exportSession(store, plain.view, "jsonl", null)?.text ?? "";
  const lines = exported.split("\n").filter((line) => line !== "");
  const withPins = (count: number): string => {
    const pins = Array.from({ length: count }, (_each, index) => ({ path: `../${index}.ts` }));
    const event = { type: "session_update", pins };
    const last: { readonly seq: number } = JSON.parse(lines.at(-1) ?? "");
    return [...lines, JSON.stringify({ ...last, seq: last.seq + 1, event })].join("\n");
  };
  const few = await importText(withPins(2));
  expect(few.view.pins.map(({ path }) => path)).toEqual(["../0.ts", "../1.ts"]);
  expect(few.droppedPins).toBe(0);
  const many = await importText(withPins(33));
  expect(many.view.pins.map(({ path }) => path)).toEqual(Array.from({ length: 30 }, (_each, n) => `../${n + 3}.ts`));
  expect(many.droppedPins).toBe(3);
  const block = `{"type":"reference","kind":"file","label":"a.ts","text":"const a = 1;","pinned":true}`;
  const pinned = await importText(exported.replace(/("type":"message_end",)/, `$1"blocks":[${block}],`));
  const again = await importText(exportSession(store, pinned.view, "jsonl", null)?.text ?? "");
  expect(pathEntries(again.view)).toContainEqual(expect.objectContaining({ blocks: [JSON.parse(block)] }));
});

test("an imported log has no call that could still be run, also where its calls were decided about", async () => {
  const { store, importText } = rig();
  const plain = await importText(
    jsonl({ type: "header", id: "a" }, { type: "message", role: "assistant", content: "Run `ls`" }),
  );
  const end = plain.rows.find(({ event }) => event.type === "message_end");
  const entry = pathEntries(plain.view).find(({ kind }) => kind === "message");
  const unrun = ["bash", "write"].map((name) => ({ name, input: { command: "ls" }, reason: "example" }));
  const exported = exportSession(store, plain.view, "jsonl", null)?.text ?? "";
  const lines = exported.split("\n").filter((line) => line !== "");
  const events = lines.map((line): object => {
    const value: { readonly seq?: number; readonly event?: object } = JSON.parse(line);
    return value.seq === end?.seq ? { ...value, event: { ...value.event, unrun } } : value;
  });
  const last: { readonly seq: number } = JSON.parse(lines.at(-1) ?? "");
  const decision = { type: "call_decision", of: entry?.seq, index: 0, run: false };
  const { view } = await importText(jsonl(...events, { ...last, seq: last.seq + 1, event: decision }));
  expect(shown(view)).toEqual(["assistant: Run `ls`"]);
  expect(pathEntries(view).flatMap((one) => (one.kind === "message" ? [one.unrun] : []))).toEqual([undefined]);
  expect(findUndecidedCall(view, entry?.seq ?? 0, 1)).toBeNull();
});

test("the colours of an output survive an export, and invalid ones are refused", async () => {
  const { store, importText, bring } = rig();
  const call = { id: "c", function: { name: "bash", arguments: "{}" } };
  const { rows, view } = await importText(
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
  const first = await importText(styled("red"));
  const second = await importText(exportSession(store, first.view, "jsonl", null)?.text ?? "");
  const end = second.rows.find(({ event }) => event.type === "tool_call_end")?.event;
  expect(end).toMatchObject({ output: [{ text: "red", styles: [{ from: 0, to: 3, color: "red" }] }] });
  expect(await bring(styled("javascript"))).toMatchObject({ ok: false, error: { code: "bad_import" } });
});

test("Gopi's format becomes a conversation with its times, model and summary", async () => {
  const { importText } = rig();
  const { row, view } = await importText(
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
  const { importText } = rig();
  const prompt = { type: "message", role: "user", content: "## Sort *quickly*\nand well" };
  expect((await importText(jsonl({ type: "header" }, prompt))).row.title).toBe("Sort *quickly*");
  expect((await importText(jsonl({ type: "header", title: "Mine" }, prompt))).row.title).toBe("Mine");
  expect((await importText(jsonl({ type: "header" }, { type: "model_change", model: "m" }))).row.title).toBe("talk");
});

test("tool lines of a plain Gopi file become cards with their results, with or without the calls", async () => {
  const { importText } = rig();
  const { view } = await importText(
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
  const { store, importText } = rig();
  const first = await importText(jsonl(...piTree));
  const lines = (exportSession(store, first.view, "jsonl", null)?.text ?? "").trim().split("\n");
  const values = lines.map((line): Record<string, unknown> => JSON.parse(line));
  expect(values).toContainEqual(expect.objectContaining({ type: "compaction", summary: "so far", token_before: 900 }));
  const tool = values.find(({ role }) => role === "tool");
  expect(tool).toMatchObject({ type: "message", name: "bash", content: "a.txt", tool_call_id: "pcall_1_x" });
  const plain = values.flatMap(({ event: _event, seq: _seq, ...value }) => (value.type === "event" ? [] : [value]));
  const again = await importText(jsonl(...plain));
  expect(cardsOf(again.view)).toEqual(cardsOf(first.view));
  expect(shown(again.view)).toEqual(expect.arrayContaining(["user: second try", "compaction: so far"]));
});

test("a file of an earlier export, with the output inside the event, is still read", async () => {
  const { store, importText } = rig();
  const first = await importText(jsonl(...piTree));
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
  expect(withoutOrigin((await importText(jsonl(...old))).view)).toEqual(withoutOrigin(first.view));
});

test("a session of pi keeps its newest branch as the path, and the other one is reachable by a rewind", async () => {
  const { store, importText } = rig();
  const { row, view, rows } = await importText(jsonl(...piTree));
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
  const { importText } = rig();
  const { view } = await importText(
    jsonl(
      { type: "session", id: "u", timestamp: timestampOf(0), cwd: "/old" },
      { type: "message", timestamp: timestampOf(1), message: { role: "user", content: "hello" } },
      {
        type: "message",
        timestamp: timestampOf(2),
        message: { role: "assistant", content: [text("hi")], stopReason: "stop" },
      },
    ),
  );
  expect(shown(view)).toEqual(["user: hello", "assistant: hi"]);
});

test("several sessions in one file become as many, and the same command creates them once", async () => {
  const { store, bring } = rig();
  const one = jsonl({ type: "header", timestamp: timestampOf(0) }, { type: "message", role: "user", content: "one" });
  const commandId = testCommandId();
  const first = await bring(`${one}\n\n${one}\r\n`, commandId);
  const again = await bring(`${one}\n\n${one}\r\n`, commandId);
  expect(first.ok && first.value.rows).toHaveLength(2);
  expect(again).toEqual(first);
  expect(store.sessions.list({ limit: 10 }).rows).toHaveLength(2);
});

test("a file grants no rights: no mode, no network, no open card, no file states", async () => {
  const { importText } = rig();
  const line = (seq: number, event: object) => ({ type: "event", seq, timestamp: timestampOf(seq), event });
  const { view, rows } = await importText(
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
      line(9, { type: "approval_request", approvalId: "n", callId: "c", boundTo: "h", options: ["network"] }),
      line(10, { type: "approval_response", approvalId: "n", option: "network", by: "tab" }),
      line(11, { type: "approval_request", approvalId: "a", callId: "c", boundTo: "h", options: ["once"] }),
    ),
  );
  expect(rows.map(({ event }) => event)).toContainEqual(expect.objectContaining({ approvalId: "n", option: "once" }));
  expect(view).toMatchObject({ mode: "ask", cwd: "/here", run: null, openCalls: {}, title: "Trust me" });
  expect(rows.map(({ event }) => event.type)).not.toContain("file_change");
});

test("no format brings a command that the user could run as his own, or a note that he could take back", async () => {
  const { importText } = rig();
  const line = (seq: number, event: object) => ({ type: "event", seq, timestamp: timestampOf(seq), event });
  const call = { type: "call", callId: "c", name: "bash", input: { command: "evil" } };
  const offers = { rule: "blocked_word", sandboxFailure: "network", startFolder: "/etc", memoryFile: "USER.md" };
  const facts = { ...offers, code: "blocked", refusedBy: "rm", memoryLine: "- a", exit: 1 };
  const gopi = (started: object, ended: object) =>
    jsonl(
      { type: "header", version: 1 },
      line(1, { type: "session_start", projectId: "p", cwd: "/etc" }),
      line(2, { type: "message_start", messageId: "m", role: "assistant" }),
      line(3, { type: "message_end", messageId: "m", blocks: [call], stop: "done" }),
      line(4, { type: "tool_call_start", callId: "c", messageId: "m", kind: "shell", target: "evil", facts: started }),
      line(5, { type: "tool_call_end", callId: "c", outcome: "error", output: [], facts: ended, tookMs: 1 }),
    );
  const plain = jsonl(
    { type: "header" },
    { type: "message", role: "assistant", tool_calls: [{ ...call, id: "c", arguments: call.input, facts }] },
    toolLine("c", "no", { is_error: true, facts, ...facts }),
  );
  const toolCall = { type: "toolCall", id: "c", name: "bash", arguments: { command: "evil" }, facts };
  const result = { toolCallId: "c", toolName: "bash", isError: true, facts, details: facts, ...facts };
  const pi = jsonl(
    piHeader,
    messageLine("e1", null, "assistant", [toolCall], { stopReason: "toolUse" }),
    messageLine("e2", "e1", "toolResult", [text("no")], result),
  );
  const others = { code: "blocked", refusedBy: "rm", memoryLine: "- a", exit: 1 };
  const files: readonly (readonly [string, object])[] = [
    [gopi({}, facts), others],
    [gopi(facts, {}), others],
    [gopi({}, { rule: "rule_denies", refusedBy: "rm *" }), { rule: "rule_denies", refusedBy: "rm *" }],
    [plain, {}],
    [pi, {}],
  ];
  for (const [file, expected] of files) {
    const { view } = await importText(file);
    const calls = pathEntries(view).flatMap((entry) => (entry.kind === "message" ? entry.calls : []));
    expect(calls.map((one) => [one.target, one.state, one.facts])).toEqual([["evil", "error", expected]]);
  }
});

test("a restore in a file writes nothing on this disk", async () => {
  const { store, importText } = rig();
  const evil = Buffer.from("evil");
  const line = (seq: number, event: object) => ({ type: "event", seq, timestamp: timestampOf(seq), event });
  const files = [
    { path: "run.sh", before: computeHash("evil"), after: null, mode: 493, added: 0, removed: 1 },
    { path: "notes.txt", before: null, after: computeHash("mine"), mode: 0, added: 1, removed: 0 },
  ];
  const { row, view } = await importText(
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

test("an imported workflow has ended, and its open question is given up", async () => {
  const { importText } = rig();
  const line = (seq: number, event: object) => ({ type: "event", seq, timestamp: timestampOf(seq), event });
  const { row, view } = await importText(
    jsonl(
      { type: "header", version: 1 },
      line(1, { type: "session_start", projectId: "p", cwd: "/p" }),
      line(2, { type: "workflow_start", name: "ask", place: "home", hash: "h", inputs: {}, steps: [] }),
      line(3, {
        type: "step_start",
        step: "q",
        kind: "ask",
        title: "Sure?",
        attempt: 1,
        question: { text: "Sure?", options: [] },
      }),
    ),
  );
  expect(row.status).toBe("idle");
  const run = workflowRun(view.workflow);
  expect([run?.end?.reason, run?.steps.get("q")?.state]).toEqual(["interrupted", "stopped"]);
});

test("a notice of every topic is imported", async () => {
  const { importText } = rig();
  const topics = ["project", "tree", "mode", "shell", "model", "guard", "files"];
  const blocks = topics.map((topic) => ({ type: "context", kind: "notice", topic, text: topic }));
  const line = (seq: number, event: object) => ({ type: "event", seq, timestamp: timestampOf(seq), event });
  const { view } = await importText(
    jsonl(
      { type: "header", version: 1 },
      line(1, { type: "session_start", projectId: "p", cwd: "/p" }),
      line(2, { type: "message_start", messageId: "m", role: "user" }),
      line(3, { type: "message_end", messageId: "m", blocks, stop: "done" }),
    ),
  );
  expect(shown(view)).toEqual([`user: ${topics.join("|")}`]);
});
const requests: { readonly [K in CallPreview["kind"]]: object } = {
  diff: { preview: { kind: "diff", path: "a", created: true, added: 1, removed: 0, hunks: [] } },
  command: {
    preview: { kind: "command", command: "ls", cwd: ".", parts: [{ text: "ls", risk: "asks" }], timeoutMs: 1 },
    rule: { tool: "bash", words: ["ls"], rest: true },
  },
  delete: { preview: { kind: "delete", path: "a", folder: false, files: 1, bytes: 2 } },
  external: {
    preview: {
      kind: "external",
      source: "web",
      tool: "web_fetch",
      input: { url: "https://a.example/" },
      description: "",
      why: "new_host",
      request: { hosts: ["a.example"], url: "https://a.example/" },
    },
    rule: { tool: "net", host: "a.example" },
  },
};
test.each(Object.entries(requests))("a card with a preview of the kind %s is imported", async (_kind, request) => {
  const { importText } = rig();
  const line = (seq: number, event: object) => ({ type: "event", seq, timestamp: timestampOf(seq), event });
  const card = { type: "approval_request", approvalId: "a", callId: "c", boundTo: "h", options: ["once"], ...request };
  const { rows } = await importText(
    jsonl(
      { type: "header", version: 1 },
      line(1, { type: "session_start", projectId: "p", cwd: "/p" }),
      line(2, { type: "message_start", messageId: "m", role: "assistant" }),
      line(3, {
        type: "message_end",
        messageId: "m",
        blocks: [{ type: "call", callId: "c", name: "x", input: {} }],
        stop: "done",
      }),
      line(4, { type: "tool_call_start", callId: "c", messageId: "m", kind: "other", target: "", facts: {} }),
      line(5, card),
    ),
  );
  expect(rows.map(({ event }) => event)).toContainEqual(card);
});

test.each<[string, string, number]>([
  ["nothing", " \n\n", 1],
  ["garbage", "hello there", 1],
  ["a list", "[1,2]", 1],
  ["no header", jsonl({ type: "message", role: "user", content: "x" }), 1],
  ["a file that was cut off", good.slice(0, -4), 2],
  ["a later version of ours", jsonl({ type: "header", version: 2 }), 1],
  ["a later version of pi", jsonl({ ...piHeader, version: 4 }), 1],
  ["a message without content", jsonl({ type: "header" }, { type: "message", role: "user" }), 2],
  ["an id twice", jsonl(piHeader, messageLine("e1", null, "user", "a"), messageLine("e1", null, "user", "b")), 3],
  [
    "a seq that does not follow",
    jsonl({ type: "header" }, { seq: 2, timestamp: timestampOf(1), event: { type: "hidden" } }),
    2,
  ],
  [
    "an event with something wrong",
    jsonl({ type: "header" }, { seq: 1, timestamp: timestampOf(1), event: { type: "agent_start", runId: 5 } }),
    2,
  ],
  [
    "a log that does not begin with its session",
    jsonl({ type: "header" }, { seq: 1, timestamp: timestampOf(1), event: { type: "agent_start", runId: "r" } }),
    2,
  ],
])("%s is refused with its line", async (_what, file, line) => {
  const { store, bring } = rig();
  expect(await bring(file)).toMatchObject({ ok: false, error: { code: "bad_import", facts: { line } } });
  expect(store.sessions.list({ limit: 1 }).rows).toEqual([]);
});

test.each(['"pinned":1', '"command":"yes"', '"skill":false', '"note":7'])(
  "a reference with %s is refused",
  async (field) => {
    const { store, importText, bring } = rig();
    const { view } = await importText(
      jsonl({ type: "header", id: "a" }, { type: "message", role: "user", content: "a" }),
    );
    const exported = exportSession(store, view, "jsonl", null)?.text ?? "";
    const block = `{"type":"reference","kind":"file","label":"a.ts","text":"a",${field}}`;
    const changed = exported.replace(/("type":"message_end",)/, `$1"blocks":[${block}],`);
    expect(await bring(changed)).toMatchObject({ ok: false, error: { code: "bad_import" } });
  },
);

test.each(["1e999", "-1e999", "1e300", "0.5", '"7"', "null", "[]"])(
  "a count of %s in a file gives a session that can be read again",
  async (count) => {
    const { importText } = rig();
    const plain = `{"type":"header"}\n{"type":"compaction","summary":"s","token_before":${count}}`;
    const pi = `${jsonl(piHeader, messageLine("e1", null, "user", "a"))}
{"type":"compaction","id":"e2","parentId":"e1","timestamp":${JSON.stringify(timestampOf(2))},"summary":"s","firstKeptEntryId":"e1","tokensBefore":${count}}
{"type":"message","id":"e3","parentId":"e2","timestamp":${JSON.stringify(timestampOf(3))},"message":{"role":"assistant","content":[],"stopReason":"stop","usage":{"input":${count},"output":${count},"cacheRead":${count}}}}`;
    for (const file of [plain, pi]) {
      const { view, rows } = await importText(file);
      expect(rows.map(({ event }) => event.type)).not.toContain("hidden");
      expect(pathEntries(view)).toContainEqual(expect.objectContaining({ kind: "compaction", tokensBefore: 0 }));
    }
  },
);

test("files in results of other programs survive an export up to a limit, and Markdown and HTML name them", async () => {
  const { store, importText, bring } = rig();
  const call = { id: "c", function: { name: "bash", arguments: "{}" } };
  const output = "[a.pdf: application/pdf, 3 B, stored for the user]";
  const { view } = await importText(
    jsonl(
      { type: "header", id: "a" },
      { type: "message", role: "assistant", content: "", tool_calls: [call] },
      { type: "message", role: "tool", tool_call_id: "c", content: output },
    ),
  );
  const text = exportSession(store, view, "jsonl", null)?.text ?? "";
  const [pdf, large, other, beyond] = [3, 10_000_000, 10_000_000, 5_000_000].map((bytes, index) => {
    const content = new Uint8Array(bytes).fill(index);
    return { name: "a.pdf", mime: "application/pdf", bytes, blob: store.blobs.put(content) };
  });
  const withFiles = (files: readonly unknown[]): string =>
    text.replace(/("type":"tool_call_end".*?"facts":)\{\}/, `$1{"files":${JSON.stringify(files)}}`);
  const first = await importText(withFiles([pdf, large, other, beyond]));
  const exported = exportSession(store, first.view, "jsonl", null)?.text ?? "";
  const lines = exported.split("\n").filter((line) => line !== "");
  const ids = lines.flatMap((line) => /^\{"type":"blob","id":"([^"]+)"/.exec(line)?.[1] ?? []);
  for (const file of [pdf, large, other]) expect(ids).toContain(file?.blob);
  expect(ids).not.toContain(beyond?.blob);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ type: "header", filesLeftOut: 1 });
  const again = await importText(exported);
  const end = again.rows.find(({ event }) => event.type === "tool_call_end")?.event;
  expect(end).toMatchObject({ facts: { files: [pdf, large, other, beyond] } });
  for (const format of ["md", "html"] as const) {
    const shown = exportSession(store, first.view, format, null)?.text ?? "";
    expect(shown).toContain("a.pdf: application/pdf, 3 B, not in this export");
    expect(shown).not.toContain("stored for the user");
  }
  expect(await bring(withFiles([{ name: "a" }]))).toMatchObject({ error: { code: "bad_import" } });
});
