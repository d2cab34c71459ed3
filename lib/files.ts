/** Project files as the browser sees them. Paths are relative to the project, with forward slashes; "" is the project itself. */
import type { Hash } from "./id";

/** What files were written in before UTF-8, as far as it can be told from their bytes. */
export type LegacyEncoding = "windows-1252" | "windows-1251" | "gbk" | "gb18030" | "big5" | "shift-jis" | "euc-kr";

/** `-bom` = with a byte order mark; UTF-16 has one unless it is `-bare`. */
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
  /** How many there are; more than `nodes` when the folder is too large to list. */
  readonly total: number;
}

/** A file in the editor. `readOnly` says why it cannot be typed in. */
export interface OpenFile {
  readonly path: string;
  readonly text: string;
  readonly hash: Hash;
  readonly size: number;
  readonly eol: "\n" | "\r\n";
  readonly encoding: TextEncoding;
  readonly readOnly: null | "too_large" | "binary" | "no_permission";
}
