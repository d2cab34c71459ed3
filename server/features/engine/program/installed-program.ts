/** The program that this product has fetched, in its folder below the home. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { EngineBuildKind } from "@/lib/models/engine";

/** `engine` = absolute folder of the engine. */
export const installedFolder = (engine: string): string => join(engine, "program");

/** Folder in which a build is unpacked and tried before it gets its place. */
export const newProgramFolder = (engine: string): string => join(engine, "program.new");

const serverName = process.platform === "win32" ? "llama-server.exe" : "llama-server";
const depthMax = 3;

/** File of the kind of the build that is in a folder. */
const kindFile = "gopi-build";

export const writeBuildKind = (folder: string, kind: EngineBuildKind): Promise<void> =>
  writeFile(join(folder, kindFile), `${kind}\n`);

/** Empty = it is not known. */
export const readBuildKind = (folder: string): Promise<string> =>
  readFile(join(folder, kindFile), "utf8").then(
    (text) => text.trim(),
    () => "",
  );

/** Absolute path of the server below the folder; null = there is none. */
export async function findInstalledFile(folder: string, depth = 0): Promise<string | null> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (entries.some((entry) => entry.isFile() && entry.name === serverName)) return join(folder, serverName);
  if (depth === depthMax) return null;
  for (const entry of entries) {
    const file = entry.isDirectory() ? await findInstalledFile(join(folder, entry.name), depth + 1) : null;
    if (file !== null) return file;
  }
  return null;
}
