/**
 * A private JSON file of the home with what its owner decided. Only a missing file is empty: one that cannot be read
 * whole is reported, read again at the next call, and never overwritten.
 */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Json } from "@/lib/events/content";
import { type AgentError, fail, makeError, ok, type Result, thrownText } from "@/lib/events/error";
import { parseJson } from "@/server/base/parse-json";
import { errnoName, writeErrorCodes } from "@/server/base/system-errors";
import { writePrivateFile } from "./private-file";

interface OwnerFile<T> {
  /** Reads the file until that succeeds once. Fails with unreadable_file. */
  read(): Result<T>;
  /** Writes what `edit` makes of the content. Fails with unreadable_file, no_permission and disk_full. */
  change(edit: (before: T) => T): Result<void>;
}

interface OwnerFileFormat<T> {
  /** Content of a file that is missing. */
  readonly missing: T;
  /** Returns null if the file is not of this form as a whole. */
  parse(value: Json): T | null;
  print(content: T): Json;
}

/** The failure of a file whose owner's decisions cannot be read; `detail` = why, in the words of the system. */
const unreadableFile = (path: string, detail: string) => fail("unreadable_file", detail, { path });

function toReadFailure(error: unknown, path: string): Result<null> {
  if (errnoName(error) === "ENOENT") return ok(null);
  return unreadableFile(path, thrownText(error));
}

function readTextNow(path: string): Result<string | null> {
  try {
    return ok(readFileSync(path, "utf8"));
  } catch (error) {
    return toReadFailure(error, path);
  }
}

/** Text of a file of the home; null = it does not exist. Fails with unreadable_file. */
export async function readOwnerText(path: string): Promise<Result<string | null>> {
  try {
    return ok(await readFile(path, "utf8"));
  } catch (error) {
    return toReadFailure(error, path);
  }
}

/** Parses what `readOwnerText` gave. Fails with unreadable_file for a text of another form. */
export function parseOwnerText<T>(
  path: string,
  text: string | null,
  { missing, parse }: Pick<OwnerFileFormat<T>, "missing" | "parse">,
): Result<T> {
  if (text === null) return ok(missing);
  const value = parseJson(text);
  if (value === undefined) return unreadableFile(path, "not JSON");
  const content = parse(value);
  return content === null ? unreadableFile(path, "not of the expected form") : ok(content);
}

/** The error of a write as the user sees it. */
function toWriteError(error: unknown, path: string): AgentError {
  const code = errnoName(error);
  return makeError(writeErrorCodes[code] ?? "internal", { detail: code, facts: { path } });
}

export function makeOwnerFile<T>(path: string, format: OwnerFileFormat<T>): OwnerFile<T> {
  let content: { readonly value: T } | null = null;
  const read = (): Result<T> => {
    if (content !== null) return ok(content.value);
    const text = readTextNow(path);
    const parsed = text.ok ? parseOwnerText(path, text.value, format) : text;
    if (parsed.ok) content = { value: parsed.value };
    return parsed;
  };
  return {
    read,
    change(edit) {
      const before = read();
      if (!before.ok) return before;
      const value = edit(before.value);
      try {
        writePrivateFile(path, `${JSON.stringify(format.print(value), null, 2)}\n`);
      } catch (error) {
        return { ok: false, error: toWriteError(error, path) };
      }
      content = { value };
      return ok(undefined);
    },
  };
}
