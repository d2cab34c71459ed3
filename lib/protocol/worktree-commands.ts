/** Commands for work trees in which sessions work beside the project. All fail with untrusted and not_found (no repository). */
import * as z from "zod/mini";
import type { ProjectId } from "../events/id";
import { limits } from "../settings/settings";
import type { SourceOutcome } from "../workspace/source-control";
import type { UncopiedFile, WorktreeList, WorktreeSize } from "../workspace/worktrees";
import type { ProjectView } from "./answers";
import { defineCommand, path, projectId } from "./command-input";

const worktreeName = z.string().check(z.trim(), z.minLength(1), z.maxLength(limits.titleMaxChars));

export const worktreeCommands = {
  "worktree.list": defineCommand<WorktreeList>()(z.object({ projectId })),
  /**
   * Creates a work tree of the last commit on the branch `gopi/NAME`, copies these files of the project, and opens it as a
   * project. Errors: too_many, no_commit, git_locked, tool_failed.
   */
  "worktree.create": defineCommand<{ view: ProjectView; uncopied: readonly UncopiedFile[] }>()(
    z.object({ projectId, name: worktreeName, files: z.array(path).check(z.maxLength(100)) }),
  ),
  /**
   * Removes a work tree. One with changes or commits of its own needs its name in `confirmed`: its changes are stashed, and its branch
   * stays. Errors: not_found, busy (a session runs there), not_merged with `files` and `commits`, filter_off, git_locked, tool_failed.
   */
  "worktree.remove": defineCommand<{ isStashed: boolean }>()(
    z.object({ projectId, name: worktreeName, confirmed: z.optional(worktreeName) }),
  ),
  /**
   * Merges the branch of a work tree into the branch of the repository's own folder, whose project is in the answer. Conflicts are no
   * failure. Errors: local_changes (also of the work tree), busy (a session runs in that project), and as `source.merge`.
   */
  "worktree.merge": defineCommand<SourceOutcome & { projectId: ProjectId }>()(
    z.object({ projectId, name: worktreeName }),
  ),
  /** The sizes of all work trees, which take a while to count. */
  "worktree.sizes": defineCommand<{ sizes: readonly WorktreeSize[] }>()(z.object({ projectId })),
} as const;
