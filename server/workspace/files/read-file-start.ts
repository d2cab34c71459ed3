/** Reads the start of a file. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Reads up to `maxBytes` of a regular file as UTF-8; null if it is none. Never waits for a pipe. */
export async function readFileStart(path: string, maxBytes: number): Promise<string | null> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) return null;
      const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}
