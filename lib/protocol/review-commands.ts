/** Commands for the review of the agent's changes in a session, its subagents' included. All fail with not_found. */
import * as z from "zod/mini";
import type { ReviewResult, ReviewState } from "../review/review-files";
import { limits } from "../settings/settings";
import { commandId, defineCommand, hash, path, seq, sessionId } from "./command-input";

const index = z.int().check(z.gte(0));
/** `lines` = indices of changed lines of the hunk; absent = all. */
const chosenHunk = z.object({ hunk: index, lines: z.optional(z.array(index).check(z.maxLength(20_000))) });

export const reviewCommands = {
  "review.state": defineCommand<ReviewState>()(z.object({ sessionId })),
  /**
   * Accepts or rejects hunks of files, as they are shown. A file fails on its own: changed_meanwhile (`hash` is not that of
   * the present texts), conflict (a hunk that collides is rejected without `lines`), too_large, not_kept, and the codes of
   * writing. During a run all wait for the end of the turn. Error: in_bin.
   */
  "review.decide": defineCommand<ReviewResult>()(
    z.object({
      sessionId,
      commandId,
      decisions: z
        .array(
          z.object({
            path,
            hash,
            verdict: z.enum(["accept", "reject"]),
            /** Absent = the whole file; a rejection leaves out hunks that collide. */
            hunks: z.optional(z.array(chosenHunk).check(z.minLength(1), z.maxLength(20_000))),
          }),
        )
        .check(z.minLength(1), z.maxLength(limits.restoreFiles)),
    }),
  ),
  /**
   * Undoes the review at `seq`; absent = the decision that waits last, or the newest review. Errors: gone, in_bin, not_idle
   * during a run. A file with other changes in the same lines fails with changed_meanwhile.
   */
  "review.undo": defineCommand<ReviewResult>()(z.object({ sessionId, commandId, seq: z.optional(seq) })),
} as const;
