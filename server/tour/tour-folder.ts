/** The folder of one tour, directly in the system's temporary folder: the sample project and a home of its own. */
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tourConnectionId } from "@/lib/models/tour";
import { isProcessAlive } from "@/server/base/is-process-alive";
import { isTemporaryName } from "@/server/workspace/files/write-file";
import { makeCleanupJournal } from "@/server/workspace/shell/cleanup-journal";
import { sampleFiles } from "./sample-project";
import { isTourFolder, tourFolderPrefix, tourProjectName } from "./tour-project";

export interface TourFolder {
  readonly home: string;
  readonly project: string;
  /** Deletes the folder. Throws nothing: what is left goes at the start of the next tour. */
  remove(): void;
}

/**
 * Deletes what killed tours left behind, and creates the folder of this process's tour. Rejects with the system's error.
 */
export async function openTourFolder(): Promise<TourFolder> {
  await removeDeadTours();
  // Projects are named by their real path.
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `${tourFolderPrefix}${process.pid}-`)));
  const home = homeOf(folder);
  const project = join(folder, tourProjectName);
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, "config.yaml"), `agent:\n  connection: ${tourConnectionId}\n`);
  mkdirSync(project);
  for (const [name, text] of Object.entries(sampleFiles)) writeFileSync(join(project, name), text);
  return { home, project, remove: () => removeFolder(folder) };
}

const homeOf = (folder: string): string => join(folder, "home");

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // Files in use, or of another user.
  }
}

/** Ends the programs and deletes the folders that killed tours left behind. This process has none yet. */
export async function removeDeadTours(): Promise<void> {
  const names = readdirSync(tmpdir()).filter((name) => isTourFolder(name) && !isOfLiveProcess(name));
  for (const folder of names.map((name) => join(tmpdir(), name)).filter(isOwnFolder)) {
    await makeCleanupJournal(homeOf(folder), isTemporaryName).cleanUp();
    removeFolder(folder);
  }
}

/** Another user's folder could have a journal that names what is not of a tour. */
function isOwnFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === (process.getuid?.() ?? found.uid);
}

function isOfLiveProcess(name: string): boolean {
  const pid = Number.parseInt(name.slice(tourFolderPrefix.length), 10);
  return pid !== process.pid && isProcessAlive(pid);
}
