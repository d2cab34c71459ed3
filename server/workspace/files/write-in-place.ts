/** Replaces the content of a file that has other names (hard links), which a renamed file would not have. */
import { constants } from "node:fs";
import { chmod, open } from "node:fs/promises";

/**
 * Writes the bytes over the content and syncs them. Between the first write and the last, readers and a crash see a mix:
 * the caller has the whole content in another file by then. `mode` = the permission bits afterwards.
 */
export async function writeInPlace(place: string, bytes: Buffer, mode: number): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_NOFOLLOW;
  const handle = await open(place, flags).catch(async (error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "EACCES")) throw error;
    // Its owner may write a read-only file by changing its mode, as by replacing it.
    await chmod(place, mode | 0o200);
    return open(place, flags);
  });
  try {
    for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at, bytes.length - at, at)).bytesWritten;
    await handle.truncate(bytes.length);
    await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
