/**
 * Commands that change commits, branches, stashes and unfinished work of a repository. All fail with untrusted, not_found (no
 * repository), git_locked, tool_failed (git's own text as detail).
 */
import * as z from "zod/mini";
import type { TrashId } from "../events/id";
import type {
  CommitFacts,
  DiscardReport,
  SourceBranchList,
  SourceOutcome,
  SourceStash,
} from "../workspace/source-control";
import { refNamePattern } from "../workspace/ref-name";
import { limits } from "../settings/settings";
import { defineCommand, hash, modelName, path, projectId } from "./command-input";

const message = z.string().check(z.maxLength(100_000), z.regex(/^[^\0]*$/));

/** Git's rules for names are checked by git; none is taken for an option or an expression. */
export const refName = z.string().check(z.minLength(1), z.maxLength(250), z.regex(refNamePattern));
const commitId = z.string().check(z.regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/));
const stash = z.object({ projectId, id: commitId });

export const sourceChangeCommands = {
  "source.commit_facts": defineCommand<CommitFacts>()(z.object({ projectId })),
  /**
   * Makes a commit of the index. `hooks` = whether the repository's hooks and programs run; `hooksHash` = the hash in the facts
   * that the user has seen, and the output is messages of `source_output`. `model` is named in the message if the setting
   * `source.assisted_by` is on. With `paths` it contains these as they are on the disk, and what is staged of others stays staged;
   * then it also fails with no_changes, filter_off, git_unfinished.
   */
  "source.commit": defineCommand<{ commit: string }>()(
    z.object({
      projectId,
      message: message.check(z.regex(/\S/)),
      amend: z.boolean(),
      signOff: z.boolean(),
      hooks: z.enum(["run", "skip"]),
      hooksHash: z.optional(hash),
      model: z.optional(modelName),
      paths: z.optional(z.array(path).check(z.minLength(1), z.maxLength(limits.folderEntries))),
    }),
  ),
  /** Ends the commit that runs in the project, with its hooks. */
  "source.stop": defineCommand<null>()(z.object({ projectId })),

  // Those that change files fail with busy while a session of the project runs, filter_off, local_changes, git_unfinished.
  /** At most 1,000, the newest first. */
  "source.branches": defineCommand<SourceBranchList>()(z.object({ projectId })),
  /** With `from` (a branch, tag, commit or HEAD) the branch is created first; one of a remote becomes its upstream. */
  "source.switch": defineCommand<{ readonly kept: string | null }>()(
    z.object({ projectId, branch: refName, from: z.optional(refName) }),
  ),
  "source.create_branch": defineCommand<null>()(z.object({ projectId, branch: refName, from: refName })),
  "source.rename_branch": defineCommand<null>()(z.object({ projectId, branch: refName, to: refName })),
  /** Returns the commit of the branch, from which it can be created again. Error: not_merged with `commits`, unless `force`. */
  "source.delete_branch": defineCommand<{ commit: string }>()(
    z.object({ projectId, branch: refName, force: z.boolean() }),
  ),
  /** Merges a branch, tag or commit into the checked-out branch. Conflicts are no failure. */
  "source.merge": defineCommand<SourceOutcome>()(z.object({ projectId, branch: refName })),

  /** At most 200, the newest first. A stash is a commit: `source.compare` with its parent lists its files. */
  "source.stashes": defineCommand<{ stashes: readonly SourceStash[] }>()(z.object({ projectId })),
  /** Errors: no_changes, no_commit, conflicts_left; local_changes if `stagedOnly` and a path has changes that are not staged. */
  "source.stash": defineCommand<{ id: string }>()(
    z.object({ projectId, message, stagedOnly: z.boolean(), includeUntracked: z.boolean() }),
  ),
  "source.stash_apply": defineCommand<SourceOutcome>()(stash),
  /** Applies a stash, and drops it unless there are conflicts. */
  "source.stash_pop": defineCommand<SourceOutcome>()(stash),
  /** Returns what `source.stash_store` needs to put it back. */
  "source.stash_drop": defineCommand<{ id: string; message: string }>()(stash),
  "source.stash_store": defineCommand<null>()(z.object({ projectId, id: commitId, message })),

  /**
   * Continues, skips or aborts the unfinished merge, rebase, cherry-pick or revert. `saved` = files in the trash as they were before.
   * Errors: not_found, bad_input, conflicts_left, no_identity, needs_terminal.
   */
  "source.step": defineCommand<SourceOutcome & { saved: readonly TrashId[] }>()(
    z.object({ projectId, step: z.enum(["continue", "skip", "abort"]) }),
  ),
  /** Gives a path in conflict the content of one side. It is resolved when it is staged. */
  "source.take_side": defineCommand<DiscardReport>()(
    z.object({ projectId, path, side: z.enum(["base", "ours", "theirs"]) }),
  ),
} as const;
