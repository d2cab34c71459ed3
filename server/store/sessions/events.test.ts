import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { asId, type CommandId, type SessionId } from "@/lib/events/id";
import { messageRow, openTestStore, newSessionRow, storeWithSession, temporaryHome } from "../__fixtures__/home";
import { createEvents } from "./events";
import { openDatabase } from "../core/open-database";
import { createProjects } from "../projects";

const command = (id: string) => asId<CommandId>(id);
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => messageRow(from + index));

describe("commit and read", () => {
  test("committed events are read in order, with times and version", () => {
    const { store, sessionId } = storeWithSession();
    store.events.commit({ sessionId, rows: range(1, 2) });
    store.events.commit({ sessionId, rows: [messageRow(3, "e\u0301 家 😀 \u0000 \" '")] });
    expect(store.events.read(sessionId)).toEqual([
      { ...messageRow(1), v: 1 },
      { ...messageRow(2), v: 1 },
      { ...messageRow(3, "e\u0301 家 😀 \u0000 \" '"), v: 1 },
    ]);
  });

  test("a page starts after a seq and ends at the limit", () => {
    const { store, sessionId } = storeWithSession();
    store.events.commit({ sessionId, rows: range(1, 10) });
    const seqs = store.events.read(sessionId, { afterSeq: 4, limit: 3 }).map(({ seq }) => seq);
    expect(seqs).toEqual([5, 6, 7]);
    expect(store.events.read(sessionId, { afterSeq: 10 })).toEqual([]);
    expect(store.events.read(asId<SessionId>("unknown"))).toEqual([]);
  });

  test("sessions have separate events", () => {
    const { store, project, sessionId } = storeWithSession();
    const other = asId<SessionId>("s2");
    store.events.create({ session: newSessionRow("s2", project.id), rows: [messageRow(1, "other")] });
    store.events.commit({ sessionId, rows: [messageRow(1)] });
    expect(store.events.read(other)).toEqual([{ ...messageRow(1, "other"), v: 1 }]);
  });

  test.each([
    ["a gap", [messageRow(3)]],
    ["a seq that is taken", [messageRow(1)]],
    ["a gap after a good row", [messageRow(2), messageRow(4)]],
    ["zero", [messageRow(0)]],
    ["a repeated seq", [messageRow(2), messageRow(2)]],
    ["a fraction", [messageRow(1.5)]],
  ])("%s in seq is refused and nothing of the commit is stored", (_, rows) => {
    const { store, sessionId } = storeWithSession();
    store.events.commit({ sessionId, rows: [messageRow(1)] });
    store.events.checkpoint(sessionId, "open", "text", 1);
    const input = {
      sessionId,
      rows,
      receipt: { commandId: command("c"), result: 1 },
      row: { title: "changed" },
      dropCheckpoints: ["open"],
    };
    expect(() => store.events.commit(input)).toThrow(expect.objectContaining({ code: "internal" }));
    expect(store.events.read(sessionId)).toHaveLength(1);
    expect(store.events.receipt(sessionId, command("c"))).toBeUndefined();
    expect(store.events.checkpoints(sessionId)).toHaveLength(1);
    expect(store.sessions.get(sessionId)).toMatchObject({ lastSeq: 1, title: "First words" });
  });

  test("a commit to an unknown session throws not_found", () => {
    const { store } = storeWithSession();
    const commit = () => store.events.commit({ sessionId: asId<SessionId>("unknown"), rows: [messageRow(1)] });
    expect(commit).toThrow(expect.objectContaining({ code: "not_found" }));
  });

  test("an exception during a commit rolls it back", () => {
    const { store, sessionId } = storeWithSession();
    const circular: { self?: unknown } = {};
    circular.self = circular;
    const event = { ...messageRow(2).event, toJSON: () => JSON.stringify(circular) };
    const commit = () => store.events.commit({ sessionId, rows: [messageRow(1), { seq: 2, at: 1, event }] });
    expect(commit).toThrow(expect.objectContaining({ name: "StoreError" }));
    expect(store.events.read(sessionId)).toEqual([]);
    expect(store.sessions.get(sessionId)?.lastSeq).toBe(0);
  });

  test("an invalid row throws with its seq and is not skipped", () => {
    const { store, sessionId } = storeWithSession();
    store.events.commit({ sessionId, rows: range(1, 3) });
    const direct = new Database(store.path);
    direct.prepare("UPDATE events SET body = '{\"type\":' WHERE seq = 2").run();
    direct.close();
    expect(() => store.events.read(sessionId)).toThrow(
      expect.objectContaining({ code: "store_corrupt", facts: expect.objectContaining({ seq: 2 }) }),
    );
    expect(store.events.read(sessionId, { afterSeq: 2 })).toHaveLength(1);
  });

  test("40,000 rows are read completely and in order", () => {
    const { store, sessionId } = storeWithSession();
    const text = "a line of an answer, as long as they usually are. ".repeat(5);
    store.events.commit({ sessionId, rows: Array.from({ length: 40_000 }, (_, index) => messageRow(index + 1, text)) });
    const rows = store.events.read(sessionId);
    expect(rows).toHaveLength(40_000);
    expect(rows.every(({ seq }, index) => seq === index + 1)).toBe(true);
  });
});

describe("the list row", () => {
  test("is updated in the transaction of the events", () => {
    const { store, sessionId } = storeWithSession();
    store.events.commit({
      sessionId,
      rows: range(1, 2),
      row: { title: "New", status: "running", model: "m", added: 3 },
    });
    expect(store.sessions.get(sessionId)).toMatchObject({
      title: "New",
      status: "running",
      model: "m",
      mode: "ask",
      added: 3,
      removed: 0,
      lastSeq: 2,
      updatedAt: 1_002,
    });
    store.events.commit({ sessionId, rows: [messageRow(3)], row: { title: undefined, updatedAt: 77 } });
    expect(store.sessions.get(sessionId)).toMatchObject({ title: "New", lastSeq: 3, updatedAt: 77 });
    store.events.commit({ sessionId, rows: [], row: { title: "", added: 0 } });
    expect(store.sessions.get(sessionId)).toMatchObject({ title: "", added: 0, lastSeq: 3, updatedAt: 77 });
  });

  test("a session is created with its first events and its receipt, or not at all", () => {
    const { store, project } = storeWithSession();
    const receipt = { commandId: command("new"), result: { seq: 1 } };
    store.events.create({ session: newSessionRow("s2", project.id), rows: [messageRow(1)], receipt });
    expect(store.sessions.get(asId<SessionId>("s2"))).toMatchObject({ lastSeq: 1, updatedAt: 10 });
    expect(store.events.receipt(asId<SessionId>("s2"), command("new"))).toEqual({ seq: 1 });
    expect(() => store.events.create({ session: newSessionRow("s3", project.id), rows: [messageRow(2)] })).toThrow();
    expect(store.sessions.get(asId<SessionId>("s3"))).toBeUndefined();
    expect(() => store.events.create({ session: newSessionRow("s2", project.id), rows: [] })).toThrow();
    expect(store.events.read(asId<SessionId>("s2"))).toHaveLength(1);
  });
});

describe("receipts", () => {
  test.each([[null], [0], [false], [""], [{ seq: 4, list: [1, "二"] }]])(
    "the result %j is returned again",
    (result) => {
      const { store, sessionId } = storeWithSession();
      store.events.commit({ sessionId, rows: [], receipt: { commandId: command("c"), result } });
      expect(store.events.receipt(sessionId, command("c"))).toEqual(result);
    },
  );

  test("belong to a session, and a command is never written twice", () => {
    const { store, sessionId } = storeWithSession();
    const receipt = { commandId: command("c"), result: 1 };
    store.events.commit({ sessionId, rows: [messageRow(1)], receipt });
    expect(store.events.receipt(asId<SessionId>("s2"), command("c"))).toBeUndefined();
    expect(store.events.receipt(sessionId, command("d"))).toBeUndefined();
    expect(() => store.events.commit({ sessionId, rows: [messageRow(2)], receipt })).toThrow();
    expect(store.events.read(sessionId)).toHaveLength(1);
  });
});

describe("checkpoints", () => {
  test("are overwritten per key and deleted in the commit that contains their content", () => {
    const { store, sessionId } = storeWithSession();
    store.events.checkpoint(sessionId, "message m1", "He", 1);
    store.events.checkpoint(sessionId, "call c1", "out", 2);
    store.events.checkpoint(sessionId, "message m1", "Hello", 3);
    expect(store.events.checkpoints(sessionId)).toEqual([
      { key: "call c1", body: "out", at: 2 },
      { key: "message m1", body: "Hello", at: 3 },
    ]);
    store.events.commit({ sessionId, rows: [messageRow(1)], dropCheckpoints: ["message m1", "unknown"] });
    expect(store.events.checkpoints(sessionId).map(({ key }) => key)).toEqual(["call c1"]);
  });
});

describe("faults", () => {
  test("a full disk throws disk_full, loses no committed event, and commits work again once there is space", () => {
    const home = temporaryHome();
    openTestStore({ home }).close();
    const { database } = openDatabase({ home, now: () => 0, migrations: "server/store/migrations" });
    const events = createEvents({ database, relaxed: () => database });
    const project = createProjects(database).open({ path: "/f", name: "f" }, 1);
    const sessionId = asId<SessionId>("s1");
    events.create({ session: newSessionRow("s1", project.id), rows: [messageRow(1)] });
    database.pragma(`max_page_count = ${database.pragma("page_count", { simple: true })}`);
    let written = 1;
    const fill = () => {
      for (;;) {
        events.commit({ sessionId, rows: [messageRow(written + 1, "x".repeat(3_000))] });
        written += 1;
      }
    };
    expect(fill).toThrow(expect.objectContaining({ code: "disk_full" }));
    expect(events.read(sessionId)).toHaveLength(written);
    database.pragma("max_page_count = 1000000");
    events.commit({ sessionId, rows: [messageRow(written + 1)] });
    expect(events.read(sessionId).map(({ seq }) => seq)).toEqual(range(1, written + 1).map(({ seq }) => seq));
    expect(database.pragma("quick_check", { simple: true })).toBe("ok");
    database.close();
  });

  test("a database locked by another process throws store_locked, and commits work once it is released", () => {
    const { store, sessionId } = storeWithSession();
    const foreign = new Database(store.path);
    foreign.exec("BEGIN IMMEDIATE");
    const commit = () => store.events.commit({ sessionId, rows: [messageRow(1)] });
    expect(commit).toThrow(expect.objectContaining({ code: "store_locked" }));
    foreign.exec("ROLLBACK");
    foreign.close();
    commit();
    expect(store.events.read(sessionId)).toHaveLength(1);
  });
});

test("a new title or mode does not change updatedAt, other events do", () => {
  const { store, sessionId } = storeWithSession();
  store.events.commit({ sessionId, rows: [{ ...messageRow(1), at: 5_000 }] });
  const rename = { seq: 2, at: 9_000, event: { type: "session_update", title: "New name" } } as const;
  store.events.commit({ sessionId, rows: [rename], row: { title: "New name" } });
  expect(store.sessions.get(sessionId)).toMatchObject({ title: "New name", updatedAt: 5_000 });
  store.events.commit({ sessionId, rows: [{ ...messageRow(3), at: 10_000 }] });
  expect(store.sessions.get(sessionId)?.updatedAt).toBe(10_000);
});
