/** The edit tool: replaces one string of a file by another. */
import * as z from "zod/mini";
import type { Json } from "@/lib/content";
import { limits } from "@/lib/settings";
import type { Facts } from "@/lib/tool-kind";
import { finishInTurns } from "../base/steps";
import type { TextFile } from "../workspace/workspace";
import { type Arguments, repairArguments } from "./arguments";
import { defineTool } from "./define-tool";
import { editSteps } from "./edit-match";
import type { EditRequest } from "./edit-match-ladder";
import type { Slip } from "./edit-match-slips";
import { explain } from "./explain";
import { checkSeen, checkText, countsText, existingText, makeChange, type Planned, previewOf } from "./file-change";
import { type ToolContext, ToolError } from "./tool";

const part = { old_string: z.string(), new_string: z.string(), replace_all: z.optional(z.boolean()) };
const schema = z.object({
  path: z.string().check(z.minLength(1)),
  ...part,
  /**
   * Common mistake with a clear meaning: further edits of the same file, all or nothing. Not part of the schema sent
   * to the model.
   */
  edits: z.optional(z.array(z.object(part))),
});
type Input = z.infer<typeof schema>;

const partShape = new Map([
  ["old_string", { type: "string", required: true }],
  ["new_string", { type: "string", required: true }],
  ["replace_all", { type: "boolean", required: false }],
] as const);

/** Repairs each edit of a list; moves the first one to the top level if the top level has none. */
function repairList(values: Arguments, _input: Json): Arguments {
  if (!Array.isArray(values.edits)) return values;
  const edits = values.edits.map((item: Json) => repairArguments(item, partShape)?.values ?? {});
  if (values.old_string !== undefined) return { ...values, edits };
  const { edits: _edits, ...top } = values;
  return { ...top, ...edits[0], ...(edits.length < 2 ? {} : { edits: edits.slice(1) }) };
}

const requestOf = (one: Pick<Input, "old_string" | "new_string" | "replace_all">): EditRequest => ({
  oldText: one.old_string,
  newText: one.new_string,
  replaceAll: one.replace_all ?? false,
});

interface PlannedEdit extends Planned {
  readonly places: number;
  readonly loose?: Facts["loose"];
  readonly slips: readonly Slip[];
}

const looser = { endings: 1, quotes: 2, indent: 3 } as const;

/**
 * Plans all edits in order, each on the result of the previous one. Throws ToolError at the first failure; then none
 * is applied.
 */
async function plan(input: Input, context: ToolContext, signal: AbortSignal): Promise<PlannedEdit> {
  const path = context.path(input.path, "write");
  const file = await existingText(path, context);
  const known = plans.get(context);
  if (known?.input === input && known.planned.file?.hash === file?.hash) return known.planned;
  const planned = await planOn(input, file, context, signal);
  plans.set(context, { input, planned });
  return planned;
}

/** Cached plan of the preview, reused by the run that follows on the same bytes. */
const plans = new WeakMap<ToolContext, { readonly input: Input; readonly planned: PlannedEdit }>();

async function planOn(
  input: Input,
  file: TextFile | null,
  context: ToolContext,
  signal: AbortSignal,
): Promise<PlannedEdit> {
  const path = context.path(input.path, "write");
  const creates = file === null && input.old_string === "" && input.edits === undefined && !input.path.endsWith("/");
  if (creates) {
    checkText(input.new_string, path, null);
    return { path, file, text: input.new_string, places: 1, slips: [] };
  }
  if (file === null)
    throw explain({ code: "not_found" }, path.relative, "Use write to create it, or find to look for it.");
  const edits = [input, ...(input.edits ?? [])];
  let { text } = file;
  let places = 0;
  let loose: Facts["loose"];
  const slips = new Set<Slip>();
  for (const [index, one] of edits.entries()) {
    const outcome = await finishInTurns(editSteps(text, requestOf(one), file.eol), signal);
    if (!outcome.ok) {
      const which = edits.length === 1 ? "" : `, edit ${index + 1} of ${edits.length} (none was made)`;
      throw new ToolError(outcome.code, `${path.relative}${which}: ${outcome.message}`);
    }
    text = outcome.text;
    places += outcome.places;
    if (outcome.slip !== undefined) slips.add(outcome.slip);
    if (outcome.loose !== undefined && (loose === undefined || looser[outcome.loose] > looser[loose]))
      loose = outcome.loose;
  }
  checkText(text, path, file);
  return { path, file, text, places, slips: [...slips], ...(loose === undefined ? {} : { loose }) };
}

const looseText: Readonly<Record<NonNullable<Facts["loose"]>, string>> = {
  endings: "line ends or spaces at line ends",
  quotes: "quotes or dashes",
  indent: "indentation",
};

const slipText: Readonly<Record<Slip, string>> = {
  numbers: "line numbers",
  fence: "the Markdown fence",
  entities: "HTML entities",
  escapes: "written-out escapes",
  blank: "empty lines around it",
  diff: "diff signs",
};

/** Formats the note to the model about an edit that did not match exactly. */
function noteOf({ loose, slips }: PlannedEdit): string {
  const overlooked =
    loose === undefined ? "" : ` It matched only with ${looseText[loose]} overlooked; the file's own were kept.`;
  if (slips.length === 0) return overlooked;
  const taken = slips.map((slip) => slipText[slip]).join(" and ");
  return ` It matched only without ${taken}: copy the lines as they stand in the file.${overlooked}`;
}

export const edit = defineTool<Input>({
  name: "edit",
  kind: "edit",
  schema,
  untold: ["edits"],
  example: { path: "src/main.ts", old_string: "const port = 80;", new_string: "const port = 8080;" },
  repair: repairList,
  limits: () => ({ bytes: limits.answerBytes, keep: "head" }),
  target: (input) => input.path,
  access: (input) => [{ kind: "write", target: input.path }],
  locks: (input) => ({ paths: [input.path], shell: false }),
  async preview(input, context, signal) {
    const planned = await plan(input, context, signal);
    return previewOf(planned, planned.loose, signal);
  },
  async run(input, context, signal, seen) {
    const path = context.path(input.path, "write");
    if (seen !== undefined) checkSeen(path, await existingText(path, context), seen);
    const planned = await plan(input, context, signal);
    checkSeen(path, planned.file, seen);
    const change = await makeChange(planned, context, signal);
    const places = planned.places === 1 ? "" : `, ${planned.places} places`;
    return {
      output: [
        {
          type: "text",
          text: `${planned.file === null ? "Created" : "Edited"} ${change.path} (${countsText(change)} lines${places}).${noteOf(planned)}`,
        },
      ],
      facts: planned.loose === undefined ? {} : { loose: planned.loose },
      changes: [change],
    };
  },
});
