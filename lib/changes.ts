/** What was changed in files and what going back would do: data of the Changes view, of restoring, and of the trash. */
import type { ErrorCode } from "./error";
import type { Hash, ProjectId, SessionId, TrashId } from "./id";
import type { Hunk } from "./text/diff";

/** One file between two states. */
export interface ChangedFile {
  readonly path: string;
  readonly kind: "created" | "changed" | "deleted";
  readonly added: number;
  readonly removed: number;
  /** Absent when it is not text, too large, or the state before is not kept. */
  readonly hunks?: readonly Hunk[];
  readonly why?: "binary" | "too_large" | "not_kept";
  /** The file is no longer as the session left it: somebody else wrote it since. */
  readonly changedSince?: boolean;
}

export interface ChangeSet {
  readonly files: readonly ChangedFile[];
  /** More were changed than are listed here. */
  readonly more: number;
}

/** The project against its last git commit. */
export type WorkingTree =
  | ({ readonly kind: "changes"; readonly branch: string | null } & ChangeSet)
  /** The folder is no git work tree, or there is no git. */
  | { readonly kind: "none"; readonly why: "no_repository" | "no_git" }
  /** Git obeys the repository's own settings: it is run only in folders the user trusts. */
  | { readonly kind: "untrusted" };

/** What restoring would do to one file. */
export interface RestoreStep {
  readonly path: string;
  /** write = its content goes back; create = it comes back; remove = it goes, into the trash. */
  readonly action: "write" | "create" | "remove";
  readonly added: number;
  readonly removed: number;
  readonly hunks?: readonly Hunk[];
  /** Its state now is not the one this session left: it is only overwritten when `now` is sent back. */
  readonly conflict: boolean;
  /** sha256 of its bytes now; null = it is not there. */
  readonly now: Hash | null;
  /** What was there then is not kept; it cannot be put back. */
  readonly lost?: "too_large" | "not_kept";
}

export interface RestorePlan {
  /** The seq whose state of the files it is. */
  readonly toSeq: number;
  readonly steps: readonly RestoreStep[];
}

/** A file that could not be put back. */
export interface RestoreFailure {
  readonly path: string;
  readonly code: ErrorCode;
}

/** A deleted file or folder that can be put back. */
export interface TrashEntry {
  readonly id: TrashId;
  readonly sessionId: SessionId;
  readonly projectId: ProjectId;
  readonly path: string;
  readonly folder: boolean;
  readonly files: number;
  readonly bytes: number;
  /** ms epoch */
  readonly at: number;
}
