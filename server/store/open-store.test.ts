import Database from "better-sqlite3";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { messageRow, openTestStore, storeWithSession, temporaryHome } from "./__fixtures__/home";
import { useChildProgram } from "./__fixtures__/start-child";
import { openDatabase, openRelaxed } from "./core/open-database";
import { openStore } from "./open-store";

const startChild = useChildProgram();
const now = () => Date.UTC(2026, 10, 21, 2, 30);
const contents = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString("base64")]));
const rights = (path: string) => (statSync(path).mode & 0o777).toString(8);

/** Creates a home with a cleanly closed store and one session of three events. */
const usedHome = (): string => {
  const home = temporaryHome();
  const { store, sessionId } = storeWithSession({ home });
  store.events.commit({ sessionId, rows: [messageRow(1), messageRow(2), messageRow(3)] });
  store.close();
  return home;
};

/** Copies the program's migrations and adds `more`. */
const migrationsWith = (more: Record<string, string>): string => {
  const folder = join(temporaryHome(), "migrations");
  cpSync("server/store/migrations", folder, { recursive: true });
  for (const [name, sql] of Object.entries(more)) writeFileSync(join(folder, name), sql);
  return folder;
};

const currentVersion = readdirSync("server/store/migrations").filter((name) => name.endsWith(".sql")).length;

describe("opening", () => {
  test("a missing home is created with access for its owner only", () => {
    const home = join(temporaryHome(), "a", "b");
    const { store, sessionId } = storeWithSession({ home });
    store.events.checkpoint(sessionId, "k", "text", 1);
    expect(rights(home)).toBe("700");
    expect(["gopi.db", "gopi.db-wal", "gopi.db-shm"].map((name) => rights(join(home, name)))).toEqual([
      "600",
      "600",
      "600",
    ]);
    expect(store.uncleanEnd).toBe(false);
    expect(store.movedAside).toBeUndefined();
  });

  test("permissions of others are removed", () => {
    const home = usedHome();
    chmodSync(home, 0o755);
    chmodSync(join(home, "gopi.db"), 0o644);
    openTestStore({ home });
    expect([rights(home), rights(join(home, "gopi.db")), rights(join(home, "gopi.db-wal"))]).toEqual([
      "700",
      "600",
      "600",
    ]);
  });

  test("a closed store leaves one file and reopens as clean with all data", () => {
    const home = usedHome();
    expect(readdirSync(home)).toEqual(["gopi.db"]);
    const store = openTestStore({ home });
    expect(store.uncleanEnd).toBe(false);
    expect(store.sessions.list({ limit: 9 }).rows).toMatchObject([{ id: "s1", lastSeq: 3 }]);
    expect(store.quickCheck()).toEqual({ ok: true, value: undefined });
    store.close();
    store.close();
  });

  test("the log is written with synchronous=FULL, checkpoints with NORMAL", () => {
    const { path, database } = openDatabase({ home: usedHome(), now, migrations: "server/store/migrations" });
    const relaxed = openRelaxed(path);
    const pragmaValues = (connection: Database.Database) =>
      ["journal_mode", "synchronous", "foreign_keys", "busy_timeout"].map((name) =>
        connection.pragma(name, { simple: true }),
      );
    const [normal, full] = [1, 2];
    expect(pragmaValues(database)).toEqual(["wal", full, 1, 5_000]);
    // Short lock timeout: a checkpoint is written again soon.
    expect(pragmaValues(relaxed)).toEqual(["wal", normal, 1, 50]);
    relaxed.close();
    database.close();
  });

  test("the migrations match the schema according to drizzle-kit", () => {
    const out = relative(".", migrationsWith({}));
    const words = ["generate", "--dialect", "sqlite", "--schema", "server/store/*schema.ts", "--out", out];
    expect(execFileSync("node_modules/.bin/drizzle-kit", words, { encoding: "utf8" })).toContain("No schema changes");
    expect(readdirSync(out).filter((name) => name.endsWith(".sql"))).toHaveLength(currentVersion);
  });
});

describe("a damaged database", () => {
  test("an empty file counts as a new database", () => {
    const home = temporaryHome();
    writeFileSync(join(home, "gopi.db"), "");
    const store = openTestStore({ home });
    expect(store.movedAside).toBeUndefined();
    expect(store.sessions.list({ limit: 1 }).rows).toEqual([]);
  });

  const header = Buffer.from("SQLite format 3\0");
  test.each<[string, Record<string, Buffer>]>([
    ["a text file", { "gopi.db": Buffer.from("this is not a database\n".repeat(500)) }],
    ["one byte", { "gopi.db": Buffer.from("x") }],
    ["only a header", { "gopi.db": header }],
    ["a header followed by garbage", { "gopi.db": Buffer.concat([header, Buffer.alloc(8_192, 0xab)]) }],
    ["an empty file with a non-empty log", { "gopi.db": Buffer.alloc(0), "gopi.db-wal": Buffer.alloc(64, 1) }],
    ["a log without its database", { "gopi.db-wal": Buffer.alloc(64, 1) }],
    [
      "garbage with a log",
      { "gopi.db": Buffer.alloc(4_096, 1), "gopi.db-wal": Buffer.alloc(64, 1), "gopi.db-shm": Buffer.alloc(9) },
    ],
  ])("%s is moved aside unchanged and the store starts empty", (_, files) => {
    const home = temporaryHome();
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(home, name), bytes);
    const store = openTestStore({ home, now });
    expect(store.movedAside).toBe(join(home, "gopi.db.corrupt-2026-11-21T02-30-00.000Z"));
    for (const [name, bytes] of Object.entries(files)) {
      expect(readFileSync(`${store.movedAside}${name.slice("gopi.db".length)}`).equals(bytes)).toBe(true);
    }
    expect(store.quickCheck().ok).toBe(true);
    expect(store.sessions.list({ limit: 1 }).rows).toEqual([]);
  });

  test("a damaged table list is detected on opening", () => {
    const home = usedHome();
    const bytes = readFileSync(join(home, "gopi.db"));
    bytes.fill(0xff, 100, 4_000);
    writeFileSync(join(home, "gopi.db"), bytes);
    const store = openTestStore({ home, now });
    expect(readFileSync(store.movedAside ?? "none").equals(bytes)).toBe(true);
  });

  test("a damaged file and the log left by a killed process are moved aside unchanged", async () => {
    const home = usedHome();
    const child = startChild("commit", home, "server/store/migrations");
    for (let commits = 0; commits < 5; commits += 1) await child.next();
    await child.kill();
    const bytes = readFileSync(join(home, "gopi.db"));
    // The first page stays intact, so the damage is detected only after opening.
    bytes.fill(0x2a, 4_096);
    writeFileSync(join(home, "gopi.db"), bytes);
    const { "gopi.db": main, "gopi.db-wal": log, "gopi.db-shm": index } = contents(home);
    expect(log?.length).toBeGreaterThan(4_096);
    const name = "gopi.db.corrupt-2026-11-21T02-30-00.000Z";
    expect(openTestStore({ home, now }).movedAside).toBe(join(home, name));
    expect(contents(home)).toMatchObject({ [name]: main, [`${name}-wal`]: log, [`${name}-shm`]: index });
  });

  test("a second one at the same time does not overwrite the first", () => {
    const home = temporaryHome();
    for (const text of ["first rubbish", "second rubbish"]) {
      writeFileSync(join(home, "gopi.db"), text);
      openTestStore({ home, now }).close();
    }
    const aside = readdirSync(home)
      .filter((name) => name.includes("corrupt"))
      .sort();
    expect(aside.map((name) => readFileSync(join(home, name), "utf8"))).toEqual(["first rubbish", "second rubbish"]);
  });

  test("a damaged page in the middle of the file is detected by quickCheck", () => {
    const home = temporaryHome();
    const { store, sessionId } = storeWithSession({ home });
    store.events.commit({
      sessionId,
      rows: Array.from({ length: 300 }, (_, index) => messageRow(index + 1, "y".repeat(900))),
    });
    store.close();
    const bytes = readFileSync(join(home, "gopi.db"));
    bytes.fill(0xee, bytes.length - 40_960, bytes.length - 4_096);
    writeFileSync(join(home, "gopi.db"), bytes);
    const damaged = openTestStore({ home });
    expect(damaged.quickCheck()).toMatchObject({ ok: false, error: { code: "store_corrupt" } });
  });
});

describe("a newer database", () => {
  const raise = (path: string) => {
    const database = new Database(path);
    database.pragma(`user_version = ${currentVersion + 1}`);
    return database;
  };
  const newer = {
    ok: false,
    error: { code: "store_newer", facts: { version: currentVersion + 1, known: currentVersion } },
  };

  test("is refused without modifying the home", () => {
    const home = usedHome();
    raise(join(home, "gopi.db")).close();
    const before = contents(home);
    expect(openStore({ home, now })).toMatchObject(newer);
    expect(contents(home)).toEqual(before);
  });

  test("is detected even if its version is only in the log", () => {
    const from = usedHome();
    const database = raise(join(from, "gopi.db"));
    const home = temporaryHome();
    for (const name of ["gopi.db", "gopi.db-wal"]) copyFileSync(join(from, name), join(home, name));
    database.close();
    const before = contents(home);
    expect(openStore({ home, now })).toMatchObject(newer);
    const after = contents(home);
    expect([after["gopi.db"], after["gopi.db-wal"]]).toEqual([before["gopi.db"], before["gopi.db-wal"]]);
  });
});

describe("migration", () => {
  const more = {
    "0900_more.sql": "CREATE TABLE `more` (`id` text);--> statement-breakpoint\nINSERT INTO `more` VALUES ('x');",
  };
  const backups = (home: string) =>
    readdirSync(home)
      .filter((name) => name.includes("backup"))
      .sort();

  test("keeps the data and writes a private backup", () => {
    const home = usedHome();
    const store = openTestStore({ home, migrations: migrationsWith(more) });
    expect(store.sessions.list({ limit: 9 }).rows).toMatchObject([{ id: "s1", lastSeq: 3 }]);
    expect(backups(home)).toEqual([`gopi.db.backup-v${currentVersion}`]);
    const backup = join(home, `gopi.db.backup-v${currentVersion}`);
    expect(rights(backup)).toBe("600");
    const copy = new Database(backup, { readonly: true });
    expect(copy.pragma("user_version", { simple: true })).toBe(currentVersion);
    expect(copy.prepare("SELECT count(*) FROM events").pluck().get()).toBe(3);
    expect(copy.pragma("integrity_check", { simple: true })).toBe("ok");
    copy.close();
  });

  test("writes no backup of a new database or without pending migrations", () => {
    const home = usedHome();
    openTestStore({ home });
    expect(backups(home)).toEqual([]);
  });

  test("keeps the three newest backups by number and deletes temporary files of a killed one", () => {
    const home = usedHome();
    writeFileSync(join(home, "gopi.db.backup-v1.0123456789abcdef.tmp"), "half");
    const steps = Array.from({ length: 12 }, (_, index) => `09${String(index).padStart(2, "0")}_step.sql`);
    for (let count = 1; count <= steps.length; count += 1) {
      const files = Object.fromEntries(
        steps.slice(0, count).map((name, index) => [name, `CREATE TABLE t${index} (id text);`]),
      );
      openTestStore({ home, migrations: migrationsWith(files) }).close();
    }
    const newest = currentVersion + steps.length - 1;
    expect(backups(home)).toEqual(
      [newest - 2, newest - 1, newest].map((version) => `gopi.db.backup-v${version}`).sort(),
    );
  });

  test.each([
    ["a statement that fails", "CREATE TABLE t (id text);--> statement-breakpoint\nINSERT INTO nowhere VALUES (1);"],
    ["broken references", "DELETE FROM sessions;"],
  ])("%s rolls everything back", (_, sql) => {
    const home = usedHome();
    const migrations = migrationsWith({ ...more, "0901_bad.sql": sql });
    expect(openStore({ home, now, migrations })).toMatchObject({ ok: false, error: { code: "store_failed" } });
    const store = openTestStore({ home });
    expect(store.sessions.list({ limit: 9 }).rows).toMatchObject([{ lastSeq: 3 }]);
    store.close();
    const database = new Database(join(home, "gopi.db"), { readonly: true });
    expect(database.prepare("SELECT name FROM sqlite_schema WHERE name IN ('more', 't')").all()).toEqual([]);
    database.close();
  });
});

describe("a home that cannot be written", () => {
  test.skipIf(process.getuid?.() !== 0)("a home of another user gives store_readonly", async () => {
    const folder = temporaryHome();
    chmodSync(folder, 0o755);
    const child = startChild("unprivileged", join(folder, "home"));
    expect(await child.next()).toBe("store_readonly");
    expect(await child.next()).toBeUndefined();
  });

  test.skipIf(process.getuid?.() !== 0)(
    "a read-only database file gives store_readonly and is not modified",
    async () => {
      const home = usedHome();
      execFileSync("chown", ["-R", "65534:65534", home]);
      execFileSync("chown", ["root:root", join(home, "gopi.db")]);
      chmodSync(join(home, "gopi.db"), 0o644);
      const before = contents(home);
      expect(await startChild("unprivileged", home).next()).toBe("store_readonly");
      expect(contents(home)).toEqual(before);
    },
  );

  test("a home that is a file fails with the path of the database", () => {
    const home = join(temporaryHome(), "file");
    writeFileSync(home, "");
    expect(openStore({ home, now })).toMatchObject({ ok: false, error: { facts: { path: join(home, "gopi.db") } } });
    expect(readFileSync(home, "utf8")).toBe("");
  });

  test("a folder at the path of the database fails and is not modified", () => {
    const home = temporaryHome();
    mkdirSync(join(home, "gopi.db"));
    expect(openStore({ home, now }).ok).toBe(false);
    expect(statSync(join(home, "gopi.db")).isDirectory()).toBe(true);
  });

  const smallDisk = (): string | undefined => {
    const home = temporaryHome();
    try {
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", home], { stdio: "ignore" });
    } catch {
      return undefined;
    }
    onTestFinished(() => void execFileSync("umount", ["-l", home]));
    return home;
  };

  test("a full disk loses nothing acknowledged, and commits work again once there is space", ({ skip }) => {
    const home = smallDisk();
    if (home === undefined) return skip("mounting a tmpfs is not permitted");
    const { store, sessionId } = storeWithSession({ home });
    writeFileSync(join(home, "ballast"), Buffer.alloc(1_000_000));
    let written = 0;
    const fill = () => {
      for (;;) {
        store.events.commit({ sessionId, rows: [messageRow(written + 1, "x".repeat(20_000))] });
        written += 1;
      }
    };
    expect(fill).toThrow(expect.objectContaining({ code: "disk_full" }));
    expect(store.events.read(sessionId)).toHaveLength(written);
    expect(() => store.blobs.put(new Uint8Array(2_000_000))).toThrow(expect.objectContaining({ code: "disk_full" }));
    execFileSync("rm", [join(home, "ballast")]);
    store.events.commit({ sessionId, rows: [messageRow(written + 1)] });
    store.close();
    const again = openTestStore({ home });
    expect(again.events.read(sessionId)).toHaveLength(written + 1);
    expect(again.quickCheck().ok).toBe(true);
    again.close();
    expect(existsSync(join(home, "gopi.db-wal"))).toBe(false);
  });
});
