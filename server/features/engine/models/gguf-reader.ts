/** Reads GGUF files, each again only after it was changed or replaced: a vocabulary takes tens of milliseconds. */
import { stat } from "node:fs/promises";
import type { Result } from "@/lib/events/error";
import { type GgufFile, readGguf } from "./read-gguf";

/** Fails with the errors of `readGguf`. */
export type GgufReader = (path: string) => Promise<Result<GgufFile>>;

export function makeGgufReader(): GgufReader {
  const existing = new Map<string, { readonly state: string; readonly file: Result<GgufFile> }>();
  return async (path) => {
    const state = await fileState(path);
    const last = existing.get(path);
    if (state !== null && last?.state === state) return last.file;
    const file = await readGguf(path);
    if (state === null || !file.ok) existing.delete(path);
    else existing.set(path, { state, file });
    return file;
  };
}

/** Changes with each change of the file; null = it cannot be read. The change time cannot be set by programs. */
async function fileState(path: string): Promise<string | null> {
  const file = await stat(path, { bigint: true }).catch(() => null);
  return file === null ? null : [file.dev, file.ino, file.size, file.mtimeNs, file.ctimeNs].join(" ");
}
