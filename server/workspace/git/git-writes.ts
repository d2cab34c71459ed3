/** Commands that write to a repository: one at a time for all its work trees, and none beside another program's. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AgentError, fail, type Result } from "@/lib/events/error";
import { makeMutex } from "@/server/base/concurrency";
import type { Git } from "./git";
import { findGitFolders } from "./git-folders";
import { type GitProject, openProjectGit, usedGitTop } from "./project-git";

/** Time in which another program may finish its own change, ms. */
const lockWaitMs = 3_000;
const lockRetryMs = 100;

export interface GitWrites {
  /**
   * Runs `work`, whose first command that writes is repeated while another program holds git's lock, so that it must not have
   * changed anything before. Fails with untrusted, not_found (no repository, or no git), git_locked, and as `work` does.
   */
  run<T>(project: GitProject, work: (git: Git) => Promise<Result<T>>, signal: AbortSignal): Promise<Result<T>>;
}

export function makeGitWrites(environment: NodeJS.Dict<string>, waitMs = lockWaitMs): GitWrites {
  const mutex = makeMutex();
  return {
    async run(project, work, signal) {
      const { common, own } = await findGitFolders(await usedGitTop(project));
      return mutex.hold(
        common,
        async () => {
          const opened = await openProjectGit(project, environment, signal);
          if (!opened.ok) return opened;
          const git = opened.value;
          if (git === "untrusted") return fail("untrusted");
          if (typeof git === "string") return fail("not_found", git);
          return retryWhileLocked(() => work(git), join(own, "index.lock"), waitMs, signal);
        },
        signal,
      );
    },
  };
}

async function retryWhileLocked<T>(
  work: () => Promise<Result<T>>,
  indexLock: string,
  waitMs: number,
  signal: AbortSignal,
): Promise<Result<T>> {
  const until = performance.now() + waitMs;
  for (;;) {
    const answer = await work();
    const lock = answer.ok ? null : await findLock(answer.error, indexLock);
    if (lock === null) return answer;
    if (performance.now() >= until) return fail("git_locked", undefined, { path: lock, seconds: await ageOf(lock) });
    await sleep(lockRetryMs, undefined, { signal });
  }
}

/** Returns the path of the lock because of which git did not start a change. `git stash` reports none for that of the index. */
async function findLock({ code, detail = "" }: AgentError, indexLock: string): Promise<string | null> {
  if (code !== "tool_failed") return null;
  if (detail === "") return (await stat(indexLock).catch(() => null)) === null ? null : indexLock;
  return /Unable to create '(.+\.lock)': File exists/.exec(detail)?.[1] ?? null;
}

/** Returns how long ago a file was changed, whole seconds; 0 = it is gone. */
async function ageOf(path: string): Promise<number> {
  const stats = await stat(path).catch(() => null);
  return stats === null ? 0 : Math.max(0, Math.round((Date.now() - stats.mtimeMs) / 1_000));
}
