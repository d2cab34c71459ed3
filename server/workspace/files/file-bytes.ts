/** Reads the bytes of an open file in pieces. */
import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { FileBytes } from "../workspace";
import { readChunk } from "./read-lines";

const pieceBytes = 262_144;

export const toFileBytes = (path: string, handle: FileHandle, stats: Stats): FileBytes => ({
  path,
  size: stats.size,
  version: [stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs].map((part) => part.toString(36)).join("-"),
  async *read(from, to) {
    for (let position = from; position < to; ) {
      const piece = await readChunk(handle, position, Math.min(pieceBytes, to - position));
      if (piece.length === 0) throw Object.assign(new Error("file was shortened"), { code: "ERR_FILE_SHORTENED" });
      yield piece;
      position += piece.length;
    }
  },
});
