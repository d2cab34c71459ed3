/** Files whose names are not UTF-8: no snapshot is kept of them, but their changes are counted. */
import { isUtf8 } from "node:buffer";
import { lstatSync, readdirSync } from "node:fs";

const separator = Buffer.from("/");

/** Change times by path, ms epoch; the path as bytes in latin1. 0 = there is no file. */
export type UnreadableFiles = ReadonlyMap<string, number>;

/** Returns how many files changed, appeared or vanished. */
export const countUnreadableChanges = (before: UnreadableFiles, after: UnreadableFiles): number =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path)).length;

/** Yields the files with unreadable names in a folder, and all files in such folders. */
export function* findUnreadableFiles(
  folder: Buffer,
  isWanted: (name: string) => boolean = () => true,
): Generator<readonly [path: string, changedMs: number]> {
  for (const name of readNames(folder)) {
    const isReadable = isUtf8(name);
    if (isReadable ? isUtf8(folder) : !isWanted(name.toString())) continue;
    const path = Buffer.concat([folder, separator, name]);
    const stats = statOrNull(path);
    if (stats?.isDirectory() === true) yield* findUnreadableFiles(path);
    else if (stats?.isFile() === true) yield [path.toString("latin1"), stats.ctimeMs];
  }
}

/** Returns the unreadable files in the output of git's status. */
export function unreadableGitPaths(listed: Buffer, root: string): UnreadableFiles {
  const found = new Map<string, number>();
  if (isUtf8(listed)) return found;
  for (const line of listed.toString("latin1").split("\0")) {
    if (isUtf8(Buffer.from(line, "latin1"))) continue;
    const path = /^(?:1 (?:\S+ ){7}|u (?:\S+ ){9}|\? )(.+)$/s.exec(line)?.[1];
    if (path === undefined) continue;
    const absolute = Buffer.concat([Buffer.from(root), separator, Buffer.from(path, "latin1")]);
    found.set(path, statOrNull(absolute)?.ctimeMs ?? 0);
  }
  return found;
}

function readNames(folder: Buffer): readonly Buffer[] {
  try {
    return readdirSync(folder, { encoding: "buffer" });
  } catch {
    return [];
  }
}

function statOrNull(path: Buffer) {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}
