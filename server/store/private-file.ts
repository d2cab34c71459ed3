/** Files and folders in home that nobody else may read (R45). Used by the store's own files only. */
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
const tightened = (mode: number): boolean => (mode & othersMask) === 0;

/** Makes the folder with its parents, or takes the rights of others away from the one that is there. Throws system errors. */
export const makePrivateFolder = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const { mode } = statSync(path);
  if (!tightened(mode)) chmodSync(path, mode & 0o700);
};

/**
 * Makes an empty 0600 file where there is none, and makes sure that one that is there is writable and nobody else's.
 * A file that is there is never opened: closing it would drop the locks this process holds on it. Throws system errors.
 */
export const ensurePrivateFile = (path: string): void => {
  if (!existsSync(path)) {
    try {
      closeSync(openSync(path, "wx", 0o600));
    } catch (error) {
      // another process was faster
      if (!existsSync(path)) throw error;
    }
  }
  tightenFile(path);
  accessSync(path, constants.R_OK | constants.W_OK);
};

/** Takes the rights of others away from a file, if it is there. */
export const tightenFile = (path: string): void => {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined && !tightened(mode)) chmodSync(path, mode & 0o700);
};

/** A name beside `path` that nobody can guess. Leftovers are found by `.tmp` at the end. */
export const temporaryName = (path: string): string => `${path}.${randomBytes(8).toString("hex")}.tmp`;

/** Makes sure that a rename in the folder survives a power cut. */
const syncFolder = (path: string): void => {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
};

/** Puts a finished temporary file in its place for good. */
export const moveIntoPlace = (temporary: string, path: string): void => {
  const descriptor = openSync(temporary, "r+");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, path);
  syncFolder(dirname(path));
};

/** Replaces the whole file or leaves it as it was, 0600. Throws system errors; no temporary file stays. */
export const writePrivateFile = (path: string, content: string | Uint8Array): void => {
  const temporary = temporaryName(path);
  try {
    writeFileSync(temporary, content, { flag: "wx", mode: 0o600 });
    moveIntoPlace(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
};

/** `writePrivateFile` beside other work: it is on disk when the promise resolves. */
export const writePrivateFileBeside = async (path: string, content: Uint8Array): Promise<void> => {
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
