import Database from "better-sqlite3";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asId, type SessionId } from "@/lib/events/id";
import { openTestStore, newSessionRow, temporaryHome } from "../__fixtures__/home";
import type { SessionQuery } from "./sessions";

const id = (text: string) => asId<SessionId>(text);

/**
 * Sessions a to e, oldest first: b changed files, c has an active and a revoked link, d only expired and revoked links. d failed.
 */
const filled = () => {
  const home = temporaryHome();
  const store = openTestStore({ home, now: () => 1_000 });
  const project = store.projects.open({ path: "/one", name: "one" }, 1);
  const other = store.projects.open({ path: "/two", name: "two" }, 1);
  const add = (name: string, updatedAt: number, more: object = {}, projectId = project.id) =>
    store.events.create({ session: newSessionRow(name, projectId, { updatedAt, ...more }), rows: [] });
  add("a", 100, { model: "qwen3:8b" });
  add("b", 200, { model: "qwen3:8b", added: 3 });
  add("c", 300, { model: "gemma" });
  add("d", 400, { removed: 1, status: "error" }, other.id);
  add("e", 500, { model: "gemma" }, other.id);
  const database = new Database(join(home, "gopi.db"));
  const share = database.prepare(
    `INSERT INTO shares (id, token_hash, session_id, kind, at_seq, outputs, created_at, expires_at, revoked_at)
     VALUES (?, ?, ?, 'live', 0, 0, 1, ?, ?)`,
  );
  share.run("1", "1", "c", 1_001, null);
  share.run("2", "2", "c", 2_000, 900);
  share.run("3", "3", "d", 1_000, null);
  share.run("4", "4", "d", 2_000, 900);
  database.close();
  const ids = (query: Partial<SessionQuery>) => store.sessions.list({ limit: 10, ...query }).rows.map((row) => row.id);
  return { store, project, other, ids };
};

test.each<[Partial<SessionQuery>, string[]]>([
  [{}, ["e", "d", "c", "b", "a"]],
  [{ model: "qwen3:8b" }, ["b", "a"]],
  [{ model: "qwen3" }, []],
  [{ from: 200 }, ["e", "d", "c", "b"]],
  [{ to: 200 }, ["a"]],
  [{ from: 200, to: 400 }, ["c", "b"]],
  [{ changed: true }, ["d", "b"]],
  [{ changed: false }, ["e", "c", "a"]],
  [{ shared: true }, ["c"]],
  [{ shared: false }, ["e", "d", "b", "a"]],
  [{ changed: true, model: "qwen3:8b", from: 1, to: 999 }, ["b"]],
  [{ failed: true }, ["d"]],
  [{ pinned: true }, []],
  [{ archived: true }, []],
])("of %j are listed %j", (query, expected) => {
  expect(filled().ids(query)).toEqual(expected);
});

test("only an active link makes a session shared, not an expired or revoked one", () => {
  const { store } = filled();
  expect(store.sessions.get(id("c"))).toMatchObject({ shared: true });
  expect(store.sessions.get(id("d"))).not.toHaveProperty("shared");
});

test("pinning and archiving keep their first time until they are undone", () => {
  const { store, ids } = filled();
  expect(store.sessions.mark([id("a"), id("none"), id("c")], { pinned: true }, 700)).toMatchObject([
    { id: "a", pinnedAt: 700 },
    { id: "c", pinnedAt: 700 },
  ]);
  const [again] = store.sessions.mark([id("a")], { pinned: true, archived: true }, 800);
  expect(again).toMatchObject({ pinnedAt: 700, archivedAt: 800 });
  expect(ids({ pinned: true })).toEqual(["c"]);
  expect(ids({ pinned: false })).toEqual(["e", "d", "b"]);
  expect(ids({ archived: true })).toEqual(["a"]);
  expect(ids({})).toEqual(["e", "d", "c", "b"]);
  const [back] = store.sessions.mark([id("a")], { pinned: false, archived: false }, 900);
  expect(back).not.toHaveProperty("pinnedAt");
  expect(back).not.toHaveProperty("archivedAt");
  expect(ids({})).toEqual(["e", "d", "c", "b", "a"]);
});

test("the list of deleted sessions includes archived ones", () => {
  const { store, ids } = filled();
  store.sessions.mark([id("a")], { archived: true }, 700);
  store.sessions.remove(id("a"), 800);
  store.sessions.remove(id("b"), 800);
  expect(ids({ deleted: true })).toEqual(["b", "a"]);
  expect(ids({ archived: true })).toEqual([]);
});

test("models lists the distinct models of sessions that are not deleted", () => {
  const { store } = filled();
  expect(store.sessions.models()).toEqual(["gemma", "qwen3:8b"]);
  store.sessions.remove(id("a"), 1);
  store.sessions.remove(id("b"), 1);
  expect(store.sessions.models()).toEqual(["gemma"]);
});

test("the row has the progress of the plan until there is none any more", () => {
  const { store, project } = filled();
  const plan = { done: 1, total: 3 };
  store.events.create({ session: { ...newSessionRow("p", project.id, { updatedAt: 700 }), plan }, rows: [] });
  expect(store.sessions.get(id("p"))).toMatchObject({ plan });
  store.events.commit({ sessionId: id("p"), rows: [], row: { plan: { done: 2, total: 3 } } });
  expect(store.sessions.list({ limit: 1 }).rows).toMatchObject([{ id: "p", plan: { done: 2, total: 3 } }]);
  store.events.commit({ sessionId: id("p"), rows: [], row: { plan: null } });
  expect(store.sessions.get(id("p"))).not.toHaveProperty("plan");
});

test("the row of a fork contains its parent, in every list", () => {
  const { store, project } = filled();
  expect(store.sessions.get(id("a"))).not.toHaveProperty("forkedFrom");
  store.events.fork({ from: id("a"), upTo: 0, session: newSessionRow("f", project.id, { updatedAt: 600 }), rows: [] });
  expect(store.sessions.get(id("f"))).toMatchObject({ forkedFrom: "a" });
  const [newest] = store.sessions.list({ limit: 1 }).rows;
  expect(newest).toMatchObject({ id: "f", forkedFrom: "a" });
});

test("a running session that waits for an answer outside its log is listed as waiting until it no longer does", () => {
  const { store, project, ids } = filled();
  for (const [name, status] of [
    ["r", "running"],
    ["s", "running"],
    ["t", "idle"],
  ] as const)
    store.events.create({ session: newSessionRow(name, project.id, { updatedAt: 600, status }), rows: [] });
  const waiting = () =>
    store.sessions
      .list({ limit: 10 })
      .rows.filter(({ status }) => status === "waiting")
      .map((row) => row.id);
  expect(store.sessions.setAsking(new Set([id("r"), id("t"), id("none")])).map((row) => [row.id, row.status])).toEqual([
    ["r", "waiting"],
    ["t", "idle"],
  ]);
  expect(store.sessions.list({ limit: 10, active: true }).rows.map((row) => row.id)).toEqual(["s", "r"]);
  expect([waiting(), store.sessions.get(id("r"))?.status]).toEqual([["r"], "waiting"]);
  expect(store.sessions.setAsking(new Set([id("s"), id("t")])).map((row) => row.id)).toEqual(["r", "s"]);
  expect(waiting()).toEqual(["s"]);
  store.sessions.setAsking(new Set());
  expect([waiting(), ids({}).length]).toEqual([[], 8]);
});
