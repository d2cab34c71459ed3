/** Damaged or unknown rows: reading them throws an error with a code, and nothing throws later. */
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import type { DurableEvent } from "@/lib/events/event";
import { asId, type CommandId, type ProjectId } from "@/lib/events/id";
import { parseStoredPrompt } from "@/server/agent/context/stored-prompt";
import { messageRow, storeWithSession } from "./__fixtures__/home";
import { isBlocks } from "./sessions/event-shape";
import { requireReaderState } from "./history/history-index";
import { upcast } from "./sessions/upcast";

const text = { type: "text", text: "x" };
const change = { path: "a", before: null, after: null, added: 0, removed: 0 };
const whole: { readonly [T in DurableEvent["type"]]: { readonly [name: string]: Json } } = {
  session_start: { projectId: "p", cwd: "/p" },
  session_fork: { parentId: "s", atSeq: 3 },
  session_update: { title: "t", mode: "ask", label: { seq: 1, text: "l" } },
  model_change: {
    provider: "ollama",
    model: "m",
    toolMode: "native",
    numCtx: 1,
    think: false,
    profile: "default",
    prompt: "b",
  },
  queue_change: { queued: [{ id: "q", commandId: "c", intent: "steer", text: "x", at: 1 }] },
  rewind: { toSeq: 0 },
  agent_start: { runId: "r" },
  turn_start: { turnId: "t", step: 1 },
  message_start: { messageId: "m", role: "user" },
  message_end: {
    messageId: "m",
    blocks: [text, { type: "call", callId: "c", name: "ls", input: {} }],
    stop: "done",
    unrun: [{ name: "ls", input: {}, reason: "example" }],
  },
  tool_call_start: { callId: "c", messageId: "m", kind: "list", target: ".", facts: {} },
  approval_request: { approvalId: "a", callId: "c", boundTo: "h", options: ["once"] },
  approval_response: { approvalId: "a", option: "once", by: "tab" },
  file_change: { callId: "c", path: "a", before: null, mode: 0 },
  restore: { toSeq: 1, files: [{ ...change, mode: 0 }] },
  review: {
    files: [
      {
        path: "a",
        baseline: { before: { blob: null }, after: { blob: "h", marks: [[0, 1]], otherLines: ["b"] } },
        before: null,
        after: "h",
        mode: 0,
        accepted: 1,
        rejected: 0,
      },
    ],
  },
  review_wait: {
    waiting: [{ path: "a", verdict: "reject", from: null, to: "h", hunks: 1 }],
    writing: { files: [], undone: 1 },
  },
  call_decision: { of: 1, index: 0, run: true },
  tool_call_end: { callId: "c", outcome: "ok", output: [text], facts: {}, changes: [change], tookMs: 1 },
  compaction_start: { tokensBefore: 1 },
  compaction_end: { head: [text], summary: "s", keepFromSeq: 1, tokensAfter: 1 },
  compaction_update: { of: 1, summary: "s", head: [text] },
  retry: { messageId: "m", attempt: 1, of: 3, delayMs: 1, error: { code: "stalled" } },
  error: { error: { code: "stalled" } },
  turn_end: { turnId: "t" },
  agent_end: { runId: "r", reason: "done" },
  workflow_start: { name: "w", place: "home", hash: "h", inputs: {}, steps: [{ id: "a", kind: "run", title: "ls" }] },
  step_start: { step: "a", kind: "run", title: "ls", attempt: 1 },
  step_end: { step: "a", outcome: "ok", output: "", outputs: {} },
  workflow_end: { reason: "done" },
  hidden: {},
};

/** Invalid values of one field: missing, of another type, invalid inside. */
const broken = (value: Json): readonly (Json | undefined)[] => {
  if (Array.isArray(value)) return [undefined, null, "x", {}, [null], ["x"], [{}]];
  if (typeof value === "object" && value !== null) return [null, "x", 7, []];
  if (typeof value === "string") return [undefined, 7, {}, []];
  return typeof value === "number" ? [undefined, "7", null, {}] : [7, {}];
};
/** True for optional fields and fields whose content is not validated. */
const isFree = (type: string, name: string, bad: Json | undefined): boolean =>
  name === "think" ||
  (bad === undefined && (type === "session_update" || name === "changes" || name === "unrun")) ||
  (name === "options" && JSON.stringify(bad) === '["x"]');

describe("an event", () => {
  test.each(Object.entries(whole))("%s is accepted unchanged, also with fields of a later version", (type, fields) => {
    expect(upcast(1, { type, ...fields, later: true })).toEqual({ type, ...fields, later: true });
    expect(upcast(2, { type, ...fields })).toBeUndefined();
  });

  test.each(
    Object.entries(whole).flatMap(([type, fields]) =>
      Object.entries(fields).flatMap(([name, value]) =>
        broken(value).map((bad) => [type, name, bad, { type, ...fields, [name]: bad }] as const),
      ),
    ),
  )("%s with %s = %j is damaged", (type, name, bad, event) => {
    expect(upcast(1, event) === undefined).toBe(!isFree(type, name, bad));
  });

  test.each([null, 7, "x", [], {}, { type: "no_such" }, { type: "__proto__" }, { type: "phase" }])(
    "%j is not an event",
    (value) => {
      expect(upcast(1, value)).toBeUndefined();
    },
  );
});

const damage = (path: string, sql: string): void => {
  const direct = new Database(path);
  direct.prepare(sql).run();
  direct.close();
};
const corrupt = expect.objectContaining({ code: "store_corrupt" });

describe("a stored row", () => {
  test.each([
    ["invalid JSON", `'{"type":'`],
    ["an event without its blocks", `'{"type":"message_end","messageId":"m","stop":"done"}'`],
    ["an invalid block", `'{"type":"message_end","messageId":"m","stop":"done","blocks":[null]}'`],
    ["a list", "'[]'"],
  ])("%s is reported with its seq", (_name, body) => {
    const { store, sessionId } = storeWithSession();
    store.events.commit({ sessionId, rows: [messageRow(1), messageRow(2)] });
    damage(store.path, `UPDATE events SET body = ${body} WHERE seq = 2`);
    expect(() => store.events.read(sessionId)).toThrow(
      expect.objectContaining({ code: "store_corrupt", facts: expect.objectContaining({ seq: 2 }) }),
    );
  });

  test.each([
    ["file_change", `'{"type":"file_change","callId":"c","path":7,"before":null,"mode":0}'`],
    ["restore", `'{"type":"restore","toSeq":1,"files":[{"path":"a"}]}'`],
    ["tool_call_end", `'{"type":"tool_call_end","changes":[{"after":"h"}]}'`],
  ])("a damaged %s is an error of the file log", (type, body) => {
    const { store, sessionId } = storeWithSession();
    store.events.commit({ sessionId, rows: [messageRow(1)] });
    damage(store.path, `UPDATE events SET type = '${type}', body = ${body} WHERE seq = 1`);
    expect(() => store.fileLog.read(sessionId)).toThrow(corrupt);
  });

  test("a damaged receipt is an error for a repeated command", () => {
    const { store, sessionId } = storeWithSession();
    const commandId = asId<CommandId>("k");
    store.events.commit({ sessionId, rows: [messageRow(1)], receipt: { commandId, result: { seq: 1 } } });
    damage(store.path, "UPDATE receipts SET result = '{'");
    expect(() => store.events.receipt(sessionId, commandId)).toThrow(corrupt);
  });

  test.each(["'{'", "'7'", "'[1]'", "'null'"])("a rule whose words are %s is an error, not skipped", (words) => {
    const { store, project } = storeWithSession();
    const projectId: ProjectId = project.id;
    store.rules.add({
      id: asId("rule1"),
      projectId,
      effect: "deny",
      tool: "bash",
      words: ["git", "push"],
      rest: true,
      createdAt: 1,
    });
    damage(store.path, `UPDATE rules SET words = ${words}`);
    expect(() => store.rules.list(projectId)).toThrow(corrupt);
  });

  test("a rule of an unknown kind is kept and listed as such", async () => {
    const { store, project } = storeWithSession();
    const base = { projectId: project.id, effect: "deny", createdAt: 1 } as const;
    store.rules.add({ ...base, id: asId("rule1"), tool: "net", host: "example.com" });
    damage(store.path, "UPDATE rules SET tool = 'future'");
    const found = { ...base, id: "rule1", tool: "unknown", kind: "future", words: ["example.com"] };
    expect(store.rules.list(project.id)).toEqual([found]);
    expect(store.rules.all()).toEqual([found]);
    const host = store.rules.add({ ...base, id: asId("rule2"), tool: "net", host: "example.com" });
    const tool = store.rules.add({ ...base, id: asId("rule3"), tool: "external", pattern: "github/search_*" });
    expect(store.rules.list(project.id)).toEqual([found, host, tool]);
  });
});

test.each(["", "{", "null", "7", '{"segments":7}', '{"segments":[{}]}', '{"newest":"x"}', '{"model":{}}'])(
  "the index state %j is damaged",
  (state) => {
    expect(() => requireReaderState(state)).toThrow(corrupt);
  },
);

test("missing fields in the index state of an earlier version get defaults", () => {
  expect(requireReaderState('{"segments":[{"start":1,"parent":0}]}')).toEqual({
    segments: [{ start: 1, parent: 0 }],
    newest: 0,
    rewound: false,
    model: "",
  });
});

test.each([
  "",
  "{",
  "null",
  "[]",
  '{"system":"x"}',
  '{"system":7,"tools":[]}',
  '{"system":"x","tools":[{"name":"a"}]}',
])("the prompt %j is damaged", (stored) => {
  expect(parseStoredPrompt(stored)).toBeNull();
});

test("isBlocks accepts only arrays of valid blocks", () => {
  expect(isBlocks([text])).toBe(true);
  for (const bad of [null, {}, "x", [null], [{ type: "text" }], [{ type: "no" }]]) expect(isBlocks(bad)).toBe(false);
});
