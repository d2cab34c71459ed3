/**
 * Project files as sent to the browser. Paths are relative to the project, with forward slashes; "" is the project
 * folder.
 */
import type { ErrorCode } from "../events/error";
import type { Hash, TrashId } from "../events/id";

const legacyEncodings = ["gb18030", "gbk", "big5", "shift-jis", "euc-kr", "windows-1252", "windows-1251"] as const;
/** Legacy text encodings that can be detected from the bytes. */
export type LegacyEncoding = (typeof legacyEncodings)[number];

export const textEncodings = [
  "utf8",
  "utf8-bom",
  "utf16le",
  "utf16be",
  "utf16le-bare",
  "utf16be-bare",
  ...legacyEncodings,
] as const;
/** `-bom` = with a byte order mark; UTF-16 has one unless the name ends in `-bare`. */
export type TextEncoding = (typeof textEncodings)[number];

export interface FileNode {
  readonly name: string;
  readonly path: string;
  readonly kind: "file" | "folder" | "link" | "other";
  readonly ignored: boolean;
}

/** An entry by what its place in the list of its folder depends on. */
export interface FolderPosition {
  readonly name: string;
  readonly isFolder: boolean;
}

/** A folder, or a page of its list. */
export interface Folder {
  readonly path: string;
  readonly nodes: readonly FileNode[];
  /** Number of entries; larger than `nodes.length` if more pages follow or the folder is too large to list. */
  readonly total: number;
}

/** A file open in the editor. `readOnly` = why it cannot be edited; null = it can. */
export interface OpenFile {
  readonly path: string;
  readonly text: string;
  readonly hash: Hash;
  readonly size: number;
  readonly eol: "\n" | "\r\n";
  readonly encoding: TextEncoding;
  readonly readOnly: null | "too_large" | "binary" | "no_permission";
}

export interface DeletedPath {
  readonly path: string;
  /** Its entry in the trash. */
  readonly trashId: TrashId;
}

export interface ExistingPath {
  readonly path: string;
  readonly isFolder: boolean;
  /** Differs after each change. */
  readonly version: string;
}

export interface MovedPath {
  readonly path: string;
  readonly to: string;
}

/** A path that an operation on several paths left as it was, and why. */
export interface FailedPath {
  readonly path: string;
  readonly code: ErrorCode;
  /** Files found by name. */
}

export interface FoundFiles {
  /** Best match first. */
  readonly paths: readonly string[];
  /** Number of files searched. */
  readonly files: number;
  /** Whether all files of the project were searched; false = their list is still being made. */
  readonly isComplete: boolean;
}
