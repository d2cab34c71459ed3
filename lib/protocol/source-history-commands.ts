/** Commands for the history of a repository. All only read, and fail with untrusted, not_found (no repository, commit or path), timeout. */
import * as z from "zod/mini";
import { limits } from "../settings/settings";
import type { SourceDiff } from "../workspace/source-control";
import type { Blame, CommitChanges, CommitView, LogPage } from "../workspace/source-history";
import { commit, defineCommand, idText, path, projectId } from "./command-input";

const searched = z.optional(z.string().check(z.minLength(1), z.maxLength(500), z.regex(/^[^\0]+$/)));
const tips = z.readonly(z.array(commit).check(z.minLength(1), z.maxLength(1_000)));

export const sourceHistoryCommands = {
  /**
   * A page of 200 commits, the newest first, back from the checked-out commit or, with `all`, from every branch and tag.
   * `text` is in the message, `author` in name or mail, `path` in the path of a changed file, all of any case; `content` in lines
   * that were added or removed. `file` = the history of one file under all its names. A search by content ends after 10 s, or by
   * `source.stop_log` with its `searchId`, with what it has found.
   */
  "source.log": defineCommand<LogPage>()(
    z.object({
      projectId,
      after: z.optional(z.object({ tips, skip: z.int().check(z.gte(0), z.lte(1_000_000)) })),
      text: searched,
      author: searched,
      path: searched,
      content: searched,
      file: z.optional(path),
      all: z.optional(z.boolean()),
      searchId: z.optional(idText),
    }),
  ),
  "source.stop_log": defineCommand<null>()(z.object({ searchId: idText })),
  "source.commit_view": defineCommand<CommitView>()(z.object({ projectId, commit })),
  /** The files that differ between two commits. */
  "source.compare": defineCommand<CommitChanges>()(z.object({ projectId, from: commit, to: commit })),
  /** The difference of a path between two commits; `from` null = the path is new in `to`. `renamedFrom`: its name in `from`. */
  "source.commit_diff": defineCommand<SourceDiff>()(
    z.object({ projectId, from: z.nullable(commit), to: commit, path, renamedFrom: z.optional(path) }),
  ),
  /**
   * Who wrote the first 5,000 lines of a file: as on the disk, in `commit`, or of `text`, which is not saved yet. not_found: it
   * has no history.
   */
  "source.blame": defineCommand<Blame>()(
    z.object({
      projectId,
      path,
      commit: z.optional(commit),
      text: z.optional(z.string().check(z.maxLength(limits.editorMaxBytes))),
    }),
  ),
} as const;
