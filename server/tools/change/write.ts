/** The write tool: creates or replaces a whole file, or appends lines if the model requests it. */
import * as z from "zod/mini";
import { serverLimits } from "@/lib/settings/server-limits";
import { runStepsInSlices } from "@/server/base/steps";
import type { TextFile } from "@/server/workspace/workspace";
import { defineTool } from "../core/define-tool";
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
import { findNewPlaceholder } from "./placeholder";
import { type ToolCall, ToolError } from "../core/tool";

const writeSchema = z.object({
  path: z.string().check(z.minLength(1)),
  content: z.string(),
  /**
   * Common mistake with a clear meaning: appends the content to the file. Not part of the schema sent to the model.
   */
  append: z.optional(z.boolean()),
});
type WriteInput = z.infer<typeof writeSchema>;

/** Adapts the content to the file: its line ends, no second byte order mark. */
function adaptToFile(content: string, file: TextFile | null): string {
  const bare = content.startsWith("\ufeff") && file !== null ? content.slice(1) : content;
  if (file === null || !file.text.includes("\n")) return bare;
  const plain = bare.replaceAll("\r\n", "\n");
  return file.eol === "\r\n" ? plain.replaceAll("\n", "\r\n") : plain;
}

/** Returns the file's text followed by the content, starting on a new line. */
function appendToFile(content: string, file: TextFile): string {
  const isOpen = file.text !== "" && !file.text.endsWith("\n") && !/^\r?\n/.test(content);
  return file.text + (isOpen ? file.eol : "") + adaptToFile(content, file);
}

async function refuseUnsafeContent(
  input: WriteInput,
  file: TextFile | null,
  text: string,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  if (file === null) return;
  if (file.text === text)
    throw new ToolError("no_change", `${path} already reads exactly like that. Nothing was changed.`);
  const placeholder = await runStepsInSlices(findNewPlaceholder(file.text, input.content), signal);
  if (placeholder === null) return;
  throw new ToolError(
    "placeholder",
    `The content has the placeholder "${placeholder}", which would delete real code from ${path}. Write out the whole file, or use edit for the part that changes.`,
  );
}

async function planWrite(
  input: WriteInput,
  project: ChangeDependencies,
  call: ToolCall,
  signal: AbortSignal,
): Promise<PlannedChange> {
  const path = call.path(input.path, "write");
  if (input.path.endsWith("/"))
    throw new ToolError("is_folder", `${input.path} names a folder. Name a file; its folders are made by themselves.`);
  const file = await readExistingText(path, project);
  const isAppended = input.append === true && file !== null;
  const text = isAppended ? appendToFile(input.content, file) : adaptToFile(input.content, file);
  checkWritableText(text, path, file);
  await refuseUnsafeContent(input, file, text, path.relative, signal);
  return { path, file, text };
}

export const writeTool = defineTool<WriteInput>({
  name: "write",
  kind: "write",
  schema: writeSchema,
  hiddenParameters: ["append"],
  example: { path: "src/new.ts", content: "export const answer = 42;\n" },
  limits: () => ({ bytes: serverLimits.answerBytes, keep: "head" }),
  target: (input) => input.path,
  access: (input) => [{ kind: "write", target: input.path }],
  locks: (input) => ({ paths: [input.path], shell: false }),
  create: (project: ChangeDependencies) => ({
    preview: async (input, call, signal) =>
      buildDiffPreview(await planWrite(input, project, call, signal), undefined, signal),
    async run(input, call, signal, seen) {
      const path = call.path(input.path, "write");
      if (seen !== undefined) checkApprovedVersion(path, await readExistingText(path, project), seen);
      const planned = await planWrite(input, project, call, signal);
      checkApprovedVersion(path, planned.file, seen);
      const change = await applyFileChange(planned, project, call, signal);
      const replaced = input.append === true ? "Appended to" : "Replaced";
      const summary = `${planned.file === null ? "Created" : replaced} ${change.path}`;
      return {
        output: [{ type: "text", text: `${summary} (${formatLineCounts(change)} lines).` }],
        facts: { bytes: Buffer.byteLength(planned.text) },
        changes: [change],
      };
    },
  }),
});
