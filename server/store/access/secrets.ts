/**
 * home/keys.json, mode 0600: secrets by scope and name. The only place where secrets are stored: they must not appear
 * in the database, events, logs, errors, pushes or command results.
 */
import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { removeOthersPermissions, writePrivateFile } from "../core/private-file";
import { toStoreError } from "../core/store-error";
import { parseJson } from "@/server/base/parse-json";

/** Scopes, and what precedes their names in the file. A name has no slash; that of a connection's key is its id. */
const secretScopes = {
  connections: "",
  mcp: "mcp:",
  openapi: "openapi:",
  push: "push:",
  signIns: "sign-in:",
  web: "web:",
  channels: "channel:",
} as const;
type SecretScope = keyof typeof secretScopes;

/** The secrets of one scope, by name. Throws StoreError, whose message never contains a secret. */
interface ScopedSecrets {
  /** null = none stored. */
  get(name: string): string | null;
  /** Stores a secret; null deletes it. Writes only if the value changes. */
  set(name: string, secret: string | null): void;
  /** Names of those that are stored. */
  names(): readonly string[];
  /** Deletes the secrets whose names start with a text. */
  clear(start: string): void;
}

export interface SecretStore {
  in(scope: SecretScope): ScopedSecrets;
  /** All secrets, for redaction. Throws StoreError. */
  all(): readonly string[];
}

const secretsSchema = z.record(z.string(), z.string().check(z.minLength(1)));
type Secrets = ReadonlyMap<string, string>;

/** The start of an entry, which is that of its scope, and the name. */
function splitEntry(entry: string): readonly [string, string] {
  const start = Object.values(secretScopes).find((one) => one !== "" && entry.startsWith(one)) ?? "";
  return [start, entry.slice(start.length)];
}

/** Reads the file on first use. An invalid file is renamed to keys.json.damaged. */
export function createSecrets(home: string): SecretStore {
  const path = join(home, "keys.json");
  let secrets: Secrets | undefined;
  const all = (): Secrets => (secrets ??= readSecrets(path));
  const write = (entry: string, secret: string | null): void => {
    if (secret === (all().get(entry) ?? null)) return;
    const next = new Map(all());
    if (secret === null) next.delete(entry);
    else next.set(entry, secret);
    writeAll(next);
  };
  const writeAll = (next: Secrets): void => {
    try {
      writePrivateFile(path, `${JSON.stringify(Object.fromEntries(next), null, 2)}\n`);
    } catch (error) {
      throw toStoreError(error, path);
    }
    secrets = next;
  };
  return {
    in: (scope) => ({
      get: (name) => all().get(secretScopes[scope] + name) ?? null,
      set: (name, secret) => write(secretScopes[scope] + name, secret),
      names: () =>
        [...all().keys()].flatMap((entry) => {
          const [start, name] = splitEntry(entry);
          return start === secretScopes[scope] ? [name] : [];
        }),
      clear(start) {
        const left = [...all()].filter(([entry]) => !entry.startsWith(secretScopes[scope] + start));
        if (left.length < all().size) writeAll(new Map(left));
      },
    }),
    all: () => [...all().values()],
  };
}

function readSecrets(path: string): Secrets {
  const text = readSecretsText(path);
  if (text === null) return new Map();
  const read = parseSecrets(text);
  if (read !== null) return read;
  try {
    renameSync(path, `${path}.damaged`);
  } catch (error) {
    throw toStoreError(error, path);
  }
  return new Map();
}

/** null = the file does not exist. */
function readSecretsText(path: string): string | null {
  try {
    removeOthersPermissions(path);
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw toStoreError(error, path);
  }
}

/** null = invalid. The parser's error is discarded because its message would quote the file. */
function parseSecrets(text: string): Secrets | null {
  const read = secretsSchema.safeParse(parseJson(text));
  return read.success ? new Map(Object.entries(read.data)) : null;
}
