/**
 * The files of extensions as they were enabled, so that the page can show what changed since. Only shown: what is
 * enabled is decided by the hash in `extensions.json` alone.
 */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Hash } from "@/lib/events/id";
import { computeHash } from "@/server/base/id";
import { parseJson } from "@/server/base/parse-json";
import { makePrivateFolder, writePrivateFileAsync } from "@/server/store/core/private-file";
import { decodePlainText } from "./decode-text";
import { type ExtensionContent, extensionLimits } from "./extension-files";

/** All stored texts of one extension together, in bytes of the files. */
const storedBytes = 1_000_000;

const storedFile = z.object({
  path: z.string(),
  hash: z.string(),
  bytes: z.number(),
  /** null = it is not text, or too large to be stored. */
  text: z.nullable(z.string()),
});
const stored = z.object({ hash: z.string(), files: z.array(storedFile) });
export type EnabledFile = z.infer<typeof storedFile>;

export interface EnabledFiles {
  /** The files with which `hash` was enabled; null = they are not known. */
  read(extension: string, hash: Hash): Promise<readonly EnabledFile[] | null>;
  /** Never rejects: what cannot be stored is not known later. */
  save(extension: string, content: ExtensionContent): Promise<void>;
  forget(extension: string): Promise<void>;
}

/** `folder` belongs to this program alone. */
export function makeEnabledFiles(folder: string): EnabledFiles {
  const fileOf = (extension: string): string => join(folder, `${computeHash(extension)}.json`);
  return {
    async read(extension, hash) {
      const text = await readFile(fileOf(extension), "utf8").catch(() => null);
      const read = stored.safeParse(text === null ? undefined : parseJson(text));
      return read.success && read.data.hash === hash ? read.data.files : null;
    },
    async save(extension, { hash, files }) {
      let left = storedBytes;
      const entries = files.map(({ path, hash: fileHash, content }): EnabledFile => {
        const bytes = content.length;
        const isStored = bytes <= extensionLimits.shownFileBytes && bytes <= left;
        if (isStored) left -= bytes;
        return { path, hash: fileHash, bytes, text: isStored ? decodePlainText(content) : null };
      });
      const text = JSON.stringify({ hash, files: entries } satisfies z.infer<typeof stored>);
      try {
        makePrivateFolder(folder);
        await writePrivateFileAsync(fileOf(extension), new TextEncoder().encode(text));
      } catch {
        // The disk is full or read-only; the approval itself was written before.
      }
    },
    forget: (extension) => rm(fileOf(extension), { force: true }).catch(() => {}),
  };
}
