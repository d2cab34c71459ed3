/**
 * The files of an extension, with the hash by which it is enabled. What a link inside leads to counts as its content;
 * a link out of the folder makes the extension unusable.
 */
import type { BigIntStats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Hash } from "@/lib/events/id";
import type { ExtensionProblem } from "@/lib/tools/extensions";
import { computeBlobIdSteps, computeHash } from "@/server/base/id";
import { isInFolder } from "@/server/base/is-in-folder";
import { runStepsInSlices } from "@/server/base/steps";
import { readFileStart } from "@/server/workspace/files/read-file-start";

export const extensionLimits = {
  extensions: 50,
  files: 100,
  bytes: 5_000_000,
  depth: 4,
  definitionBytes: 65_536,
  /** Part of a file that the page shows, and that is stored to show a change. */
  shownFileBytes: 65_536,
} as const;

export interface ExtensionFile {
  /** Relative to the folder. */
  readonly path: string;
  readonly bytes: number;
  readonly isExecutable: boolean;
  /** Hash of its content. */
  readonly hash: string;
}

export interface ExtensionContent {
  readonly hash: Hash;
  readonly files: readonly (ExtensionFile & { readonly content: Uint8Array })[];
}

type HashedFiles =
  | { readonly ok: true; readonly files: readonly ExtensionFile[]; readonly hash: Hash }
  | { readonly ok: false; readonly problem: ExtensionProblem };

/** Hashes of files by their versions: unchanged files are not read again. */
export type FileHashes = Map<string, { readonly version: string; readonly hash: string }>;

/**
 * Hashes all files of an extension. `folder` = its real path; `only` = the one file of an extension that is a file.
 * Rejects when the signal fires.
 */
export async function hashFiles(
  folder: string,
  only: string | null,
  hashes: FileHashes,
  signal: AbortSignal,
): Promise<HashedFiles> {
  return takeFiles(
    folder,
    only,
    async (file, { ino, size, mtimeNs, ctimeNs }) => {
      const version = `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
      const before = hashes.get(file);
      if (before?.version === version) return { hash: before.hash };
      const hash = (await readWhole(file, Number(size), signal))?.hash;
      if (hash === undefined) return null;
      hashes.set(file, { version, hash });
      return { hash };
    },
    signal,
  );
}

/**
 * Reads all files of an extension, and computes the hash of exactly what was read; null = it cannot be used as it is.
 * Rejects when the signal fires.
 */
export async function readFiles(
  folder: string,
  only: string | null,
  signal: AbortSignal,
): Promise<ExtensionContent | null> {
  const taken = await takeFiles(folder, only, (file, { size }) => readWhole(file, Number(size), signal), signal);
  return taken.ok ? taken : null;
}

/** `take` returns null for a file that cannot be read. */
async function takeFiles<T extends { readonly hash: string }>(
  folder: string,
  only: string | null,
  take: (file: string, stats: BigIntStats) => Promise<T | null>,
  signal: AbortSignal,
) {
  const listed = only === null ? await listFiles(folder, signal) : { ok: true as const, paths: [only] };
  if (!listed.ok) return listed;
  const files: (ExtensionFile & T)[] = [];
  let bytes = 0;
  for (const path of listed.paths) {
    signal.throwIfAborted();
    const file = join(folder, path);
    const stats = await stat(file, { bigint: true }).catch(() => null);
    if (stats === null || !stats.isFile()) return failed("unreadable", file);
    bytes += Number(stats.size);
    if (bytes > extensionLimits.bytes) return failed("files_large", folder, extensionLimits.bytes);
    const taken = await take(file, stats);
    if (taken === null) return failed("unreadable", file);
    files.push({ ...taken, path, bytes: Number(stats.size), isExecutable: (stats.mode & 0o111n) !== 0n });
  }
  const lines = files.map(({ path, hash }) => JSON.stringify([path, hash]));
  return { ok: true as const, files, hash: computeHash(lines.join("\n")) };
}

const failed = (
  kind: ExtensionProblem["kind"],
  file: string,
  limit?: number,
): HashedFiles & { readonly ok: false } => ({
  ok: false,
  problem: { kind, file, ...(limit === undefined ? {} : { limit }) },
});

/** Lists the files below a folder, in the order of their paths. */
async function listFiles(
  folder: string,
  signal: AbortSignal,
): Promise<{ readonly ok: true; readonly paths: readonly string[] } | (HashedFiles & { readonly ok: false })> {
  const paths: string[] = [];
  const walk = async (inner: string, depth: number): Promise<(HashedFiles & { readonly ok: false }) | null> => {
    signal.throwIfAborted();
    if (depth > extensionLimits.depth) return failed("too_deep", inner, extensionLimits.depth);
    const entries = await readdir(inner, { withFileTypes: true }).catch(() => null);
    if (entries === null) return failed("unreadable", inner);
    for (const entry of entries) {
      const path = join(inner, entry.name);
      if (entry.name === ".DS_Store") continue;
      const kind = entry.isSymbolicLink() ? await readLink(path, folder) : entry.isDirectory() ? "folder" : "file";
      if (kind === "outside" || (kind === "folder" && entry.isSymbolicLink())) return failed("link", path);
      const inside = kind === "folder" ? await walk(path, depth + 1) : null;
      if (inside !== null) return inside;
      if (kind === "file") paths.push(relative(folder, path));
      if (paths.length > extensionLimits.files) return failed("too_many_files", folder, extensionLimits.files);
    }
    return null;
  };
  const problem = await walk(folder, 1);
  return problem ?? { ok: true, paths: paths.toSorted() };
}

async function readLink(path: string, folder: string): Promise<"file" | "folder" | "outside"> {
  const target = await realpath(path).catch(() => null);
  if (target === null || !isInFolder(target, folder)) return "outside";
  const stats = await stat(target).catch(() => null);
  return stats?.isDirectory() === true ? "folder" : "file";
}

/** null = it cannot be read, or has another size by now. */
async function readWhole(
  path: string,
  bytes: number,
  signal: AbortSignal,
): Promise<{ readonly content: Uint8Array; readonly hash: string } | null> {
  const content = await readFileStart(path, bytes + 1);
  if (content === null || content.length !== bytes) return null;
  return { content, hash: await runStepsInSlices(computeBlobIdSteps(content), signal) };
}
