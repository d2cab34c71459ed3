/**
 * Commands that change commits, branches, stashes and unfinished work of a repository. All fail with untrusted, not_found (no
 * repository), git_locked, tool_failed (git's own text as detail).
 */
import * as z from "zod/mini";
import type { CommitFacts } from "../workspace/source-control";
import { defineCommand, hash, modelName, projectId } from "./command-input";

const message = z.string().check(z.maxLength(100_000), z.regex(/^[^\0]*$/));

export const sourceChangeCommands = {
  "source.commit_facts": defineCommand<CommitFacts>()(z.object({ projectId })),
  /**
   * Makes a commit of the index. `hooks` = whether the repository's hooks and programs run; `hooksHash` = the hash in the facts
   * that the user has seen, and the output is messages of `source_output`. `model` is named in the message if the setting
   * `source.assisted_by` is on.
   */
  "source.commit": defineCommand<{ commit: string }>()(
    z.object({
      projectId,
      message: message.check(z.regex(/\S/)),
      amend: z.boolean(),
      signOff: z.boolean(),
      hooks: z.enum(["run", "skip"]),
      hooksHash: z.optional(hash),
      model: z.optional(modelName),
    }),
  ),
  /** Ends the commit that runs in the project, with its hooks. */
  "source.stop": defineCommand<null>()(z.object({ projectId })),
} as const;
