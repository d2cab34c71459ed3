/**
 * home/keys.json, mode 0600: API keys by connection id. The only place where keys are stored: they must not appear in
 * the database, events, logs, errors, pushes or command results.
 */
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { removeOthersPermissions, writePrivateFile } from "../core/private-file";
import { toStoreError } from "../core/store-error";

/** Throws StoreError, whose message never contains a key. */
export interface KeyStore {
  /** null = none stored. */
  get(id: string): string | null;
  /** All keys, for redaction. */
  all(): readonly string[];
  /** Stores a key; null deletes it. Writes only if the value changes. */
  set(id: string, key: string | null): void;
}

const keysSchema = z.record(z.string(), z.string().check(z.minLength(1)));
type Keys = ReadonlyMap<string, string>;

/** Reads the file on first use. An invalid file is renamed to keys.json.damaged. */
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
  const text = readKeysText(path);
  if (text === null) return new Map();
  const read = parseKeys(text);
  if (read !== null) return read;
  try {
    renameSync(path, `${path}.damaged`);
  } catch (error) {
    throw toStoreError(error, path);
  }
  return new Map();
}

/** null = the file does not exist. */
function readKeysText(path: string): string | null {
  try {
    removeOthersPermissions(path);
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw toStoreError(error, path);
  }
}

/** null = invalid. The parser's error is discarded because its message would quote the file. */
function parseKeys(text: string): Keys | null {
  try {
    const read = keysSchema.safeParse(JSON.parse(text));
    return read.success ? new Map(Object.entries(read.data)) : null;
  } catch {
    return null;
  }
}
