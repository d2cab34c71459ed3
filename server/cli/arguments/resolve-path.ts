/** Resolves the folders and files that arguments name. */
import { createHash } from "node:crypto";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { errnoName } from "@/server/base/system-errors";
import { type Environment, printable, UsageError } from "./options";

/**
 * Returns the home folder, which may not exist yet: --home, else GOPI_HOME, else ~/.gopi, or below it that of a named server of
 * JupyterHub, also in its terminals. Throws UsageError.
 */
export function resolveHome(text: string | null, environment: Environment, cwd: string): string {
  const named = text ?? (environment.GOPI_HOME || null);
  const userHome = environment.HOME || environment.USERPROFILE || "";
  if (named === null && !isAbsolute(userHome))
    throw new UsageError("HOME isn't set: choose a folder for sessions and settings with --home DIR or GOPI_HOME");
  const home =
    named === null
      ? join(userHome, ".gopi", ...hubFolders(environment.JUPYTERHUB_SERVER_NAME ?? ""))
      : resolve(cwd, named);
  const place = findExisting(home);
  if (!place.isFolder) throw new UsageError(`--home needs a folder, but ${printable(place.path)} is a file`);
  return home;
}

/** Several servers of one person run at once: each has a home of its own. A name may be no file name. */
function hubFolders(name: string): readonly string[] {
  if (name === "") return [];
  if (/^[A-Za-z0-9][\w.-]{0,60}$/.test(name)) return ["hub", name];
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 12);
  return ["hub", `${name.replaceAll(/[^\w-]/g, "_").slice(0, 40)}-${hash}`];
}

/** Returns the path, or the nearest one above it that exists. */
function findExisting(path: string): { readonly path: string; readonly isFolder: boolean } {
  const found = statPath(path);
  return found === undefined && path !== dirname(path)
    ? findExisting(dirname(path))
    : { path, isFolder: found?.isDirectory() ?? false };
}

/** Returns the absolute path of a readable folder, links resolved. Throws UsageError. */
export function resolveFolder(name: string, cwd: string): string {
  if (name === "") throw new UsageError("The folder name is empty");
  const path = resolve(cwd, name);
  const found = statPath(path);
  if (found === undefined) throw new UsageError(`Folder not found: ${printable(path)}`);
  if (!found.isDirectory()) throw new UsageError(`${printable(path)} is a file; pass its folder instead`);
  try {
    accessSync(path, constants.R_OK | constants.X_OK);
    return realpathSync(path);
  } catch (error) {
    throw new UsageError(pathErrorText(path, error));
  }
}

/** Returns the absolute path of a file that exists. Throws UsageError. */
export function resolveFile(name: string, cwd: string): string {
  const path = resolve(cwd, name);
  const found = statPath(path);
  if (found === undefined) throw new UsageError(`File not found: ${printable(path)}`);
  if (found.isDirectory()) throw new UsageError(`${printable(path)} is a folder, not a file`);
  return path;
}

/** Returns what is at the path. undefined = it does not exist; what is below a file does not either, which versions of Node report differently. */
export function statPath(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (errnoName(error) === "ENOTDIR") return undefined;
    throw new UsageError(pathErrorText(path, error));
  }
}

function pathErrorText(path: string, error: unknown): string {
  const code = errnoName(error);
  if (code === "EACCES" || code === "EPERM") return `No permission to open ${printable(path)}`;
  if (code === "ERR_INVALID_ARG_VALUE") return `${printable(path)} isn't a valid path`;
  return `Couldn't open ${printable(path)} (${code})`;
}
