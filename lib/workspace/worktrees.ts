/** Data types of the work trees of a repository that sessions work in side by side. */
import type { ErrorCode } from "../events/error";
import type { ProjectId } from "../events/id";

export interface Worktree {
  /** Absolute. */
  readonly path: string;
  /** Name of its folder, and after `gopi/` of its branch. */
  readonly name: string;
  /** null = no branch is checked out. */
  readonly branch: string | null;
  /** The project that was opened for it; absent = none. */
  readonly projectId?: ProjectId;
  /** Paths that differ from its last commit; null = its folder is gone, or git could not read it. */
  readonly changes: number | null;
  /** Commits that the project's own branch lacks. */
  readonly commits: number;
  readonly sessions: number;
  /** Creation of its folder, ms epoch; null = its folder is gone. */
  readonly createdAt: number | null;
}

export interface WorktreeList {
  readonly worktrees: readonly Worktree[];
  /** Ignored files of the project that a new work tree does not have; protected ones may contain secrets. */
  readonly ignored: readonly { readonly path: string; readonly isProtected: boolean }[];
}

/** A file that was not copied into a new work tree. */
export interface UncopiedFile {
  readonly path: string;
  readonly code: ErrorCode;
}
