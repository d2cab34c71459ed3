/** Uploads of this tab, which go on while the file tree is not shown. */
import type { UploadConflict } from "@/lib/workspace/upload";

/** A file to be uploaded that has the path of an existing entry. */
export interface UploadQuestion {
  readonly path: string;
  /** A folder cannot be replaced by a file. */
  readonly isFolder: boolean;
  /** Number of further files that exist. */
  readonly others: number;
  readonly answer: (choice: UploadChoice, isForAll: boolean) => void;
}

export type UploadChoice = Exclude<UploadConflict, "fail"> | "skip";

export interface RunningUpload {
  readonly id: string;
  /** Path of the file that is being sent. */
  readonly path: string;
  /** Its number, from 1. */
  readonly number: number;
  readonly files: number;
  readonly sentBytes: number;
  readonly bytes: number;
  /** Null = none waits for an answer. */
  readonly question: UploadQuestion | null;
  readonly cancel: () => void;
}
