/**
 * The temporary folder of one shell in the sandbox: created for its first command, kept for those that follow, and
 * removed when the shell closes.
 */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CleanupJournal, temporaryPrefix } from "./cleanup-journal";

/** Returns a function that resolves with the folder's real path; it rejects if the folder cannot be created. */
export function makePrivateTemporaryFolder(
  cleanup: Pick<CleanupJournal, "record">,
  closing: AbortSignal,
): () => Promise<string> {
  let created: Promise<string> | null = null;
  const create = async (): Promise<string> => {
    closing.throwIfAborted();
    const folder = await mkdtemp(join(tmpdir(), `${temporaryPrefix}tmp-`));
    const forget = cleanup.record({ folder });
    const remove = (): void => {
      // A folder that cannot be removed now stays in the journal, for the next start.
      void rm(folder, { recursive: true, force: true, maxRetries: 3 }).then(forget, () => {});
    };
    if (closing.aborted) remove();
    else closing.addEventListener("abort", remove, { once: true });
    return realpath(folder);
  };
  return () => (created ??= create());
}
