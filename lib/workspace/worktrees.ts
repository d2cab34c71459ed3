/** Data types of the work trees of a repository that sessions work in side by side. */
import type { ErrorCode } from "../events/error";
import type { ProjectId, SessionId } from "../events/id";

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
  /** The session that was used last; absent = there is none. */
  readonly session?: { readonly id: SessionId; readonly title: string };
  /** Its last commit, and the one that it has in common with the project's branch; null = none. */
  readonly head: string;
  readonly fork: string | null;
  /** Creation of its folder, ms epoch; null = its folder is gone. */
  readonly createdAt: number | null;
}

/** A folder of a work tree that no repository has: its files are as they were left. */
export interface OrphanWorktree {
  /** Absolute. */
  readonly path: string;
  readonly name: string;
}

export interface WorktreeList {
  readonly worktrees: readonly Worktree[];
  /** The branch of the repository's own folder, into which work trees are merged; null = none is checked out. */
  readonly into: string | null;
  /** Folders of all repositories. */
  readonly orphans: readonly OrphanWorktree[];
  /** Ignored files of the project that a new work tree does not have; protected ones may contain secrets. */
  readonly ignored: readonly { readonly path: string; readonly isProtected: boolean }[];
}

/** A file that was not copied into a new work tree. */
export interface UncopiedFile {
  readonly path: string;
  readonly code: ErrorCode;
}

/** `isPartial`: the count ended at a limit, and there is more. */
export interface WorktreeSize {
  readonly name: string;
  readonly bytes: number;
  readonly isPartial: boolean;
}
