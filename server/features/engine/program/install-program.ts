/** Fetches a build of llama.cpp, unpacks it and tries it: a program in its place is one that has run here. */
import { mkdir, readdir, rename, rm, statfs } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { type ErrorCode, fail, ok, type Result } from "@/lib/events/error";
import type { EngineInstallStep } from "@/lib/models/engine";
import { makeMutex } from "@/server/base/concurrency";
import { catchFileErrors } from "@/server/workspace/files/file-errors";
import { receiveFiles } from "../download/receive-files";
import { type CheckedProgram, checkProgram } from "../engine-program";
import type { EngineBuild } from "./engine-builds";
import {
  downloadsFolder,
  findInstalledFile,
  installedFolder,
  newProgramFolder,
  writeInstalledBuild,
} from "./installed-program";
import { bytesOfBuild, pinOfBuild } from "./release-address";
import { unpackArchive } from "./unpack-archive";

export interface InstallOptions {
  /** Absolute folder of the engine. */
  readonly folder: string;
  /** Address before the archives' names, with a slash at its end. */
  readonly base: string;
  readonly environment: NodeJS.Dict<string>;
  progress(step: EngineInstallStep): void;
  /** Called when the build has run, before it gets its place: resolves when no older one runs any more, or after an abort. */
  release(signal: AbortSignal): Promise<void>;
}

/** Size of the unpacked files, at most, as a multiple of the archive's. */
const unpackedFactor = 4;

/** Failures after which whole archives are of no use: they are damaged, or their build does not run here. */
const uselessCodes: ReadonlySet<ErrorCode> = new Set(["bad_archive", "engine_incompatible", "engine_ended"]);

/**
 * Installs the first of the builds that runs on this machine, in place of an older one. What was received is kept after
 * aborted, download_failed, disk_full, tool_missing and no_permission, and continued by the next call. Also fails with
 * wrong_checksum, bad_archive, and with engine_incompatible or engine_ended if none of them runs.
 */
export async function installProgram(
  builds: readonly EngineBuild[],
  options: InstallOptions,
  signal: AbortSignal,
): Promise<Result<CheckedProgram>> {
  let failure: Result<never> = fail("engine_missing");
  for (const build of builds) {
    const installed = await catchFileErrors(options.folder, () => installBuild(build, options, signal));
    if (installed.ok) return installed;
    failure = installed;
    const { code } = installed.error;
    if (code !== "engine_incompatible" && code !== "engine_ended") return installed;
  }
  return failure;
}

async function installBuild(
  build: EngineBuild,
  options: InstallOptions,
  signal: AbortSignal,
): Promise<Result<CheckedProgram>> {
  const { folder, base, progress } = options;
  const folderOfArchives = downloadsFolder(folder);
  const bytes = bytesOfBuild(build);
  const archives = build.archives.map(({ name, ...archive }) => ({
    ...archive,
    address: new URL(name, base).href,
    target: join(folderOfArchives, name),
  }));
  const received = await receiveFiles(
    archives,
    makeMutex(),
    ({ isFileWhole: _whole, ...step }) => progress({ build: build.kind, bytes, ...step }),
    signal,
  );
  if (!received.ok) return received;
  const files = archives.map(({ target }) => target);
  const placed = await placeArchives(files, build, options, signal).finally(() =>
    rm(newProgramFolder(folder), { recursive: true, force: true }),
  );
  if (placed.ok || uselessCodes.has(placed.error.code)) await rm(folderOfArchives, { recursive: true, force: true });
  return placed;
}

/** Unpacks whole archives, tries their build, and gives it its place. What was unpacked may stay in the new folder. */
async function placeArchives(
  archives: readonly string[],
  build: EngineBuild,
  { folder, environment, progress, release }: InstallOptions,
  signal: AbortSignal,
): Promise<Result<CheckedProgram>> {
  const { kind } = build;
  const unpacked = newProgramFolder(folder);
  const bytes = bytesOfBuild(build);
  const missingBytes = bytes * unpackedFactor - (await freeBytes(folder));
  if (missingBytes > 0) return fail("disk_full", undefined, { missingBytes });
  progress({ status: "unpacking", build: kind, completed: bytes, bytes });
  await rm(unpacked, { recursive: true, force: true });
  for (const [index, archive] of archives.entries()) {
    const part = join(unpacked, `${index}`);
    await mkdir(part, { recursive: true, mode: 0o700 });
    const result = await unpackArchive(archive, part, environment, signal);
    if (!result.ok) return (await freeBytes(folder)) < bytes ? fail("disk_full") : result;
  }
  const file = await findInstalledFile(join(unpacked, "0"));
  if (file === null) return fail("bad_archive", "there is no llama-server in it");
  for (let index = 1; index < archives.length; index += 1) await moveFiles(join(unpacked, `${index}`), dirname(file));
  progress({ status: "checking", build: kind, completed: bytes, bytes });
  const checked = await checkProgram({ program: file, arguments: [] }, environment, signal);
  if (!checked.ok) return checked;
  await release(signal);
  if (signal.aborted) return fail("aborted");
  const target = installedFolder(folder);
  await writeInstalledBuild(join(unpacked, "0"), { kind, pin: pinOfBuild(build) });
  await rm(target, { recursive: true, force: true });
  await rename(join(unpacked, "0"), target);
  return ok({ ...checked.value, program: join(target, relative(join(unpacked, "0"), file)), isInstalled: true });
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Moves all files below a folder into another one, without their folders. */
async function moveFiles(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true }))
    if (entry.isDirectory()) await moveFiles(join(from, entry.name), to);
    else await rename(join(from, entry.name), join(to, entry.name));
}
