import Database from "better-sqlite3";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Block, Usage } from "@/lib/events/content";
import type { CallOutcome, DurableEvent } from "@/lib/events/event";
import {
  asId,
  type BlobId,
  type CallId,
  type MessageId,
  type ProjectId,
  type RunId,
  type SessionId,
  type TurnId,
} from "@/lib/events/id";
import { openTestStore, newSessionRow, temporaryHome } from "../__fixtures__/home";
import type { HistorySearchQuery } from "./history-search";
import type { HistoryStore } from "./history";

const hour = 3_600_000;
const start = Date.UTC(2026, 4, 1, 12);
const text = (value: string): readonly Block[] => [{ type: "text", text: value }];
const messageId = (name: string) => asId<MessageId>(name);

let counted = 0;
const messageEvents = (role: "user" | "assistant", value: string, usage?: Usage): readonly DurableEvent[] => {
  const id = messageId(`m${(counted += 1)}`);
  const end: DurableEvent = { type: "message_end", messageId: id, blocks: text(value), stop: "done" };
  return [{ type: "message_start", messageId: id, role }, usage === undefined ? end : { ...end, usage }];
};
const calls = (input: string, output: string, outcome: CallOutcome = "ok"): readonly DurableEvent[] => {
  const id = messageId(`m${(counted += 1)}`);
  const callId = asId<CallId>(`c${counted}`);
  return [
    { type: "message_start", messageId: id, role: "assistant" },
    {
      type: "message_end",
      messageId: id,
      blocks: [{ type: "call", callId, name: "bash", input: { command: input } }],
      stop: "done",
    },
    { type: "tool_call_start", callId, messageId: id, kind: "shell", target: input, facts: {} },
    { type: "tool_call_end", callId, outcome, output: text(output), facts: {}, tookMs: 40 },
  ];
};
const run = (id: string, ...events: readonly (readonly DurableEvent[])[]): readonly DurableEvent[] => [
  { type: "agent_start", runId: asId<RunId>(id) },
  ...events.flat(),
  { type: "agent_end", runId: asId<RunId>(id), reason: "done" },
];

async function rig() {
  const home = temporaryHome();
  const store = openTestStore({ home, now: () => start });
  const project = store.projects.open({ path: "/p", name: "p" }, 1);
  const add = (name: string, events: readonly DurableEvent[], at = start, projectId: ProjectId = project.id) => {
    const rows = events.map((event, index) => ({ seq: index + 1, at: at + index, event }));
    store.events.create({
      session: newSessionRow(name, projectId, { title: `Title of ${name}`, updatedAt: at }),
      rows,
    });
  };
  const append = (name: string, events: readonly DurableEvent[], at: number) => {
    const sessionId = asId<SessionId>(name);
    const last = store.sessions.get(sessionId)?.lastSeq ?? 0;
    store.events.commit({ sessionId, rows: events.map((event, index) => ({ seq: last + 1 + index, at, event })) });
  };
  const history = await store.history();
  const index = () => {
    history.refreshStale();
    while (history.step(5));
  };
  const find = (query: string, more: Partial<HistorySearchQuery> = {}) => history.search({ query, ...more }).hits;
  return { home, store, project, add, append, history, index, find };
}
const placesOf = (hits: ReturnType<HistoryStore["search"]>["hits"]) =>
  hits.map(({ sessionId, place, seq }) => `${sessionId} ${place} ${seq}`);

test.each(["登录", "登", "页面", "登录页", "《登录》"])("a title is found by the short query %s", async (query) => {
  const { add, index, find } = await rig();
  add("a", [{ type: "session_update", title: "修复登录页面" }]);
  add("b", [{ type: "session_update", title: "登山路线与录音" }], start + hour);
  index();
  expect(placesOf(find(query)).filter((place) => place.startsWith("a"))).toEqual(["a title 0"]);
  if (query !== "登") expect(find(query)).toHaveLength(1);
});

test("titles, messages, inputs and outputs of calls are found, newest first, with the entry to show", async () => {
  const { add, index, find } = await rig();
  add("a", [
    { type: "session_start", projectId: asId<ProjectId>("p"), cwd: "/p" },
    { type: "session_update", title: "Fix the walrus" },
    ...run(
      "r1",
      messageEvents("user", "Where is the walrus?"),
      calls("grep Walrus src", "src/walrus.ts:3"),
      messageEvents("assistant", "There."),
    ),
  ]);
  add(
    "b",
    run("r2", messageEvents("user", "修复会话列表的错误"), messageEvents("assistant", "A walrus as well")),
    start + hour,
  );
  index();
  expect(placesOf(find("walrus"))).toEqual(["b assistant 4", "a tool 6", "a user 4", "a title 0"]);
  expect(placesOf(find("会话"))).toEqual(["b user 2"]);
  expect(placesOf(find("表"))).toEqual(["b user 2"]);
  expect(placesOf(find("会话列表"))).toEqual(["b user 2"]);
  expect(find("列会")).toEqual([]);
  expect(find("walr")[0]).toMatchObject({
    at: start + hour + 4,
    title: "Title of b",
    snippet: "A walrus as well",
    marks: [[2, 6]],
  });
});

test("a message is found by the name and the content of its references", async () => {
  const { add, index, find } = await rig();
  const id = messageId("m-reference");
  const reference: Block = { type: "reference", kind: "file", label: "src/walrus.ts", text: "const tusk = 1;" };
  add("a", [
    { type: "message_start", messageId: id, role: "user" },
    { type: "message_end", messageId: id, blocks: [reference, ...text("explain")], stop: "done" },
  ]);
  index();
  for (const query of ["walrus", "tusk", "explain"]) expect(placesOf(find(query))).toEqual(["a user 1"]);
});

test("a new title replaces the old one in the index", async () => {
  const { add, append, index, find } = await rig();
  add("a", [{ type: "session_update", title: "First walrus" }]);
  index();
  append("a", [{ type: "session_update", title: "Second otter" }], start + 5);
  index();
  expect(find("walrus")).toEqual([]);
  expect(placesOf(find("otter"))).toEqual(["a title 0"]);
});

test("pages have no gaps or duplicates", async () => {
  const { add, index, history } = await rig();
  add("a", run("r", ...Array.from({ length: 75 }, (_, turn) => messageEvents("user", `walrus number${turn}`))));
  index();
  const seen: number[] = [];
  for (let next: string | undefined; ; ) {
    const page = history.search({ query: "walrus", next });
    seen.push(...page.hits.map(({ seq }) => seq));
    if (page.next === null) break;
    next = page.next;
  }
  expect(seen).toEqual(Array.from({ length: 75 }, (_, turn) => 150 - turn * 2));
});

test("filters apply to hits; archived and deleted sessions are excluded by default", async () => {
  const { store, add, index, find } = await rig();
  const other = store.projects.open({ path: "/q", name: "q" }, 1);
  for (let name = 0; name < 30; name += 1)
    add(`s${name}`, run("r", messageEvents("user", "walrus")), start + name * hour);
  add("other", run("r", messageEvents("user", "walrus")), start - hour, other.id);
  store.sessions.mark([asId<SessionId>("s3")], { archived: true }, 1);
  store.sessions.remove(asId<SessionId>("s4"), 1);
  store.sessions.mark([asId<SessionId>("s5"), asId<SessionId>("s6")], { pinned: true }, 1);
  index();
  const ids = (more: Partial<HistorySearchQuery>) => find("walrus", more).map(({ sessionId }) => sessionId);
  expect(ids({})).toHaveLength(29);
  expect(ids({})).not.toContain("s3");
  expect(ids({})).not.toContain("s4");
  expect(ids({ archived: true })).toEqual(["s3"]);
  expect(ids({ deleted: true })).toEqual(["s4"]);
  expect(ids({ pinned: true })).toEqual(["s6", "s5"]);
  expect(ids({ projectId: other.id })).toEqual(["other"]);
  expect(ids({ from: start + 7 * hour, to: start + 9 * hour })).toEqual(["s8", "s7"]);
  expect(ids({ model: "none" })).toEqual([]);
});

test("a hit on a hidden branch is marked as hidden, and no longer after a redo", async () => {
  const { add, append, index, find } = await rig();
  add("a", [...run("r1", messageEvents("user", "first walrus")), ...run("r2", messageEvents("user", "second walrus"))]);
  append("a", [{ type: "rewind", toSeq: 4 }, ...run("r3", messageEvents("user", "third walrus"))], start + hour);
  index();
  expect(find("walrus").map(({ seq, hidden }) => [seq, hidden ?? false])).toEqual([
    [11, false],
    [6, true],
    [2, false],
  ]);
  append("a", [{ type: "rewind", toSeq: 8 }], start + 2 * hour);
  index();
  expect(find("walrus").map(({ seq, hidden }) => [seq, hidden ?? false])).toEqual([
    [11, true],
    [6, false],
    [2, false],
  ]);
});

test("a message is found once it has ended, while its call is open, and nothing is indexed twice", async () => {
  const { add, append, index, find } = await rig();
  const all = run("r", messageEvents("user", "walrus one"), calls("echo walrus", "walrus out"));
  add("a", all.slice(0, 6));
  index();
  expect(placesOf(find("walrus"))).toEqual(["a user 2"]);
  append("a", all.slice(6), start + hour);
  index();
  expect(placesOf(find("walrus"))).toEqual(["a tool 4", "a user 2"]);
});

test("query text is never parsed as FTS syntax and never throws", async () => {
  const { add, index, find } = await rig();
  add("a", run("r", messageEvents("user", "plain words")));
  index();
  for (const hostile of [
    '"',
    '""',
    "*",
    "a*b",
    "NEAR(plain, words)",
    "text:plain",
    "plain NOT",
    "(",
    "')--",
    "^plain",
    "\u0000",
    "%",
    "_",
    "\ud800",
    "{plain words}",
    "plain + words",
    "-",
    "\ue000s1",
    "a".repeat(200),
    '"'.repeat(199),
    "中\u0000文",
  ])
    expect(() => find(hostile), hostile).not.toThrow();
  expect(find("\ue000s1")).toEqual([]);
  expect(find("words OR missing")).toEqual([]);
});

test("steps interrupted by a kill are neither lost nor duplicated", async () => {
  const { home, add, history } = await rig();
  for (let name = 0; name < 5; name += 1)
    add(
      `s${name}`,
      run("r", ...Array.from({ length: 40 }, (_, turn) => calls(`echo ${turn}`, `walrus ${name} ${turn}`))),
      start + name * hour,
    );
  // Steps short enough to end within turns.
  for (let steps = 0; steps < 30; steps += 1) history.step(0);
  const again = openTestStore({ home, now: () => start });
  const other = await again.history();
  while (other.step(1));
  const database = new Database(join(home, "history.db"), { readonly: true });
  expect(
    database.prepare("SELECT count(*), count(DISTINCT session || ' ' || source) FROM documents").raw().get(),
  ).toEqual([200, 200]);
  expect(database.prepare("SELECT sum(count) FROM facts WHERE kind = 'tool'").pluck().get()).toBe(200);
  database.close();
  expect(other.search({ query: "walrus" }).hits).toHaveLength(30);
});

test("a purged session leaves nothing in the index", async () => {
  const { home, store, add, index, find } = await rig();
  add("a", run("r", ...Array.from({ length: 120 }, () => messageEvents("user", "walrus"))));
  add("b", run("r", messageEvents("user", "walrus of b")), start - hour);
  index();
  store.sessions.remove(asId<SessionId>("a"), 1);
  store.sessions.purge(asId<SessionId>("a"));
  expect(placesOf(find("walrus"))).toEqual(["b user 2"]);
  index();
  const database = new Database(join(home, "history.db"), { readonly: true });
  for (const table of ["documents", "words", "indexed"])
    expect(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), table).toBe(1);
  expect(database.prepare("SELECT count(DISTINCT session) FROM facts").pluck().get()).toBe(1);
  database.close();
});

test("a damaged index is rebuilt from the logs", async () => {
  const { home, store, add, index } = await rig();
  add("a", run("r", messageEvents("user", "walrus")));
  index();
  store.close();
  writeFileSync(join(home, "history.db"), "not a database at all".repeat(400));
  const again = openTestStore({ home, now: () => start });
  const history = await again.history();
  while (history.step(5));
  expect(history.search({ query: "walrus" }).hits).toHaveLength(1);
});

test("the indexed share grows to 1", async () => {
  const { add, history, index } = await rig();
  add("a", run("r", messageEvents("user", "walrus")));
  expect(history.indexedShare()).toBe(0);
  expect(history.isComplete()).toBe(false);
  index();
  expect(history.indexedShare()).toBe(1);
  expect(history.isComplete()).toBe(true);
});

const noEdits = { edits: 0, editsApplied: 0 } as const;

test("edits are counted per model, without those the user denied or stopped", async () => {
  const { add, index, history } = await rig();
  const change = (model: string): DurableEvent => ({
    type: "model_change",
    provider: "ollama",
    model,
    toolMode: "native",
    numCtx: 4096,
    think: false,
    profile: "default",
    prompt: asId<BlobId>("b"),
  });
  const edit = (outcome: CallOutcome, kind = "edit"): readonly DurableEvent[] =>
    calls("a.ts", "out", outcome).map((event) => (event.type === "tool_call_start" ? { ...event, kind } : event));
  add("a", [
    change("one"),
    ...run("r", edit("ok"), edit("ok"), edit("error"), edit("denied"), edit("aborted"), edit("ok", "write")),
    change("two"),
    ...run("s", edit("error")),
    change("three"),
    ...run("t", calls("ls", "out")),
  ]);
  index();
  const edits = history.statistics({ zone: "UTC" }).models.map((one) => [one.model, one.editsApplied, one.edits]);
  expect(edits).toEqual([
    ["one", 2, 3],
    ["two", 0, 1],
  ]);
});

test("days follow the user's time zone; models and tools are counted with tokens and times", async () => {
  const { store, add, index, history, project } = await rig();
  const usage: Usage = {
    promptTokens: 100,
    estimatedPromptTokens: 90,
    outputTokens: 20,
    loadMs: 5,
    promptMs: 30,
    outputMs: 200,
  };
  const change: DurableEvent = {
    type: "model_change",
    provider: "ollama",
    model: "qwen3:8b",
    toolMode: "native",
    numCtx: 4096,
    think: false,
    profile: "default",
    prompt: asId<BlobId>("b"),
  };
  const turn: DurableEvent = { type: "turn_start", turnId: asId<TurnId>("t"), step: 1 };
  // 20:00 UTC is the next day in Shanghai.
  add(
    "late",
    [
      change,
      ...run("r", [turn], messageEvents("assistant", "hello", usage), messageEvents("assistant", "more", usage)),
    ],
    start + 8 * hour,
  );
  add("early", run("r", calls("ls", "out"), calls("rm x", "no", "denied"), calls("false", "1", "error")), start);
  add("gone", run("r", calls("ls", "out")), start);
  store.sessions.remove(asId<SessionId>("gone"), 1);
  index();
  const statistics = history.statistics({ zone: "Asia/Shanghai" });
  expect(statistics.sessions).toBe(2);
  expect(statistics.days).toEqual([
    {
      day: "2026-05-01",
      runs: 1,
      promptTokens: 0,
      outputTokens: 0,
      loadMs: 0,
      promptMs: 0,
      outputMs: 0,
      toolMs: 120,
      added: 0,
      removed: 0,
    },
    {
      day: "2026-05-02",
      runs: 1,
      promptTokens: 200,
      outputTokens: 40,
      loadMs: 10,
      promptMs: 60,
      outputMs: 400,
      toolMs: 0,
      added: 0,
      removed: 0,
    },
  ]);
  expect(statistics.models).toEqual([
    { model: "qwen3:8b", answers: 2, promptTokens: 200, outputTokens: 40, promptMs: 60, outputMs: 400, ...noEdits },
  ]);
  expect(statistics.tools).toEqual([{ tool: "bash", calls: 3, failed: 1, denied: 1, tookMs: 120 }]);
  expect(history.statistics({ zone: "UTC" }).days.map(({ day }) => day)).toEqual(["2026-05-01"]);
  expect(history.statistics({ zone: "No/Such" }).days).toHaveLength(1);
  expect(history.statistics({ zone: "UTC", from: start + hour }).sessions).toBe(1);
  expect(history.statistics({ zone: "UTC", to: start + hour }).tools).toHaveLength(1);
  expect(history.statistics({ zone: "UTC", projectId: project.id }).sessions).toBe(2);
  expect(history.statistics({ zone: "UTC", projectId: asId<ProjectId>("none") })).toEqual({
    days: [],
    models: [],
    tools: [],
    sessions: 0,
  });
});
