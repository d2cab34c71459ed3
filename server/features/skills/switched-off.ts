/** The skills that the user switched off, in `skills.json` of the home, by their folders. */
import * as z from "zod/mini";
import type { Json } from "@/lib/events/content";
import type { AgentError, Result } from "@/lib/events/error";
import { makeOwnerFile } from "@/server/store/core/owner-file";

/** Folders that are stored; beyond it the oldest are forgotten. */
const maxFolders = 1_000;

export interface SwitchedOffSkills {
  /** Why the file cannot be read: all skills are off until it can. null = it was read. */
  readonly problem: AgentError | null;
  has(folder: string): boolean;
}

interface SwitchedOff {
  read(): SwitchedOffSkills;
  /** Fails with unreadable_file, no_permission and disk_full. */
  set(folder: string, isOff: boolean): Result<void>;
}

const stored = z.object({ off: z.array(z.json()) });

export function makeSwitchedOff(path: string): SwitchedOff {
  const file = makeOwnerFile<readonly Json[]>(path, {
    missing: [],
    parse(value) {
      const read = stored.safeParse(value);
      return read.success ? read.data.off : null;
    },
    print: (off) => ({ off: [...off] }),
  });
  return {
    read() {
      const read = file.read();
      if (!read.ok) return { problem: read.error, has: () => true };
      const folders = new Set(read.value);
      return { problem: null, has: (folder) => folders.has(folder) };
    },
    set: (folder, isOff) =>
      file.change((before) => {
        const others = before.filter((one) => one !== folder);
        return (isOff ? [...others, folder] : others).slice(-maxFolders);
      }),
  };
}
