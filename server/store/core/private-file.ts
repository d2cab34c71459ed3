/** Files and folders accessible only by their owner, with atomic writes. */
import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";

const othersMask = 0o077;
const isPrivateMode = (mode: number): boolean => (mode & othersMask) === 0;

/**
 * Creates the folder with its parents, or removes the permissions of others from an existing one. Throws system errors.
 */
export const makePrivateFolder = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const { mode } = statSync(path);
  if (!isPrivateMode(mode)) chmodSync(path, mode & 0o700);
};

/**
 * Creates an empty 0600 file if missing; otherwise removes the permissions of others and checks that the file is
 * readable and writable. An existing file is never opened, because closing it would release the locks this process
 * holds on it. Throws system errors.
 */
export const ensurePrivateFile = (path: string): void => {
  if (!existsSync(path)) {
    try {
      closeSync(openSync(path, "wx", 0o600));
    } catch (error) {
      // another process created it first
      if (!existsSync(path)) throw error;
    }
  }
  removeOthersPermissions(path);
  accessSync(path, constants.R_OK | constants.W_OK);
};

/** Removes the permissions of others from a file, if it exists. */
export const removeOthersPermissions = (path: string): void => {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined && !isPrivateMode(mode)) chmodSync(path, mode & 0o700);
};

/** Returns an unpredictable name in the folder of `path`. Leftover files are recognised by the suffix `.tmp`. */
export const temporaryName = (path: string): string => `${path}.${randomBytes(8).toString("hex")}.tmp`;

/** Syncs the folder, so that a rename in it survives a power failure. */
const syncFolder = (path: string): void => {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** Syncs a temporary file and renames it to `path` durably. */
export const renameDurably = (temporary: string, path: string): void => {
  const descriptor = openSync(temporary, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, path);
  syncFolder(dirname(path));
};

/** Writes a 0600 file atomically. Throws system errors; the temporary file is removed. */
export const writePrivateFile = (path: string, content: string | Uint8Array): void => {
  const temporary = temporaryName(path);
  try {
    writeFileSync(temporary, content, { flag: "wx", mode: 0o600 });
    renameDurably(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
};

/** Asynchronous `writePrivateFile`: the file is on disk when the promise resolves. */
export const writePrivateFileAsync = async (path: string, content: Uint8Array): Promise<void> => {
  const temporary = temporaryName(path);
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    const folder = await open(dirname(path), "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
};
