/**
 * Builds a home as the first version of the program left it, with the rows of a current one: the input of a migration.
 */
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import * as z from "zod/mini";
import { productProgram } from "../fixtures/server";

const migrationsFolder = join(dirname(productProgram), "../dist/server/migrations");
const listMigrations = (): readonly string[] =>
  readdirSync(migrationsFolder)
    .filter((name) => name.endsWith(".sql"))
    .sort();
/** Schema versions a database may have: before and after. */
const oldVersion = 1;
const newVersion = (): number => listMigrations().length;

const tables = ["projects", "sessions", "events", "receipts", "checkpoints", "blobs"] as const;
const namesSchema = z.array(z.object({ name: z.string() }));

/** Writes `home`/gopi.db from the database of `from`, whose server must have ended. */
export function makeOldHome(from: string, home: string): void {
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const database = new Database(join(home, "gopi.db"));
  try {
    database.pragma("journal_mode = WAL");
    database.exec(readFileSync(join(migrationsFolder, listMigrations()[0] ?? ""), "utf8"));
    database.prepare("ATTACH ? AS today").run(join(from, "gopi.db"));
    for (const table of tables) {
      const columns = namesSchema.parse(database.pragma(`table_info(${table})`)).map(({ name }) => `"${name}"`);
      database.exec(`INSERT INTO ${table} (${columns.join()}) SELECT ${columns.join()} FROM today.${table}`);
    }
    database.exec("DETACH today");
    database.pragma(`user_version = ${oldVersion}`);
    database.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    database.close();
  }
}

/** Replaces the database of a home by an old one. */
export function replaceHome(old: string, home: string): void {
  for (const name of existsSync(home) ? readdirSync(home) : [])
    if (name.startsWith("gopi.db")) rmSync(join(home, name), { force: true });
  mkdirSync(home, { recursive: true, mode: 0o700 });
  cpSync(join(old, "gopi.db"), join(home, "gopi.db"));
}

/**
 * Returns the problems of a database in which a migration was killed: it must be in the old or the new version, never
 * between.
 */
export function migrationProblems(home: string): readonly string[] {
  const database = new Database(join(home, "gopi.db"));
  try {
    const version: unknown = database.pragma("user_version", { simple: true });
    const check: unknown = database.pragma("quick_check", { simple: true });
    const hasNew =
      database.prepare("SELECT count(*) FROM sqlite_schema WHERE name = 'connections'").pluck().get() === 1;
    return [
      ...(check === "ok" ? [] : [`quick_check: ${String(check)}`]),
      ...(version === oldVersion || version === newVersion()
        ? []
        : [`version ${String(version)} is between the old and the new one`]),
      ...(hasNew === (version === newVersion()) ? [] : [`version ${String(version)} with half its tables`]),
    ];
  } finally {
    database.close();
  }
}

/**
 * Returns a digest of the log of a home: the first events of each session, without those a start appends to close
 * interrupted runs.
 */
export function digestLog(home: string, upTo: ReadonlyMap<string, number>): string {
  const database = new Database(join(home, "gopi.db"), { readonly: true });
  try {
    const read = database
      .prepare<[string, number]>("SELECT seq, at, body FROM events WHERE session_id = ? AND seq <= ? ORDER BY seq")
      .raw();
    const hash = createHash("sha256");
    for (const [id, seq] of upTo) hash.update(JSON.stringify(read.all(id, seq)));
    return hash.digest("hex");
  } finally {
    database.close();
  }
}

/** Returns the length of each log by session. */
export function readLogLengths(home: string): ReadonlyMap<string, number> {
  const database = new Database(join(home, "gopi.db"), { readonly: true });
  try {
    const rows = z
      .array(z.object({ id: z.string(), length: z.number() }))
      .parse(database.prepare("SELECT session_id AS id, max(seq) AS length FROM events GROUP BY 1 ORDER BY 1").all());
    return new Map(rows.map(({ id, length }) => [id, length]));
  } finally {
    database.close();
  }
}
