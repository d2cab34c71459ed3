/**
 * Private copies of extensions, from which their scripts run: exactly the bytes whose hash was enabled, also if a file is
 * exchanged in the meantime, or while a script loads its other files.
 */
import { randomBytes } from "node:crypto";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makePrivateFolder } from "@/server/store/core/private-file";
import type { ExtensionContent } from "./extension-files";

export interface ScriptCopy {
  /** Real path of its folder. */
  readonly folder: string;
  /** Deletes it; never rejects. */
  remove(): Promise<void>;
}

export interface ScriptCopies {
  readonly folder: string;
  /** Writes a copy that no other run shares. Rejects with the error of the file system. */
  make(files: ExtensionContent["files"]): Promise<ScriptCopy>;
}

/** `folder` belongs to this program alone; what an earlier process left in it is deleted. */
export function makeScriptCopies(folder: string): ScriptCopies {
  let ready: Promise<void> | null = null;
  const begin = async (): Promise<void> => {
    await rm(folder, { recursive: true, force: true });
    makePrivateFolder(folder);
  };
  return {
    folder,
    async make(files) {
      await (ready ??= begin().catch((error: unknown) => {
        ready = null;
        throw error;
      }));
      const copy = join(folder, randomBytes(12).toString("hex"));
      const remove = (): Promise<void> => rm(copy, { recursive: true, force: true }).catch(() => {});
      try {
        await mkdir(copy, { recursive: true, mode: 0o700 });
        for (const { path, content, isExecutable } of files) {
          const file = join(copy, path);
          await mkdir(dirname(file), { recursive: true, mode: 0o700 });
          await writeFile(file, content, { mode: isExecutable ? 0o500 : 0o400, flag: "wx" });
        }
      } catch (error) {
        await remove();
        throw error;
      }
      return { folder: copy, remove };
    },
  };
}
