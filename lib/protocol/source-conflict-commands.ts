/** Commands for a path in conflict. All fail with untrusted, not_found (no repository, or no conflict); those that write also with git_locked. */
import * as z from "zod/mini";
import type { DiscardReport, SourceDiff } from "../workspace/source-control";
import type { SourceConflict } from "../workspace/source-conflict";
import { defineCommand, hash, path, projectId } from "./command-input";

const side = z.enum(["base", "ours", "theirs"]);
const choice = z.object({ region: z.int().check(z.gte(0)), take: z.enum(["ours", "theirs", "both", "base"]) });

export const sourceConflictCommands = {
  "source.conflict": defineCommand<SourceConflict>()(z.object({ projectId, path })),
  /** The difference between two versions of the path. */
  "source.conflict_diff": defineCommand<SourceDiff>()(z.object({ projectId, path, from: side, to: side })),
  /** Replaces regions of the file with that `hash`; changed_meanwhile if it is another one now. */
  "source.resolve_regions": defineCommand<DiscardReport>()(
    z.object({ projectId, path, hash, choices: z.array(choice).check(z.minLength(1), z.maxLength(1_000)) }),
  ),
  /**
   * Stages the path as it is on the disk; of a submodule the commit of `side`. Errors: conflicts_left if the file has markers,
   * unless `anyway`; filter_off.
   */
  "source.mark_resolved": defineCommand<null>()(
    z.object({ projectId, path, anyway: z.boolean(), side: z.optional(side) }),
  ),
  /** Puts a path that was marked as resolved back in conflict; the file stays as it is. */
  "source.reopen_conflict": defineCommand<null>()(z.object({ projectId, path })),
} as const;
