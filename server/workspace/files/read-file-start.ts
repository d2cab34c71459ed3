/** Reads the start of a file. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** Reads up to `maxBytes` of a regular file; null = it cannot be read, or is none. Never waits for a pipe. */
export async function readFileStart(path: string, maxBytes: number): Promise<Buffer | null> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) return null;
      const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}
