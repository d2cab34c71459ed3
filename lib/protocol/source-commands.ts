/** Commands for source control with git. Those that write fail with untrusted, git_locked, filter_off, tool_failed. */
import * as z from "zod/mini";
import { limits } from "../settings/settings";
import type { DiscardReport, SourceDiff, SourceStatus } from "../workspace/source-control";
import type { ProjectView } from "./answers";
import { defineCommand, hash, path, projectId } from "./command-input";

const paths = z.array(path).check(z.minLength(1), z.maxLength(limits.folderEntries));
const lineNumbers = z.array(z.int().check(z.gte(1))).check(z.maxLength(100_000));
const side = z.enum(["staged", "changed"]);
/** The lines of a diff that the user saw; fails with changed_meanwhile if the path differs in another way now. */
const seenLines = { path, hash, lines: z.object({ old: lineNumbers, new: lineNumbers }) };

export const sourceCommands = {
  "source.status": defineCommand<SourceStatus>()(z.object({ projectId })),
  /**
   * Whether the project uses the repository whose top (absolute) is above its folder, limited to the folder; null = it does not.
   * Fails with untrusted, and with not_found if the nearest repository is another.
   */
  "source.use_repository": defineCommand<ProjectView>()(
    z.object({
      projectId,
      top: z.nullable(z.string().check(z.minLength(1), z.maxLength(4_096), z.regex(/^\/[^\0]*$/))),
    }),
  ),
  /** `isUntracked`: the file differs from nothing. `from`: where a renamed file was. */
  "source.diff": defineCommand<SourceDiff>()(
    z.object({ projectId, path, side, isUntracked: z.boolean(), from: z.optional(path) }),
  ),
  /** Stages paths as they are on the disk. */
  "source.stage": defineCommand<null>()(z.object({ projectId, paths })),
  "source.unstage": defineCommand<null>()(z.object({ projectId, paths })),
  /** Stages lines of the difference of the disk from the index, or unstages lines of the index from the last commit. */
  "source.change_lines": defineCommand<null>()(z.object({ projectId, side, isUntracked: z.boolean(), ...seenLines })),
  /** Gives paths the content of the index; untracked ones move to the trash. */
  "source.discard": defineCommand<DiscardReport>()(z.object({ projectId, paths })),
  /**
   * Removes the locks that a killed git left. Fails with not_found, and with git_locked while one is younger than a minute or a process
   * has it open.
   */
  "source.remove_lock": defineCommand<null>()(z.object({ projectId })),
  "source.discard_lines": defineCommand<DiscardReport>()(z.object({ projectId, ...seenLines })),
} as const;
