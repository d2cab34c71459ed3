/** Writes a file from a stream of any length: nothing of it is visible before all bytes have arrived. */
import { rmdir, statfs, writeFile } from "node:fs/promises";
import { fail, type Result } from "@/lib/events/error";
import type { SafePath } from "@/server/security/paths/safe-path";
import type { CleanupJournal } from "../shell/cleanup-journal";
import type { IncomingFile } from "../workspace";
import { FileRefusal } from "./file-errors";
import { withEntryPath } from "./file-handle";
import { createParents, defaultFileMode, withTemporaryFile } from "./write-file";

/**
 * Implements Files.receive. Throws a Refusal or the error of the operating system or of the stream; folders that were
 * created for the file are then removed.
 */
export async function receiveFile<T>(
  path: SafePath,
  { chunks, size, maxBytes, mode }: IncomingFile,
  cleanup: CleanupJournal,
  publish: (temporary: string) => Promise<Result<T>>,
): Promise<Result<T>> {
  const facts = { path: path.relative };
  if (size !== null && size > maxBytes) return fail("too_large", undefined, { ...facts, maxBytes });
  const created = await createParents(path);
  let isDone = false;
  try {
    return await withEntryPath(path, async (_place, folder) => {
      const { bavail, bsize } = await statfs(folder);
      if (size !== null && size > bavail * bsize) return fail("disk_full", undefined, facts);
      const received = await withTemporaryFile(
        path,
        {
          folder,
          cleanup,
          async fill(handle) {
            await writeFile(handle, limitBytes(chunks, maxBytes, facts));
            await handle.chmod(mode ?? defaultFileMode());
          },
        },
        publish,
      );
      isDone = received.ok;
      return received;
    });
  } finally {
    if (!isDone) for (const folder of created) await rmdir(folder).catch(() => {});
  }
}

async function* limitBytes(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  facts: { readonly path: string },
): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > maxBytes) throw new FileRefusal(fail("too_large", undefined, { ...facts, maxBytes }));
    yield chunk;
  }
}
