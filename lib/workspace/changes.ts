/** Data types for file changes, restoring files and the file trash. */
import type { ErrorCode } from "../events/error";
import type { Hash, ProjectId, SessionId, TrashId } from "../events/id";
import type { Hunk } from "../text/diff";

/** Difference of one file between two states. */
export interface ChangedFile {
  readonly path: string;
  readonly kind: "created" | "changed" | "deleted";
  readonly added: number;
  readonly removed: number;
  /** Absent if the file is binary or too large, or the state before was not stored; `why` gives the reason. */
  readonly hunks?: readonly Hunk[];
  readonly why?: "binary" | "too_large" | "not_kept";
  /** The file was modified outside the session after the session's last change. */
  readonly changedSince?: boolean;
}

export interface ChangeSet {
  readonly files: readonly ChangedFile[];
  /** Number of changed files not listed. */
  readonly more: number;
}

/** Working tree of the project compared with HEAD. */
export type WorkingTree =
  | ({ readonly kind: "changes"; readonly branch: string | null } & ChangeSet)
  /** The folder is not a git work tree, or git is not installed. */
  | { readonly kind: "none"; readonly why: "no_repository" | "bare" | "above" | "no_git" | "old_git" }
  /** Git executes programs from the repository's own configuration, so it runs only in trusted folders. */
  | { readonly kind: "untrusted" };

/** Difference of a path from the last commit. The mark of an untracked folder applies to everything in it. */
export type GitMark = "modified" | "added" | "untracked" | "deleted" | "conflicted";

export interface MarkedPath {
  readonly path: string;
  readonly mark: GitMark;
}

/** A logged change of a file: the version before it can be restored, as the state of the session at `seq - 1`. */
export interface FileVersion {
  readonly sessionId: SessionId;
  /** Beginning of the message that started the run, otherwise the title of the session. */
  readonly title: string;
  readonly seq: number;
  /** Time of the change, ms epoch. */
  readonly at: number;
  /** restore = files were restored; run = a call of a run. */
  readonly by: "run" | "restore";
  /** The state before the change; lost = a file whose content was not stored. */
  readonly before: "file" | "nothing" | "lost";
  /** The version is not what the logged change before it left: the user or another program changed the file in between. */
  readonly hasOtherChanges: boolean;
  /** Lines of the change; absent = not counted. */
  readonly lines?: { readonly added: number; readonly removed: number };
}

/** Effect of a restore on one file. */
export interface RestoreStep {
  readonly path: string;
  /** write = overwrite with the old content; create = recreate the file; remove = move it to the trash. */
  readonly action: "write" | "create" | "remove";
  readonly added: number;
  readonly removed: number;
  readonly hunks?: readonly Hunk[];
  /** The file was modified outside the session; it is overwritten only if the command names it with `now`. */
  readonly conflict: boolean;
  /** sha256 of the current content; null = the file does not exist. */
  readonly now: Hash | null;
  /** The old content was not stored, so the file cannot be restored. */
  readonly lost?: "too_large" | "not_kept";
}

export interface RestorePlan {
  /** seq of the log whose file state is restored. */
  readonly toSeq: number;
  readonly steps: readonly RestoreStep[];
  /** Number of files that differ, too, and that this restore leaves as they are: it has a limit. */
  readonly beyond: number;
}

/** A file that could not be restored. */
export interface RestoreFailure {
  readonly path: string;
  readonly code: ErrorCode;
}

/** A deleted file or folder that can be restored. */
export interface TrashEntry {
  readonly id: TrashId;
  /** The session that deleted it; null = the user did. */
  readonly sessionId: SessionId | null;
  readonly projectId: ProjectId;
  readonly path: string;
  readonly folder: boolean;
  readonly files: number;
  readonly bytes: number;
  /** ms epoch */
  readonly at: number;
}
