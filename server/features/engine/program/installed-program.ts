/** The program that this product has fetched, in its folder below the home. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** `engine` = absolute folder of the engine. */
export const installedFolder = (engine: string): string => join(engine, "program");

/** Folder in which a build is unpacked and tried before it gets its place. */
export const newProgramFolder = (engine: string): string => join(engine, "program.new");

/** Folder of the archives that are being downloaded. */
export const downloadsFolder = (engine: string): string => join(engine, "downloads");

const serverName = process.platform === "win32" ? "llama-server.exe" : "llama-server";
const depthMax = 3;

/** File about the build that is in a folder: its kind and its pin, a line each. */
const buildFile = "gopi-build";

interface InstalledBuild {
  /** Empty = it is not known. */
  readonly kind: string;
  /** As `pinOfBuild`; empty = it was installed before pins were written. */
  readonly pin: string;
}

export const writeInstalledBuild = (folder: string, { kind, pin }: InstalledBuild): Promise<void> =>
  writeFile(join(folder, buildFile), `${kind}\n${pin}\n`);

export async function readInstalledBuild(folder: string): Promise<InstalledBuild> {
  const text = await readFile(join(folder, buildFile), "utf8").catch(() => "");
  const [kind = "", pin = ""] = text.split("\n");
  return { kind: kind.trim(), pin: pin.trim() };
}

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
