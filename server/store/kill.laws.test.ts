import Database from "better-sqlite3";
import { randomInt } from "node:crypto";
import { cpSync, readdirSync, statSync, watch, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { asId, type CommandId } from "@/lib/events/id";
import { openTestStore, storeWithSession, temporaryHome } from "./__fixtures__/home";
import { useChildProgram } from "./__fixtures__/start-child";
import { takeHomeLock } from "./core/home-lock";
import { readServerFile, removeServerFile, writeServerFile } from "./core/server-file";

const startChild = useChildProgram();

/** Resolves after `count` further changes in the folder. */
const changesIn = (folder: string, count: number): Promise<void> =>
  new Promise((resolve) => {
    let left = count;
    const watcher = watch(folder, () => {
      left -= 1;
      if (left > 0) return;
      watcher.close();
      resolve();
    });
    onTestFinished(() => watcher.close());
  });

describe("kill -9", () => {
  test("during commits loses nothing acknowledged and leaves no gap, in 20 kills", async () => {
    const home = temporaryHome();
    const { store, sessionId } = storeWithSession({ home });
    store.close();
    for (let kills = 0; kills < 20; kills += 1) {
      const child = startChild("commit", home, "server/store/migrations");
      let acknowledged = 0;
      for (let lines = randomInt(1, 40); lines > 0; lines -= 1) acknowledged = Number(await child.next());
      acknowledged = Number((await child.kill()).at(-1) ?? acknowledged);

      const after = openTestStore({ home });
      const rows = after.events.read(sessionId);
      expect(after.uncleanEnd).toBe(true);
      expect(rows.length).toBeGreaterThanOrEqual(acknowledged);
      expect(rows.every(({ seq }, index) => seq === index + 1)).toBe(true);
      expect(after.sessions.get(sessionId)).toMatchObject({ lastSeq: rows.length, title: `up to ${rows.length}` });
      // commits are atomic: the last one includes its receipt
      expect(after.events.receipt(sessionId, asId<CommandId>(`c${rows.length}`))).toEqual({ seq: rows.length });
      expect(after.quickCheck().ok).toBe(true);
      after.close();
    }
  });

  test("during a migration leaves all of it or nothing, and the next start completes it", async () => {
    const migrations = join(temporaryHome(), "migrations");
    cpSync("server/store/migrations", migrations, { recursive: true });
    const before = readdirSync(migrations).filter((name) => name.endsWith(".sql")).length;
    const rows = 60_000;
    writeFileSync(
      join(migrations, "0900_slow.sql"),
      `CREATE TABLE \`slow\` (\`id\` integer, \`text\` text);--> statement-breakpoint
       WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) INSERT INTO \`slow\` SELECT i, hex(randomblob(100)) FROM n;`,
    );
    const original = temporaryHome();
    storeWithSession({ home: original }).store.close();
    let killedBefore = 0;
    for (let kills = 0; kills < 12; kills += 1) {
      const home = temporaryHome();
      cpSync(original, home, { recursive: true });
      const child = startChild("open", home, migrations);
      expect(await child.next()).toBe("opening");
      await Promise.race([changesIn(home, 2 ** kills), child.next()]);
      await child.kill();

      const state = new Database(join(home, "gopi.db"));
      const version = state.pragma("user_version", { simple: true });
      const found = version === before ? 0 : rows;
      if (version === before) killedBefore += 1;
      expect([before, before + 1]).toContain(version);
      const slow = state.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'slow'").pluck().get();
      expect(slow).toBe(found === 0 ? 0 : 1);
      expect(slow === 0 ? 0 : state.prepare("SELECT count(*) FROM slow").pluck().get()).toBe(found);
      state.close();

      const store = openTestStore({ home, migrations });
      expect(store.sessions.list({ limit: 9 }).rows).toMatchObject([{ id: "s1" }]);
      store.close();
      expect(readdirSync(home).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    }
    expect(killedBefore).toBeGreaterThan(0);
  });
});

describe("the home lock", () => {
  test("is held by one process at a time and released when its holder is killed", async () => {
    const home = temporaryHome();
    const holder = startChild("lock", home);
    expect(await holder.next()).toBe("held");
    expect(await startChild("lock", home).next()).toBe("store_locked");
    expect(takeHomeLock(home)).toMatchObject({
      ok: false,
      error: { code: "store_locked", facts: { path: join(home, "lock.db") } },
    });
    await holder.kill();
    const lock = takeHomeLock(home);
    expect(lock.ok).toBe(true);
    expect(await startChild("lock", home).next()).toBe("store_locked");
    if (lock.ok) lock.value.release();
    expect(await startChild("lock", home).next()).toBe("held");
  });

  test("is not lost when its own process tries to take it again or opens and closes a store", async () => {
    const home = temporaryHome();
    const lock = takeHomeLock(home);
    expect(takeHomeLock(home)).toMatchObject({ ok: false, error: { code: "store_locked" } });
    openTestStore({ home }).close();
    expect(await startChild("lock", home).next()).toBe("store_locked");
    if (lock.ok) lock.value.release();
    if (lock.ok) lock.value.release();
  });

  test("is taken by exactly one of ten processes started at once", async () => {
    const home = temporaryHome();
    const words = await Promise.all(Array.from({ length: 10 }, () => startChild("lock", home).next()));
    expect(words.sort()).toEqual(["held", ...Array.from({ length: 9 }, () => "store_locked")]);
  });

  test("works with a damaged lock file, which becomes private and empty", () => {
    const home = temporaryHome();
    writeFileSync(join(home, "lock.db"), "rubbish ".repeat(1_000));
    const lock = takeHomeLock(home);
    expect(lock.ok).toBe(true);
    expect(statSync(join(home, "lock.db")).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, "lock.db")).size).toBe(0);
    if (lock.ok) lock.value.release();
  });
});

describe("server.json", () => {
  const server = { address: "127.0.0.1", port: 4_674, token: "secret", pid: 42, version: "0.1.0" };

  test("is read as written, private, without temporary files", () => {
    const home = temporaryHome();
    writeServerFile(home, { ...server, port: 1 });
    writeServerFile(home, server);
    expect(readServerFile(home)).toEqual(server);
    writeServerFile(home, { ...server, build: "abc" });
    expect(readServerFile(home)).toEqual({ ...server, build: "abc" });
    expect(statSync(join(home, "server.json")).mode & 0o777).toBe(0o600);
    expect(readdirSync(home)).toEqual(["server.json"]);
  });

  test.each([
    ["nothing", undefined],
    ["half of it", '{"address":"127.0.0.1","po'],
    ["another shape", '{"port":"4674"}'],
    ["a bad port", JSON.stringify({ ...server, port: 70_000 })],
  ])("%s gives no server", (_, text) => {
    const home = temporaryHome();
    if (text !== undefined) writeFileSync(join(home, "server.json"), text);
    expect(readServerFile(home)).toBeUndefined();
  });

  test("is removed only by the process that wrote it", () => {
    const home = temporaryHome();
    writeServerFile(home, server);
    removeServerFile(home, 41);
    expect(readServerFile(home)).toEqual(server);
    removeServerFile(home, 42);
    removeServerFile(home, 42);
    expect(readServerFile(home)).toBeUndefined();
  });
});
