/** Data types of source control: status, diffs and branches of the git repository of a project. */
import type { AgentError } from "../events/error";
import type { Hash, TrashId } from "../events/id";
import type { Hunk } from "../text/diff";

export type SourceChange =
  | "modified"
  | "added"
  | "deleted"
  | "renamed"
  | "copied"
  | "type"
  | "untracked"
  | "conflicted";

/** A row of the source control pane. */
export interface SourceEntry {
  /** Relative to the project; that of an untracked folder ends with a slash. */
  readonly path: string;
  /** Where a renamed or copied file was. */
  readonly from?: string;
  readonly change: SourceChange;
  readonly isSubmodule?: true;
}

/** The groups of the pane; a path may be in the first two at once. */
export type SourceGroup = "staged" | "changed" | "untracked" | "conflicts";

export interface SourceBranch {
  /** null = no branch is checked out. */
  readonly name: string | null;
  /** The last commit, abbreviated; null = there is none yet. */
  readonly commit: string | null;
  readonly upstream?: string;
  /** Commits that the upstream lacks, and that are missing here; absent = there is no upstream to compare with. */
  readonly ahead?: number;
  readonly behind?: number;
}

/** A version of a path in conflict. During a rebase `theirs` is the user's own commit. */
export type ConflictSide = "base" | "ours" | "theirs";

/** Work of git that is not finished. */
export interface SourceOperation {
  readonly kind: "merge" | "rebase" | "cherry_pick" | "revert" | "bisect" | "apply";
  /** Step of a rebase or of the application of patches, from 1. */
  readonly step?: number;
  readonly steps?: number;
}

/** The repository of which the project is a folder. */
export interface RepositoryAbove {
  /** Its top, absolute. */
  readonly top: string;
  /** Staged files outside of the folder, which a commit contains as well. */
  readonly staged: number;
}

export type SourceStatus =
  | ({
      readonly kind: "status";
      readonly branch: SourceBranch;
      readonly operation: SourceOperation | null;
      readonly stashes: number;
      /** Rows beyond the limit, of all groups. */
      readonly more: number;
      /** Paths that are not UTF-8, which are left out. */
      readonly unreadable: number;
      readonly tookMs: number;
      /** Absent = the project is the top of its repository. */
      readonly above?: RepositoryAbove;
    } & Readonly<Record<SourceGroup, readonly SourceEntry[]>>)
  | { readonly kind: "none"; readonly why: "no_repository" | "bare" | "no_git" | "old_git" }
  | { readonly kind: "untrusted" }
  /** The user has not agreed yet to the use of the repository above the folder. */
  | { readonly kind: "above"; readonly top: string };

/** Which difference of a path: that of the index from the last commit, or that of the disk from the index. */
export type SourceSide = "staged" | "changed";

export interface SourceDiff {
  /** Hash of git's patch; a command that names lines of it is refused after another change. */
  readonly hash: Hash;
  readonly added: number;
  readonly removed: number;
  /** Absent if `why` gives the reason; empty = only the mode differs, or nothing. */
  readonly hunks?: readonly Hunk[];
  readonly why?: "binary" | "too_large";
  /** Permission bits of both sides as git writes them, if they differ. */
  readonly mode?: { readonly old: string; readonly new: string };
}

/** Numbers of changed lines of a diff, from 1: removed ones in the old text, added ones in the new text. */
export interface SourceLines {
  readonly old: readonly number[];
  readonly new: readonly number[];
}

export interface DiscardReport {
  /** Entries of the trash with the content before: `trash.restore` with `replaces` undoes the change. */
  readonly saved: readonly TrashId[];
  readonly failed: readonly { readonly path: string; readonly error: AgentError }[];
}

/** A hook of git, with the absolute path of its program. */
export interface CommitHook {
  readonly name: string;
  readonly path: string;
}

/** Facts that a form for a commit shows. */
export interface CommitFacts {
  /** Hooks that git runs for a commit. */
  readonly hooks: readonly CommitHook[];
  /** Hash of the hooks, and of the repository's settings that name programs. */
  readonly hooksHash: Hash;
  /** The user has run the hooks with this hash before. */
  readonly areHooksApproved: boolean;
  /** Message of the last commit; null = there is none yet. */
  readonly lastMessage: string | null;
  /** A remote branch has the last commit, so that an amended one differs from what others have. */
  readonly lastIsPushed: boolean;
  /** Git has name and e-mail only in its settings; null = one of them is missing. */
  readonly identity: { readonly name: string; readonly email: string } | null;
  readonly signs: boolean;
  /** The text that the user's template, or that of the repository, begins a message with. */
  readonly template?: string;
}

export interface SourceBranchRow {
  /** That of a remote begins with the remote's name: `origin/main`. */
  readonly name: string;
  readonly isRemote: boolean;
  readonly isCurrent: boolean;
  readonly commit: string;
  readonly subject: string;
  /** Time of the last commit, ms epoch. */
  readonly at: number;
  readonly upstream?: string;
  /** Commits that the upstream lacks, and that are missing here; absent without an upstream. */
  readonly ahead?: number;
  readonly behind?: number;
  readonly isUpstreamGone?: true;
  /** Another work tree in which it is checked out, absolute. */
  readonly worktree?: string;
}

export interface SourceBranchList {
  readonly branches: readonly SourceBranchRow[];
  /** There are more than the list has. */
  readonly more: boolean;
}

/** State after a command that may have stopped at conflicts. */
export interface SourceOutcome {
  /** Paths in conflict. */
  readonly conflicts: number;
  /** null = nothing is unfinished. */
  readonly operation: SourceOperation | null;
}

/** A stash is a commit with the changed files; its first parent is the commit on which they were made. */
export interface SourceStash {
  readonly id: string;
  readonly parent: string;
  /** A commit with the untracked files; absent = there are none. */
  readonly untracked?: string;
  /** Branch on which it was made; null = none was checked out. */
  readonly branch: string | null;
  /** The user's message, or the commit's on which it was made. */
  readonly message: string;
  /** ms epoch */
  readonly at: number;
}
