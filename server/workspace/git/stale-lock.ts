/** Removes the locks that git left behind when it was killed. */
import { lstat, readdir, readlink, rm, stat } from "node:fs/promises";
import { posix } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { runProcess } from "@/server/base/run-process";
import { findGitFolders, type GitFolders } from "./git-folders";

/** A younger lock may be in use. */
const minAgeMs = 60_000;
const listTimeoutMs = 5_000;

/**
 * Removes the locks of the work tree and of the repository's branches and settings. Fails with not_found without a lock, and with
 * git_locked if one is younger than a minute, a process has it open, or that cannot be found out; then none is removed.
 */
export async function removeStaleLocks(root: string, nowMs: number, signal: AbortSignal): Promise<Result<null>> {
  const locks = await findLocks(await findGitFolders(root));
  if (locks.length === 0) return fail("not_found");
  for (const path of locks) {
    const stats = await stat(path).catch(() => null);
    const ageMs = stats === null ? minAgeMs : nowMs - stats.mtimeMs;
    if (ageMs < minAgeMs || (await isOpen(path, signal)))
      return fail("git_locked", undefined, { path, seconds: Math.max(0, Math.round(ageMs / 1_000)) });
  }
  for (const path of locks) await rm(path, { force: true });
  return ok(null);
}

/** A lock has the name of the file that is written, with `.lock` at its end. */
const ownFiles = ["index", "HEAD", "ORIG_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "config.worktree"];
const commonFiles = ["config", "packed-refs", "shallow"];

/** Lists the locks, also those of branches, each once. Neither a loose object nor a pack has one. */
async function findLocks({ own, common }: GitFolders): Promise<readonly string[]> {
  const refs = posix.join(common, "refs");
  const names = await readdir(refs, { recursive: true }).catch(() => []);
  const paths = [
    ...ownFiles.map((name) => posix.join(own, `${name}.lock`)),
    ...commonFiles.map((name) => posix.join(common, `${name}.lock`)),
    ...names.filter((name) => name.endsWith(".lock")).map((name) => posix.join(refs, name)),
  ];
  const found = await Promise.all(paths.map((path) => lstat(path).catch(() => null)));
  return paths.filter((_, index) => found[index]?.isFile() === true);
}

/** Returns whether a process has the file open; true also where that cannot be found out. */
async function isOpen(path: string, signal: AbortSignal): Promise<boolean> {
  if (process.platform === "linux") return isOpenByProc(path);
  const { PATH } = process.env;
  const listed = await runProcess(
    {
      program: "lsof",
      arguments: ["-t", "--", path],
      environment: { PATH },
      timeoutMs: listTimeoutMs,
      maxBytes: 10_000,
    },
    signal,
  );
  // It exits with 1 where no process has it open.
  return !listed.ok || listed.value.ended !== null || listed.value.exit !== 1;
}

/** Processes of other users cannot be read: git of another user does not write to this repository by this user's right. */
async function isOpenByProc(path: string): Promise<boolean> {
  const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  for (const id of processes) {
    const folder = `/proc/${id}/fd`;
    for (const descriptor of await readdir(folder).catch(() => []))
      if ((await readlink(`${folder}/${descriptor}`).catch(() => "")) === path) return true;
  }
  return false;
}
