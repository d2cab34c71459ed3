/** Staged logs become visible all at once or not at all, however their writer is interrupted. */
import Database from "better-sqlite3";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { DurableEvent } from "@/lib/events/event";
import { asId, type ProjectId, type SessionId } from "@/lib/events/id";
import { openTestStore, newSessionRow, temporaryHome } from "../__fixtures__/home";
import { openDatabase } from "../core/open-database";
import type { EventRow } from "./events";
import type { Store } from "../open-store";

const id = (name: string): SessionId => asId<SessionId>(name);
const projectOf = (store: Store): ProjectId => store.projects.open({ path: "/folder", name: "folder" }, 1).id;
const rowsFrom = (seq: number, count: number): readonly EventRow[] =>
  Array.from({ length: count }, (_, index) => {
    const event: DurableEvent = { type: "hidden" };
    return { seq: seq + index, at: 1_000, event };
  });
const countOf = (home: string): unknown => {
  const database = new Database(join(home, "gopi.db"), { readonly: true });
  try {
    return database.prepare("SELECT count(*) FROM events").pluck().get();
  } finally {
    database.close();
  }
};
const listed = (store: Store): readonly string[] =>
  store.sessions
    .list({ limit: 10 })
    .rows.map((row) => row.id)
    .sort();

test("staged logs are not listed until they are published, then completely", async () => {
  const store = openTestStore();
  const projectId = projectOf(store);
  await store.staged.write(async ({ write, publish }) => {
    for (const name of ["a", "b"]) {
      write(id(name), rowsFrom(1, 700));
      await Promise.resolve();
      write(id(name), rowsFrom(701, 700));
      expect(listed(store)).toEqual([]);
    }
    publish(["a", "b"].map((name) => ({ session: newSessionRow(name, projectId), lastSeq: 1_400 })));
    expect(listed(store)).toEqual(["a", "b"]);
  });
  expect(store.events.read(id("b"))).toHaveLength(1_400);
  expect(store.sessions.get(id("b"))?.lastSeq).toBe(1_400);
  store.events.commit({ sessionId: id("b"), rows: rowsFrom(1_401, 1) });
});

test("a failed writer leaves nothing, and its sessions can be written again", async () => {
  const home = temporaryHome();
  const store = openTestStore({ home });
  const projectId = projectOf(store);
  const broken = store.staged.write(async ({ write, publish }) => {
    write(id("a"), rowsFrom(1, 1_200));
    // b is incomplete, so neither is published.
    publish([
      { session: newSessionRow("a", projectId), lastSeq: 1_200 },
      { session: newSessionRow("b", projectId), lastSeq: 5 },
    ]);
  });
  await expect(broken).rejects.toMatchObject({ code: "internal" });
  expect([listed(store), countOf(home)]).toEqual([[], 0]);
  await store.staged.write(async ({ write, publish }) => {
    write(id("a"), rowsFrom(1, 3));
    publish([{ session: newSessionRow("a", projectId), lastSeq: 3 }]);
  });
  expect([listed(store), countOf(home)]).toEqual([["a"], 3]);
});

test.each<[string, (store: Store) => Promise<void>, number]>([
  ["the sweep at start", (store) => store.staged.removeStale(), 2],
  ["the next writer, of the same session", (store) => rewrite(store), 5],
])("rows staged by a killed writer are not listed and removed by %s", async (_what, clean, left) => {
  const home = temporaryHome();
  const first = openTestStore({ home });
  const projectId = projectOf(first);
  first.events.create({ session: newSessionRow("kept", projectId), rows: rowsFrom(1, 2) });
  first.close();
  leaveStaged(home);
  const store = openTestStore({ home });
  expect(listed(store)).toEqual(["kept"]);
  await clean(store);
  expect(store.events.read(id("kept"))).toHaveLength(2);
  expect(countOf(home)).toBe(left);
});

test("a migration succeeds with rows staged by a killed writer", () => {
  const home = temporaryHome();
  const migrations = temporaryHome();
  cpSync("server/store/migrations", migrations, { recursive: true });
  const newest = readdirSync(migrations)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .at(-1);
  rmSync(join(migrations, newest ?? ""));
  openDatabase({ home, now: () => 1, migrations }).database.close();
  leaveStaged(home);
  expect(listed(openTestStore({ home }))).toEqual([]);
  expect(countOf(home)).toBe(0);
});

const rewrite = (store: Store): Promise<void> =>
  store.staged.write(async ({ write, publish }) => {
    write(id("a"), rowsFrom(1, 3));
    publish([{ session: newSessionRow("a", projectOf(store)), lastSeq: 3 }]);
  });

/** Creates the state after a kill between two transactions of a writer. */
function leaveStaged(home: string): void {
  const database = new Database(join(home, "gopi.db"));
  database.pragma("foreign_keys = OFF");
  const insert = database.prepare(
    "INSERT INTO events (session_id, seq, v, at, type, body) VALUES (?, ?, 1, 1, 'hidden', '{\"type\":\"hidden\"}')",
  );
  for (const name of ["a", "z"]) for (let seq = 1; seq <= 1_100; seq += 1) insert.run(name, seq);
  database.close();
}
