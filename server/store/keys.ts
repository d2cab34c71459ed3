/**
 * home/keys.json, 0600: the keys of connections by their id. The only place where they are kept: they stand in no database, event,
 * log, error, push or answer. Called by models/connections through core.
 */
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { tightenFile, writePrivateFile } from "./private-file";
import { toStoreError } from "./store-error";

/** Throws StoreError, whose words never hold a key. */
export interface KeyStore {
  /** null = none is kept. */
  get(id: string): string | null;
  /** What must reach nobody. */
  all(): readonly string[];
  /** null forgets it. Nothing is written when nothing changes. */
  set(id: string, key: string | null): void;
}

const keysSchema = z.record(z.string(), z.string().check(z.minLength(1)));
type Keys = ReadonlyMap<string, string>;

/** The file is read with the first question. One that cannot be understood is kept beside it as keys.json.damaged. */
export function createKeys(home: string): KeyStore {
  const path = join(home, "keys.json");
  let keys: Keys | undefined;
  const all = (): Keys => (keys ??= readKeys(path));
  return {
    get: (id) => all().get(id) ?? null,
    all: () => [...all().values()],
    set(id, key) {
      if (key === (all().get(id) ?? null)) return;
      const next = new Map(all());
      if (key === null) next.delete(id);
      else next.set(id, key);
      try {
        writePrivateFile(path, `${JSON.stringify(Object.fromEntries(next), null, 2)}\n`);
      } catch (error) {
        throw toStoreError(error, path);
      }
      keys = next;
    },
  };
}

function readKeys(path: string): Keys {
  const text = textOf(path);
  if (text === null) return new Map();
  const read = parsed(text);
  if (read !== null) return read;
  try {
    renameSync(path, `${path}.damaged`);
  } catch (error) {
    throw toStoreError(error, path);
  }
  return new Map();
}

/** null = there is no file. */
function textOf(path: string): string | null {
  try {
    tightenFile(path);
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw toStoreError(error, path);
  }
}

/** null = not what we write. The words of a failure to parse would quote the file. */
function parsed(text: string): Keys | null {
  try {
    const read = keysSchema.safeParse(JSON.parse(text));
    return read.success ? new Map(Object.entries(read.data)) : null;
  } catch {
    return null;
  }
}
