/** The write tool: creates or replaces a whole file, or appends lines if the model requests it. */
import * as z from "zod/mini";
import { limits } from "@/lib/settings";
import { finishInTurns } from "../base/steps";
import type { TextFile } from "../workspace/workspace";
import { defineTool } from "./define-tool";
import { checkSeen, checkText, countsText, existingText, makeChange, type Planned, previewOf } from "./file-change";
import { newPlaceholder } from "./placeholder";
import { type ToolContext, ToolError } from "./tool";

const schema = z.object({
  path: z.string().check(z.minLength(1)),
  content: z.string(),
  /**
   * Common mistake with a clear meaning: appends the content to the file. Not part of the schema sent to the model.
   */
  append: z.optional(z.boolean()),
});
type Input = z.infer<typeof schema>;

/** Adapts the content to the file: its line ends, no second byte order mark. */
function fitted(content: string, file: TextFile | null): string {
  const bare = content.startsWith("\ufeff") && file !== null ? content.slice(1) : content;
  if (file === null || !file.text.includes("\n")) return bare;
  const plain = bare.replaceAll("\r\n", "\n");
  return file.eol === "\r\n" ? plain.replaceAll("\n", "\r\n") : plain;
}

/** Returns the file's text followed by the content, starting on a new line. */
function appended(content: string, file: TextFile): string {
  const isOpen = file.text !== "" && !file.text.endsWith("\n") && !/^\r?\n/.test(content);
  return file.text + (isOpen ? file.eol : "") + fitted(content, file);
}

async function refuse(
  input: Input,
  file: TextFile | null,
  text: string,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  if (file === null) return;
  if (file.text === text)
    throw new ToolError("no_change", `${path} already reads exactly like that. Nothing was changed.`);
  const placeholder = await finishInTurns(newPlaceholder(file.text, input.content), signal);
  if (placeholder === null) return;
  throw new ToolError(
    "placeholder",
    `The content has the placeholder "${placeholder}", which would delete real code from ${path}. Write out the whole file, or use edit for the part that changes.`,
  );
}

async function plan(input: Input, context: ToolContext, signal: AbortSignal): Promise<Planned> {
  const path = context.path(input.path, "write");
  if (input.path.endsWith("/"))
    throw new ToolError("is_folder", `${input.path} names a folder. Name a file; its folders are made by themselves.`);
  const file = await existingText(path, context);
  const isAppended = input.append === true && file !== null;
  const text = isAppended ? appended(input.content, file) : fitted(input.content, file);
  checkText(text, path, file);
  await refuse(input, file, text, path.relative, signal);
  return { path, file, text };
}

export const write = defineTool<Input>({
  name: "write",
  kind: "write",
  schema,
  untold: ["append"],
  example: { path: "src/new.ts", content: "export const answer = 42;\n" },
  limits: () => ({ bytes: limits.answerBytes, keep: "head" }),
  target: (input) => input.path,
  access: (input) => [{ kind: "write", target: input.path }],
  locks: (input) => ({ paths: [input.path], shell: false }),
  preview: async (input, context, signal) => previewOf(await plan(input, context, signal), undefined, signal),
  async run(input, context, signal, seen) {
    const path = context.path(input.path, "write");
    if (seen !== undefined) checkSeen(path, await existingText(path, context), seen);
    const planned = await plan(input, context, signal);
    checkSeen(path, planned.file, seen);
    const change = await makeChange(planned, context, signal);
    const replaced = input.append === true ? "Appended to" : "Replaced";
    const what = `${planned.file === null ? "Created" : replaced} ${change.path}`;
    return {
      output: [{ type: "text", text: `${what} (${countsText(change)} lines).` }],
      facts: { bytes: Buffer.byteLength(planned.text) },
      changes: [change],
    };
  },
});
