/** Removes a lock that git left behind when it was killed. */
import { readdir, readlink, rm, stat } from "node:fs/promises";
import { posix } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { runProcess } from "@/server/base/run-process";
import { findGitFolders } from "./git-folders";

/** A younger lock may be in use. */
const minAgeMs = 60_000;
const listTimeoutMs = 5_000;

/**
 * Removes the lock of the index. Fails with not_found without a lock, and with git_locked if it is younger than a minute, a process has
 * it open, or that cannot be found out.
 */
export async function removeStaleLock(root: string, nowMs: number, signal: AbortSignal): Promise<Result<null>> {
  const path = posix.join((await findGitFolders(root)).own, "index.lock");
  const stats = await stat(path).catch(() => null);
  if (stats === null) return fail("not_found");
  const ageMs = nowMs - stats.mtimeMs;
  if (ageMs < minAgeMs || (await isOpen(path, signal)))
    return fail("git_locked", undefined, { path, seconds: Math.max(0, Math.round(ageMs / 1_000)) });
  await rm(path, { force: true });
  return ok(null);
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
