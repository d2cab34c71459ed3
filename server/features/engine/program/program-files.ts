/** The files of the engine's program: how much of a build has arrived, and deletions, which other work waits for. */
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ok, type Result } from "@/lib/events/error";
import type { EngineBuildKind } from "@/lib/models/engine";
import { catchFileErrors } from "@/server/workspace/files/file-errors";
import { findReceivedSize, partFile } from "../download/received-size";
import type { EngineBuild, EngineCatalogue } from "./engine-builds";
import { downloadsFolder, newProgramFolder } from "./installed-program";

interface ProgramFiles {
  /** Resolves when nothing is being deleted. */
  settled(): Promise<void>;
  /** Begins to delete what an earlier process that was killed has unpacked; a failure is not reported. */
  removeUnpacked(): void;
  /** Deletes what an older release has left: archives that the catalogue does not have. A failure is not reported. */
  removeOthers(catalogue: EngineCatalogue): Promise<void>;
  /** Deletes files and folders when `ready` has resolved. Fails with no_permission. */
  remove(paths: readonly string[], ready: Promise<unknown>): Promise<Result<null>>;
}

/** `folder` = absolute folder of the engine. */
export function makeProgramFiles(folder: string): ProgramFiles {
  let deletion: Promise<unknown> = Promise.resolve();
  return {
    settled: async () => void (await deletion),
    removeUnpacked() {
      deletion = rm(newProgramFolder(folder), { recursive: true, force: true }).catch(() => undefined);
    },
    async removeOthers(catalogue) {
      deletion = deletion.then(() => removeOtherArchives(folder, catalogue)).catch(() => undefined);
      await deletion;
    },
    remove(paths, ready) {
      const removed = ready.then(() => removeFiles(folder, paths));
      deletion = removed.catch(() => undefined);
      return removed;
    },
  };
}

const removeFiles = (folder: string, paths: readonly string[]): Promise<Result<null>> =>
  catchFileErrors(folder, async () => {
    for (const path of paths) await rm(path, { recursive: true, force: true });
    return ok(null);
  });

async function removeOtherArchives(folder: string, { builds }: EngineCatalogue): Promise<void> {
  const targets = builds.flatMap(({ archives }) => archives.map(({ name }) => name));
  const names = new Set(targets.flatMap((name) => [name, partFile(name)]));
  for (const name of await readdir(downloadsFolder(folder)))
    if (!names.has(name)) await rm(join(downloadsFolder(folder), name), { recursive: true, force: true });
}

/** Bytes on the disk of each build, of which a download was paused, maybe before its first byte, or has failed. */
export type ReceivedBytes = ReadonlyMap<EngineBuildKind, number>;

export async function measureBuilds(folder: string, builds: readonly EngineBuild[]): Promise<ReceivedBytes> {
  const received = new Map<EngineBuildKind, number>();
  for (const { kind, archives } of builds) {
    for (const { name, bytes } of archives) {
      const size = await findReceivedSize(join(downloadsFolder(folder), name));
      if (size !== null) received.set(kind, (received.get(kind) ?? 0) + Math.min(bytes, size));
    }
  }
  return received;
}

/** Creates an empty part, by which a paused download is recognised also after a restart, unless something has arrived. */
export async function markPaused(folder: string, { archives: [first] }: EngineBuild): Promise<void> {
  if (first === undefined) return;
  const target = join(downloadsFolder(folder), first.name);
  if ((await findReceivedSize(target)) !== null) return;
  await mkdir(downloadsFolder(folder), { recursive: true, mode: 0o700 });
  await writeFile(partFile(target), "", { mode: 0o600 });
}
