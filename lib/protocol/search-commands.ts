/** Commands for the search in the files of a project. */
import * as z from "zod/mini";
import type { CodeSearchId, ReplacementId } from "../events/id";
import { codeSearchMaxContext, codeSearchMaxLines, type ReplacementReport } from "../workspace/code-search";
import { brandedId, defineCommand, path, projectId } from "./command-input";

/** An argument of a program cannot contain NUL. */
const text = z.string().check(z.maxLength(2_000), z.regex(/^[^\0]*$/));
const searchId = brandedId<CodeSearchId>();
const replacementId = brandedId<ReplacementId>();

const options = {
  query: text.check(z.minLength(1)),
  regex: z.boolean(),
  caseSensitive: z.boolean(),
  wholeWord: z.boolean(),
};
const lines = z
  .array(z.object({ line: z.int().check(z.gte(1)), digest: z.string().check(z.maxLength(64)) }))
  .check(z.minLength(1), z.maxLength(codeSearchMaxLines));

export const searchCommands = {
  /** Its results are messages of the topic `code_search`. Ends the client's search before it. */
  "search.start": defineCommand<{ searchId: CodeSearchId }>()(
    z.object({
      projectId,
      ...options,
      file: z.nullable(path),
      include: text,
      exclude: text,
      context: z.int().check(z.gte(0), z.lte(codeSearchMaxContext)),
    }),
  ),
  /** Ends a search of this client; nothing more is reported about it. */
  "search.cancel": defineCommand<null>()(z.object({ searchId })),
  /**
   * Replaces all matches in lines that a search found. A file in which one of the lines is different now stays as it is.
   * The same id again returns the first answer. Errors: those of the search, and too_large if the files are too large
   * to keep for the undo.
   */
  "search.replace": defineCommand<ReplacementReport>()(
    z.object({
      projectId,
      replacementId,
      ...options,
      /** Without line breaks: the numbers of the other lines stay as they are. */
      replacement: z.string().check(z.maxLength(2_000), z.regex(/^[^\0\r\n]*$/)),
      files: z.array(z.object({ path, lines })).check(z.minLength(1), z.maxLength(codeSearchMaxLines)),
    }),
  ),
  /**
   * Restores the files of a replacement that nothing has changed since, and reports all that are restored. May be repeated
   * for the others. Error: not_kept if it is too long ago.
   */
  "search.undo": defineCommand<ReplacementReport>()(z.object({ projectId, replacementId })),
} as const;
