/**
 * Notes of what a kill would leave behind: the temp file beside a file that is written, the processes and pipes of a command.
 * A note is made before the thing and goes with it; what has a note at the next start is cleared away. Built by core for one home.
 */
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { lstat, rm, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import * as z from "zod/mini";
import { endMarked } from "./process-group";

/** Relative paths are refused: a note means one place. */
const noteSchema = z.object({
  /** A temp file, absolute. */
  file: z.optional(z.string()),
  /** `NAME=value` in the environment of every process of a command. */
  marker: z.optional(z.string().check(z.minLength(16))),
  /** The folder of its pipes, absolute. */
  pipes: z.optional(z.string()),
});
export type Leftover = z.infer<typeof noteSchema>;

/** Removes the note. */
export type Forget = () => void;

export interface Leftovers {
  /** Never throws: a note that cannot be made costs a leftover after a kill, never the work itself. */
  note(leftover: Leftover): Forget;
  /**
   * Clears away what earlier processes left; what is noted from now on is not touched. Resolves with how many processes were
   * ended; never rejects. Processes are found where the system tells their environment (Linux).
   */
  sweep(): Promise<number>;
}

/** Nothing is noted: for rooms whose folders go as a whole. */
export const noLeftovers: Leftovers = { note: () => () => {}, sweep: () => Promise.resolve(0) };

/** `home` = the folder of all data; its lock is held, so that nobody else's notes stand there. */
export function makeLeftovers(home: string, isTemporary: (name: string) => boolean): Leftovers {
  const folder = join(home, "leftovers");
  return {
    note(leftover) {
      const path = join(folder, randomBytes(9).toString("hex"));
      try {
        write(folder, path, JSON.stringify(leftover));
      } catch {
        return () => {};
      }
      return () => {
        try {
          unlinkSync(path);
        } catch {
          // Gone with its folder: then there is nothing to forget.
        }
      };
    },
    async sweep() {
      const notes = notesIn(folder);
      const known = notes.flatMap(({ leftover }) => (leftover === null ? [] : [leftover]));
      const markers = known.flatMap(({ marker }) => (marker === undefined ? [] : [marker]));
      const ended = markers.length === 0 ? 0 : await endMarked(markers).catch(() => 0);
      for (const { file, pipes } of known) {
        if (file !== undefined) await removeFile(file, isTemporary);
        if (pipes !== undefined) await removePipes(pipes);
      }
      for (const { path } of notes) rmSync(path, { force: true });
      return ended;
    },
  };
}

function write(folder: string, path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: "wx" });
  } catch {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600, flag: "wx" });
  }
}

/** null = a note that cannot be read: it was being written when the kill came, and the thing itself had not begun. */
function notesIn(folder: string): readonly { readonly path: string; readonly leftover: Leftover | null }[] {
  let names: readonly string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    // No folder: nothing was ever noted.
  }
  return names.map((name) => ({ path: join(folder, name), leftover: readNote(join(folder, name)) }));
}

function readNote(path: string): Leftover | null {
  try {
    const note = noteSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
    return note.success ? note.data : null;
  } catch {
    return null;
  }
}

/** Only a plain file with a temp file's name: whatever else stands there now is somebody else's. */
async function removeFile(path: string, isTemporary: (name: string) => boolean): Promise<void> {
  if (!path.startsWith("/") || !isTemporary(basename(path))) return;
  try {
    if ((await lstat(path)).isFile()) await unlink(path);
  } catch {
    // It had become the file, or its folder is gone.
  }
}

async function removePipes(path: string): Promise<void> {
  if (dirname(path) !== tmpdir() || !basename(path).startsWith(pipesPrefix)) return;
  await rm(path, { recursive: true, force: true }).catch(() => {});
}

/** How the folders of shell pipes begin. */
export const pipesPrefix = "gopi-shell-";
