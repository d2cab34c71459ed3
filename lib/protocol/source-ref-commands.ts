/** Commands for tags, remotes, and work that needs a terminal. All fail with untrusted, not_found (no repository), tool_failed. */
import * as z from "zod/mini";
import type { SourceTag, GitTerminalLine } from "../workspace/source-refs";
import { defineCommand, hash, projectId } from "./command-input";
import { refName } from "./source-change-commands";

const remote = z.string().check(z.minLength(1), z.maxLength(250), z.regex(/^[^\x00-\x1f\x7f]+$/));
const work = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["fetch", "pull"]) }),
  z.object({ kind: z.literal("push"), remote: z.optional(remote) }),
  z.object({ kind: z.literal("rebase"), onto: refName }),
  z.object({ kind: z.literal("step"), step: z.enum(["continue", "skip"]) }),
]);

export const sourceRefCommands = {
  "source.remotes": defineCommand<{ remotes: readonly string[] }>()(z.object({ projectId })),
  /**
   * Returns the line that does the work in a terminal of the user, or the programs of the repository that would run there;
   * `allowed` = the hash of those that the user has seen and allows, until one of them changes. Errors: not_found (no remote, upstream
   * or branch), no_commit; for what changes files also busy, git_unfinished.
   */
  "source.terminal_line": defineCommand<GitTerminalLine>()(z.object({ projectId, work, allowed: z.optional(hash) })),
  /** At most 1,000, the newest first. */
  "source.tags": defineCommand<{ tags: readonly SourceTag[] }>()(z.object({ projectId })),
  /** `from` = a branch, a commit, HEAD, or what `source.delete_tag` returned. Errors: exists, bad_input, no_commit, not_found. */
  "source.create_tag": defineCommand<null>()(z.object({ projectId, tag: refName, from: refName })),
  /** Returns the object that the tag named, from which it can be created again. Errors: not_found. */
  "source.delete_tag": defineCommand<{ object: string }>()(z.object({ projectId, tag: refName })),
} as const;
