/** The key in a file, as container platforms mount secrets. It is read again when the file has changed. */
import { closeSync, fstatSync, openSync, readSync, statSync, type Stats } from "node:fs";
import type { AgentError } from "@/lib/events/error";
import { errnoName } from "@/server/base/system-errors";

/** A key, or why the file has none; both null = the file is empty. */
export interface KeyFileContent {
  readonly key: string | null;
  readonly problem: AgentError | null;
}

/** Far longer than any key. */
const maxBytes = 8_192;

type Reason = "unreadable" | "too_large";

const withProblem = (path: string, keyFile: Reason, detail?: string): KeyFileContent => ({
  key: null,
  problem: { code: "key_refused", facts: { keyFile, path }, ...(detail === undefined ? {} : { detail }) },
});

function readKey(path: string): KeyFileContent {
  const file = openSync(path, "r");
  try {
    if (fstatSync(file).size > maxBytes) return withProblem(path, "too_large");
    const bytes = Buffer.alloc(maxBytes);
    const key = bytes.toString("utf8", 0, readSync(file, bytes)).trim();
    return { key: key === "" ? null : key, problem: null };
  } finally {
    closeSync(file);
  }
}

/** Same content, as far as the file system tells: a mounted secret is replaced by another file. */
const isSameFile = (one: Stats, two: Stats): boolean =>
  one.ino === two.ino && one.dev === two.dev && one.size === two.size && one.mtimeMs === two.mtimeMs;

/** Returns a reader with one file in its memory. `onRead` is called whenever a file was read. It never throws. */
export function makeKeyFileReader(onRead: () => void): (path: string) => KeyFileContent {
  let last: { readonly path: string; readonly stats: Stats; readonly content: KeyFileContent } | undefined;
  return (path) => {
    try {
      const stats = statSync(path);
      if (!stats.isFile()) return withProblem(path, "unreadable", "not a file");
      if (last?.path === path && isSameFile(last.stats, stats)) return last.content;
      last = { path, stats, content: readKey(path) };
      onRead();
      return last.content;
    } catch (error) {
      return withProblem(path, "unreadable", errnoName(error));
    }
  };
}
