import Database from "better-sqlite3";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryHome } from "../__fixtures__/home";
import { takeHomeLock } from "./home-lock";

/** Locks of a file system that refuses them, as SQLite reports them. */
const refuse =
  (code: string) =>
  (path: string): Database.Database => {
    throw new Database.SqliteError(`refused: ${path}`, code);
  };

test.each(["SQLITE_BUSY", "SQLITE_IOERR_LOCK", "SQLITE_IOERR_RDLOCK"])(
  "a file system that answers every lock with %s has no locks, and nothing is left there",
  (code) => {
    const home = join(temporaryHome(), "home");
    mkdirSync(home);
    expect(takeHomeLock(home, refuse(code))).toMatchObject({ ok: false, error: { code: "store_no_locks" } });
    expect(readdirSync(home)).toEqual([]);
  },
);

test("a home that another connection holds is locked; a folder that cannot be written is read-only", () => {
  const home = temporaryHome();
  const held = takeHomeLock(home);
  expect(takeHomeLock(home)).toMatchObject({ ok: false, error: { code: "store_locked" } });
  if (held.ok) held.value.release();
  expect(takeHomeLock(home, refuse("SQLITE_READONLY"))).toMatchObject({ ok: false, error: { code: "store_readonly" } });
});
