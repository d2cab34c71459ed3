/** Inspects a database file without modifying it. */
import Database from "better-sqlite3";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { readSchemaVersion } from "./migrate";
import { toStoreError } from "./store-error";

type DatabaseFileInfo =
  | { readonly kind: "new" }
  | { readonly kind: "corrupt" }
  /** `unclean` = the last process did not close it: its write-ahead log exists. */
  | { readonly kind: "database"; readonly version: number; readonly unclean: boolean };

const headerBytes = 100;
const magic = "SQLite format 3\0";
const userVersionOffset = 60;

const fileSize = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Inspects the file. Throws system errors and SQLite errors (locked, not readable). */
export const inspectDatabaseFile = (path: string): DatabaseFileInfo => {
  const size = fileSize(path);
  const unclean = fileSize(`${path}-wal`) > 0;
  // a WAL without its database belongs to a lost database; SQLite would delete it
  if (size === 0) return { kind: unclean ? "corrupt" : "new" };
  const header = readHeader(path);
  if (header.length < headerBytes || header.toString("latin1", 0, magic.length) !== magic) return { kind: "corrupt" };
  if (!unclean) return { kind: "database", version: header.readInt32BE(userVersionOffset), unclean };
  // the newest header may be in the WAL; a read-only connection never checkpoints it
  return readThroughWal(path);
};

const readHeader = (path: string): Buffer => {
  const descriptor = openSync(path, "r");
  try {
    const header = Buffer.alloc(headerBytes);
    return header.subarray(0, readSync(descriptor, header, 0, headerBytes, 0));
  } finally {
    closeSync(descriptor);
  }
};

const readThroughWal = (path: string): DatabaseFileInfo => {
  try {
    const database = new Database(path, { readonly: true });
    try {
      return { kind: "database", version: readSchemaVersion(database), unclean: true };
    } finally {
      database.close();
    }
  } catch (error) {
    if (toStoreError(error, path).code === "store_corrupt") return { kind: "corrupt" };
    throw error;
  }
};
