/** Commands by which the model writes the message of a commit. They fail with untrusted, not_found (no repository). */
import * as z from "zod/mini";
import { limits } from "../settings/settings";
import { defineCommand, path, projectId } from "./command-input";

export const sourceMessageCommands = {
  /**
   * Requests a message for the staged changes, for those of the amended commit, or for all that differs from the last commit, in
   * `paths` if given. The request continues the newest conversation of the project if the server holds it; null = it was not sent, since
   * the server would lose the conversation it holds, unless `mayReplace`. Fails with busy, no_changes, protected (the model may read
   * none of them), no_model, empty_answer, aborted, and the codes of a model server.
   */
  "source.write_message": defineCommand<{ message: string | null }>()(
    z.object({
      projectId,
      scope: z.enum(["staged", "amended", "all"]),
      paths: z.optional(z.array(path).check(z.minLength(1), z.maxLength(limits.folderEntries))),
      mayReplace: z.optional(z.boolean()),
    }),
  ),
  /** Ends the request for a message in the project. */
  "source.stop_message": defineCommand<null>()(z.object({ projectId })),
} as const;
