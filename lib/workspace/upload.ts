/** Files that the owner sends from the browser into a project. */
import type { TrashId } from "../events/id";

/** Effect of an upload when its path exists: fail, move the old file to the trash, or take a free name. */
export const uploadConflicts = ["fail", "replace", "keep"] as const;
export type UploadConflict = (typeof uploadConflicts)[number];

/** The file that was written, and the entry of the trash with the file it replaced; null = it replaced none. */
export interface UploadAnswer {
  readonly path: string;
  readonly replaced: TrashId | null;
}

/**
 * Whether a path of an upload is allowed: names that are not empty, not `.` or `..`, and without control characters,
 * separated by `/`.
 */
export const isUploadName = (path: string): boolean =>
  path.split("/").every((name) => name !== "" && name !== "." && name !== ".." && !/\p{Cc}/u.test(name));
