/** The grep tool: lists matching lines of the project's files as `file:line:text`. */
import * as z from "zod/mini";
import { formatFileName } from "@/lib/text/format-file-name";
import { unreadableNamesNotes } from "@/lib/text/unreadable-name";
import type { GrepMatch, GrepResult } from "@/server/workspace/search/lines/grep";
import { joinResultLines, type ResultLine } from "../core/cut-positions";
import { defineTool } from "../core/define-tool";
import { toToolError } from "../core/to-tool-error";
import { type ToolDependencies, ToolError } from "../core/tool";
import { templateMarkNotes } from "../toolbox/foreign-text";

/** Maximum size of a result, bytes. */
const grepBytes = 32_768;

const grepSchema = z.object({
  pattern: z.string().check(z.minLength(1)),
  path: z.optional(z.string()),
  glob: z.optional(z.string()),
  literal: z.optional(z.boolean()),
  ignore_case: z.optional(z.boolean()),
  context: z.optional(z.int()),
});
type GrepInput = z.infer<typeof grepSchema>;

const grepPath = (input: GrepInput): string => (input.path === undefined || input.path === "" ? "." : input.path);

/** Formats `file:12:text` for a match, `file-11-text` for context, `--` between runs that are not adjacent. */
function formatMatches(matches: readonly GrepMatch[], withContext: boolean): ResultLine[] {
  return matches.flatMap((match, index) => {
    const before = matches[index - 1];
    const apart = before !== undefined && (before.path !== match.path || before.line + 1 !== match.line);
    return [...(withContext && apart ? [plainLine("--")] : []), formatMatch(match)];
  });
}

function formatMatch({ path, line, text, isContext, cuts = [] }: GrepMatch): ResultLine {
  const sign = isContext ? "-" : ":";
  const place = `${formatFileName(path)}${sign}${line}${sign}`;
  return { text: place + text, cuts: cuts.map(({ at, lost }) => ({ at: place.length + at, lost })) };
}

const plainLine = (text: string): ResultLine => ({ text, cuts: [] });

function formatNotes(result: GrepResult, count: number): string[] {
  const unreadable = unreadableNamesNotes(result.unreadable);
  if (result.timedOut) return [...unreadable, "[the search ran out of time; narrow path, glob or pattern]"];
  if (result.more)
    return [...unreadable, `[the first ${count} matches are shown, there are more; narrow path, glob or pattern]`];
  return count === 0 && result.unreadable === 0 ? ["(no matches)"] : [...unreadable];
}

export const grepTool = defineTool<GrepInput>({
  name: "grep",
  kind: "search",
  schema: grepSchema,
  example: { pattern: "function \\w+Token", path: "src", glob: "*.ts" },
  limits: () => ({ bytes: grepBytes, keep: "head" }),
  target: (input) => input.pattern,
  access: (input) => [{ kind: "read", target: grepPath(input), recursive: true }],
  locks: () => ({ paths: [], shell: false }),
  create: ({ search, settings }: Pick<ToolDependencies, "search" | "settings">) => ({
    async run(input, call, signal) {
      const path = call.path(grepPath(input), "read");
      const around = Math.max(0, input.context ?? 0);
      const found = await search.grep(
        {
          pattern: input.pattern,
          path,
          ...(input.glob === undefined || input.glob === "" ? {} : { glob: input.glob }),
          literal: input.literal ?? false,
          ignoreCase: input.ignore_case ?? false,
          context: around,
          max: settings.grepMatches,
        },
        signal,
      );
      if (!found.ok && found.error.code === "bad_regex") {
        const reason = (found.error.detail ?? "").trim();
        throw new ToolError(
          "bad_regex",
          `The pattern is not a valid regex. To search for it as plain text set "literal": true.\n${reason}`.trim(),
        );
      }
      if (!found.ok) throw toToolError(found.error, path.shown);
      const { matches } = found.value;
      const count = matches.filter((match) => !match.isContext).length;
      const notes = formatNotes(found.value, count).map(plainLine);
      const lines = formatMatches(matches, around > 0);
      // First, so that it stays in a result that is cut.
      const marks = templateMarkNotes(lines.map((line) => line.text).join("\n")).map((note) => plainLine(`[${note}]`));
      const { text, cuts } = joinResultLines([...marks, ...lines, ...notes]);
      return {
        output: [{ type: "text", text }],
        facts: { matches: count, ...(found.value.more ? { more: true } : {}) },
        cutPositions: { lines: cuts },
      };
    },
  }),
});
