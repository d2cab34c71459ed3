/** The skills that the user switched off, in `skills.json` of the home, by their folders. */
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import { parseJson } from "@/server/base/parse-json";
import { writePrivateFile } from "@/server/store/core/private-file";

/** Folders that are stored; beyond it the oldest are forgotten. */
const maxFolders = 1_000;

export interface SwitchedOff {
  has(folder: string): boolean;
  /** Fails with no_permission and disk_full. */
  set(folder: string, isOff: boolean): Result<void>;
}

const stored = z.object({ off: z.array(z.string()) });

const codes: Readonly<Record<string, AgentError["code"]>> = {
  EACCES: "no_permission",
  EPERM: "no_permission",
  EROFS: "no_permission",
  ENOSPC: "disk_full",
};

/** A missing or broken file has none. */
function readFolders(path: string): ReadonlySet<string> {
  try {
    const read = stored.safeParse(parseJson(readFileSync(path, "utf8")));
    return new Set(read.success ? read.data.off : []);
  } catch {
    return new Set();
  }
}

export function makeSwitchedOff(path: string): SwitchedOff {
  let folders: ReadonlySet<string> | null = null;
  const current = (): ReadonlySet<string> => (folders ??= readFolders(path));
  return {
    has: (folder) => current().has(folder),
    set(folder, isOff) {
      const others = [...current()].filter((one) => one !== folder);
      const next = (isOff ? [...others, folder] : others).slice(-maxFolders);
      try {
        writePrivateFile(path, `${JSON.stringify({ off: next }, null, 2)}\n`);
      } catch (error) {
        const code = error instanceof Error && "code" in error ? String(error.code) : "";
        return fail(codes[code] ?? "internal", code, { path });
      }
      folders = new Set(next);
      return ok(undefined);
    },
  };
}
