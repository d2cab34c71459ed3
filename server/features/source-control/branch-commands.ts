/** Commands for branches, stashes and unfinished work. Those that change files are refused while a session of the project runs. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { ProjectId, SessionId } from "@/lib/events/id";
import type { HandlerTable } from "@/server/handlers/handlers";
import {
  createBranch,
  deleteBranch,
  listBranches,
  mergeBranch,
  renameBranch,
  switchBranch,
} from "@/server/workspace/git/branches/branches";
import { type DiscardPlace, takeConflictSide } from "@/server/workspace/git/discard";
import type { Git } from "@/server/workspace/git/git";
import { stepOperation } from "@/server/workspace/git/operations/operations";
import {
  applyStash,
  dropStash,
  listStashes,
  popStash,
  pushStash,
  storeStash,
} from "@/server/workspace/git/stash/stash";

/** Means of the feature for one project. */
export interface BranchContext {
  /** Returns a session of the project that runs. */
  findRun(projectId: ProjectId): SessionId | undefined;
  /** Opens git for reading. */
  read<T>(projectId: ProjectId, work: (git: Git) => Promise<Result<T>>): Promise<Result<T>>;
  readonly write: FileWriter;
}

/** Opens git for a change, and checks the paths. */
export type FileWriter = <T>(
  projectId: ProjectId,
  paths: readonly string[],
  work: (place: DiscardPlace) => Promise<Result<T>>,
) => Promise<Result<T>>;

export function branchCommands({ findRun, read, write }: BranchContext) {
  /** For changes of files under a session that reads and writes them. */
  const change = async <T>(
    projectId: ProjectId,
    work: (place: DiscardPlace) => Promise<Result<T>>,
  ): Promise<Result<T>> => {
    const run = findRun(projectId);
    return run === undefined ? write(projectId, [], work) : fail("busy", undefined, { sessionId: run });
  };
  return {
    "source.branches": ({ projectId }) => read(projectId, (git) => listBranches(git.whole)),
    "source.switch": ({ projectId, ...order }) =>
      change(projectId, ({ git: { whole } }) => switchBranch(whole, whole.top, order)),
    "source.create_branch": ({ projectId, branch, from }) =>
      write(projectId, [], ({ git }) => createBranch(git, branch, from)),
    "source.rename_branch": ({ projectId, branch, to }) =>
      write(projectId, [], ({ git }) => renameBranch(git, branch, to)),
    "source.delete_branch": ({ projectId, branch, force }) =>
      write(projectId, [], ({ git }) => deleteBranch(git, branch, force)),
    "source.merge": ({ projectId, branch }) =>
      change(projectId, ({ git: { whole } }) => mergeBranch(whole, whole.top, branch)),
    "source.stashes": ({ projectId }) =>
      read(projectId, async (git) => {
        const stashes = await listStashes(git);
        return stashes.ok ? ok({ stashes: stashes.value }) : stashes;
      }),
    "source.stash": ({ projectId, ...order }) => change(projectId, ({ git }) => pushStash(git.whole, order)),
    "source.stash_apply": ({ projectId, id }) =>
      change(projectId, ({ git: { whole } }) => applyStash(whole, whole.top, id)),
    "source.stash_pop": ({ projectId, id }) =>
      change(projectId, ({ git: { whole } }) => popStash(whole, whole.top, id)),
    "source.stash_drop": ({ projectId, id }) => write(projectId, [], ({ git }) => dropStash(git, id)),
    "source.stash_store": ({ projectId, id, message }) =>
      write(projectId, [], ({ git }) => storeStash(git, id, message)),
    "source.step": ({ projectId, step }) => change(projectId, (place) => stepOperation(place, step)),
    "source.take_side": ({ projectId, path, side }) =>
      write(projectId, [path], async (place) => {
        const saved = await takeConflictSide(place, path, side);
        return saved.ok ? ok({ saved: saved.value, failed: [] }) : saved;
      }),
  } satisfies Partial<HandlerTable>;
}
