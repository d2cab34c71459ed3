/** Commands for the files of the memory. */
import * as z from "zod/mini";
import { isMemoryFileName, type MemoryFileState, type MemoryState } from "../tools/memory";
import { defineCommand, hash, projectId } from "./command-input";

const file = z.string().check(z.refine(isMemoryFileName));
const maxFileChars = 300_000;
const line = z.string().check(z.minLength(1), z.maxLength(2_000));
/** A line that a person wrote can be as long as a file. */
const replacedLine = z.string().check(z.minLength(1), z.maxLength(maxFileChars));
const replacedAt = z.readonly(
  z.array(z.int().check(z.gte(-maxFileChars), z.lte(maxFileChars))).check(z.maxLength(maxFileChars)),
);

export const memoryCommands = {
  /** Returns the files and what a new session of the project gets; `window` = its context window, tokens. */
  "memory.state": defineCommand<MemoryState>()(
    z.object({ projectId, window: z.optional(z.int().check(z.gte(512), z.lte(10_000_000))) }),
  ),
  "memory.read": defineCommand<MemoryFileState>()(z.object({ file })),
  /**
   * Replaces a file; an empty text deletes it. `before` = its hash as it was read; null = there was none. Fails with
   * changed_meanwhile, too_large, no_permission, disk_full, and with what prevents reading it (outside, binary …).
   */
  "memory.write": defineCommand<MemoryFileState>()(
    z.object({ file, text: z.string().check(z.maxLength(maxFileChars)), before: z.nullable(hash) }),
  ),
  /**
   * Takes back a line that the model added, and puts the replaced lines back: `replacedAt` = where each of them was, in lines
   * from the place of the added one. Fails with changed_meanwhile if the line is not in the file any more.
   */
  "memory.undo": defineCommand<null>()(
    z.object({ file, line, replaced: z.optional(replacedLine), replacedAt: z.optional(replacedAt) }),
  ),
};
