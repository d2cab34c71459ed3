/** The edit tool: replaces one string of a file by another. */
import * as z from "zod/mini";
import { serverLimits } from "@/lib/settings/server-limits";
import { isJsonObject, type Json } from "@/lib/events/content";
import type { CallFacts } from "@/lib/events/tool-kind";
import { runStepsInSlices } from "@/server/base/steps";
import type { SafePath } from "@/server/security/paths/safe-path";
import type { TextFile } from "@/server/workspace/workspace";
import { readParameterShapes, type ToolArguments } from "../arguments/parameter-shapes";
import { repairArguments } from "../arguments/repair-arguments";
import { defineTool } from "../core/define-tool";
import { applyEditSteps } from "../edit-match/apply-edit";
import type { EditRequest } from "../edit-match/match-in-steps";
import type { EditMistake } from "../edit-match/repair-mistakes";
import { toToolError } from "../core/to-tool-error";
import {
  type ChangeDependencies,
  checkApprovedVersion,
  checkWritableText,
  formatLineCounts,
  readExistingText,
  applyFileChange,
  type PlannedChange,
  buildDiffPreview,
} from "./file-change";
import { type ToolCall, ToolError, type ToolRunner } from "../core/tool";

const editPartSchema = { old_string: z.string(), new_string: z.string(), replace_all: z.optional(z.boolean()) };
const editSchema = z.object({
  path: z.string().check(z.minLength(1)),
  ...editPartSchema,
  /**
   * Common mistake with a clear meaning: further edits of the same file, all or nothing. Not part of the schema sent
   * to the model.
   */
  edits: z.optional(z.array(z.object(editPartSchema))),
});
type EditInput = z.infer<typeof editSchema>;

const editPartShapes = readParameterShapes(z.toJSONSchema(z.object(editPartSchema)));

/**
 * Reads each edit of a list by the names other agents use, and moves the first one to the top level if the top level
 * has none. Other members of an edit, such as another path, have no effect.
 */
function repairEditList(values: ToolArguments): ToolArguments {
  if (!Array.isArray(values.edits)) return values;
  const edits = values.edits.map((edit: Json) => repairArguments(edit, editPartShapes)?.values ?? edit);
  if (values.old_string !== undefined) return { ...values, edits };
  const { edits: _edits, ...top } = values;
  const [first, ...more] = edits;
  return { ...top, ...(isJsonObject(first) && first), ...(more.length > 0 && { edits: more }) };
}

const toEditRequest = (one: Pick<EditInput, "old_string" | "new_string" | "replace_all">): EditRequest => ({
  oldText: one.old_string,
  newText: one.new_string,
  replaceAll: one.replace_all ?? false,
});

interface PlannedEdit extends PlannedChange {
  readonly places: number;
  readonly loose?: CallFacts["loose"];
  readonly mistakes: readonly EditMistake[];
}

const loosenessRank = { endings: 1, quotes: 2, indent: 3 } as const;

/**
 * Plans all edits in order, each on the result of the previous one. Throws ToolError at the first failure; then none
 * is applied.
 */
async function planEdit(
  input: EditInput,
  path: SafePath<"model">,
  file: TextFile | null,
  signal: AbortSignal,
): Promise<PlannedEdit> {
  const creates = file === null && input.old_string === "" && input.edits === undefined && !input.path.endsWith("/");
  if (creates) {
    checkWritableText(input.new_string, path, null);
    return { path, file, text: input.new_string, places: 1, mistakes: [] };
  }
  if (file === null)
    throw toToolError({ code: "not_found" }, path.relative, "Use write to create it, or find to look for it.");
  const edits = [input, ...(input.edits ?? [])];
  let { text } = file;
  let places = 0;
  let loose: CallFacts["loose"];
  const slips = new Set<EditMistake>();
  for (const [index, one] of edits.entries()) {
    const outcome = await runStepsInSlices(applyEditSteps(text, toEditRequest(one), file.eol), signal);
    if (!outcome.ok) {
      const position = edits.length === 1 ? "" : `, edit ${index + 1} of ${edits.length} (none was made)`;
      throw new ToolError(outcome.code, `${path.relative}${position}: ${outcome.message}`);
    }
    text = outcome.text;
    places += outcome.places;
    if (outcome.mistake !== undefined) slips.add(outcome.mistake);
    if (outcome.loose !== undefined && (loose === undefined || loosenessRank[outcome.loose] > loosenessRank[loose]))
      loose = outcome.loose;
  }
  checkWritableText(text, path, file);
  return { path, file, text, places, mistakes: [...slips], loose };
}

const looseDescriptions: Readonly<Record<NonNullable<CallFacts["loose"]>, string>> = {
  endings: "line ends or spaces at line ends",
  quotes: "quotes or dashes",
  indent: "indentation",
};

const mistakeDescriptions: Readonly<Record<EditMistake, string>> = {
  numbers: "line numbers",
  hits: "the places of search hits",
  fence: "the Markdown fence",
  entities: "HTML entities",
  escapes: "written-out escapes",
  blank: "empty lines around it",
  diff: "diff signs",
  tags: "closing tags of the call",
};

/** Formats the note to the model about an edit that did not match exactly. */
function looseMatchNote({ loose, mistakes }: PlannedEdit): string {
  const overlooked =
    loose === undefined
      ? ""
      : ` It matched only with ${looseDescriptions[loose]} overlooked; the file's own were kept.`;
  if (mistakes.length === 0) return overlooked;
  const tolerated = mistakes.map((slip) => mistakeDescriptions[slip]).join(" and ");
  return ` It matched only without ${tolerated}: copy the lines as they stand in the file.${overlooked}`;
}

function makeEditRunner(project: ChangeDependencies): ToolRunner<EditInput> {
  /** The plan of the preview, used again by a run on the same bytes. */
  let last: PlannedEdit | null = null;
  const plan = async (input: EditInput, call: ToolCall, signal: AbortSignal): Promise<PlannedEdit> => {
    const path = call.path(input.path, "write");
    const file = await readExistingText(path, project);
    if (last === null || last.file?.hash !== file?.hash) last = await planEdit(input, path, file, signal);
    return last;
  };
  return {
    async preview(input, call, signal) {
      const planned = await plan(input, call, signal);
      return buildDiffPreview(planned, planned.loose, signal);
    },
    async run(input, call, signal, seen) {
      const path = call.path(input.path, "write");
      if (seen !== undefined) checkApprovedVersion(path, await readExistingText(path, project), seen);
      const planned = await plan(input, call, signal);
      checkApprovedVersion(path, planned.file, seen);
      const change = await applyFileChange(planned, project, call, signal);
      const places = planned.places === 1 ? "" : `, ${planned.places} places`;
      const done = planned.file === null ? "Created" : "Edited";
      const text = `${done} ${change.path} (${formatLineCounts(change)} lines${places}).${looseMatchNote(planned)}`;
      return {
        output: [{ type: "text", text }],
        facts: planned.loose === undefined ? {} : { loose: planned.loose },
        changes: [change],
      };
    },
  };
}

export const editTool = defineTool<EditInput>({
  name: "edit",
  kind: "edit",
  schema: editSchema,
  hiddenParameters: ["edits"],
  example: { path: "src/main.ts", old_string: "const port = 80;", new_string: "const port = 8080;" },
  repair: repairEditList,
  limits: () => ({ bytes: serverLimits.answerBytes, keep: "head" }),
  target: (input) => input.path,
  access: (input) => [{ kind: "write", target: input.path }],
  locks: (input) => ({ paths: [input.path], shell: false }),
  create: makeEditRunner,
});
