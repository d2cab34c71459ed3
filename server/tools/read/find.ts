/** The find tool: lists files by a glob on their paths, newest first. */
import * as z from "zod/mini";
import { serverLimits } from "@/lib/settings/server-limits";
import { formatFileName } from "@/lib/text/format-file-name";
import { unreadableNamesNotes } from "@/lib/text/unreadable-name";
import { defineTool } from "../core/define-tool";
import { toToolError } from "../core/to-tool-error";
import type { ToolDependencies } from "../core/tool";
import { templateMarkNotes } from "../toolbox/foreign-text";

const findSchema = z.object({ pattern: z.string().check(z.minLength(1)), path: z.optional(z.string()) });
type FindInput = z.infer<typeof findSchema>;

const findPath = (input: FindInput): string => (input.path === undefined || input.path === "" ? "." : input.path);

export const findTool = defineTool<FindInput>({
  name: "find",
  kind: "find",
  schema: findSchema,
  example: { pattern: "**/*.test.ts", path: "src" },
  limits: () => ({ bytes: serverLimits.listBytes, keep: "head" }),
  target: (input) => input.pattern,
  access: (input) => [{ kind: "read", target: findPath(input), recursive: true }],
  locks: () => ({ paths: [], shell: false }),
  create: ({ search, settings }: Pick<ToolDependencies, "search" | "settings">) => ({
    async run(input, call, signal) {
      const path = call.path(findPath(input), "read");
      const found = await search.find({ pattern: input.pattern, path, max: settings.findEntries }, signal);
      if (!found.ok) throw toToolError(found.error, path.shown);
      const { paths, unreadable, more, timedOut } = found.value;
      const notes = [
        ...(paths.length === 0 && unreadable === 0
          ? ["(no file matches; names are matched with * ? ** {a,b}, ignored files are left out)"]
          : []),
        ...unreadableNamesNotes(unreadable),
        ...(timedOut ? ["[the search ran out of time; narrow path or pattern]"] : []),
        ...(more && !timedOut ? [`[the newest ${paths.length} are shown; narrow path or pattern for the others]`] : []),
      ];
      const names = paths.map(formatFileName);
      // First, so that it stays in a result that is cut.
      const marks = templateMarkNotes(names.join("\n")).map((note) => `[${note}]`);
      return {
        output: [{ type: "text", text: [...marks, ...names, ...notes].join("\n") }],
        facts: { entries: paths.length, ...(more ? { more } : {}) },
      };
    },
  }),
});
