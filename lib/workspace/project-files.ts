/**
 * Project files as sent to the browser. Paths are relative to the project, with forward slashes; "" is the project
 * folder.
 */
import type { Hash } from "../events/id";

/** Legacy text encodings that can be detected from the bytes. */
export type LegacyEncoding = "windows-1252" | "windows-1251" | "gbk" | "gb18030" | "big5" | "shift-jis" | "euc-kr";

/** `-bom` = with a byte order mark; UTF-16 has one unless the name ends in `-bare`. */
export type TextEncoding =
  | "utf8"
  | "utf8-bom"
  | "utf16le"
  | "utf16be"
  | "utf16le-bare"
  | "utf16be-bare"
  | LegacyEncoding;

export interface FileNode {
  readonly name: string;
  readonly path: string;
  readonly kind: "file" | "folder" | "link" | "other";
  /** bytes */
  readonly size: number;
  readonly ignored: boolean;
}

export interface Folder {
  readonly path: string;
  readonly nodes: readonly FileNode[];
  /** Number of entries; larger than `nodes.length` if the folder is too large to list. */
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
