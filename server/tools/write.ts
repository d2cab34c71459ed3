/** The write tool: a whole file, new or replaced. */
import * as z from "zod/mini";
import { limits } from "@/lib/settings";
import type { TextFile } from "../workspace/workspace";
import { defineTool } from "./define-tool";
import { checkSeen, checkText, countsText, existingText, makeChange, type Planned, previewOf } from "./file-change";
import { newPlaceholder } from "./placeholder";
import { type ToolContext, ToolError } from "./tool";

const schema = z.object({ path: z.string().check(z.minLength(1)), content: z.string() });
type Input = z.infer<typeof schema>;

/** The content as the file keeps it: its line ends, and no second byte order mark. */
function fitted(content: string, file: TextFile | null): string {
  const bare = content.startsWith("\ufeff") && file !== null ? content.slice(1) : content;
  if (file === null || !file.text.includes("\n")) return bare;
  const plain = bare.replaceAll("\r\n", "\n");
  return file.eol === "\r\n" ? plain.replaceAll("\n", "\r\n") : plain;
}

function refuse(input: Input, file: TextFile | null, text: string, path: string): void {
  if (file === null) return;
  if (file.text === text)
    throw new ToolError("no_change", `${path} already reads exactly like that. Nothing was changed.`);
  const placeholder = newPlaceholder(file.text, input.content);
  if (placeholder === null) return;
  throw new ToolError(
    "placeholder",
    `The content has the placeholder "${placeholder}", which would delete real code from ${path}. Write out the whole file, or use edit for the part that changes.`,
  );
}

async function plan(input: Input, context: ToolContext): Promise<Planned> {
  const path = context.path(input.path, "write");
  if (input.path.endsWith("/"))
    throw new ToolError("is_folder", `${input.path} names a folder. Name a file; its folders are made by themselves.`);
  const file = await existingText(path, context);
  const text = fitted(input.content, file);
  checkText(text, path, file);
  refuse(input, file, text, path.relative);
  return { path, file, text };
}

export const write = defineTool<Input>({
  name: "write",
  kind: "write",
  schema,
  example: { path: "src/new.ts", content: "export const answer = 42;\n" },
  limits: () => ({ bytes: limits.answerBytes, keep: "head" }),
  target: (input) => input.path,
  access: (input) => [{ kind: "write", target: input.path }],
  locks: (input) => ({ paths: [input.path], shell: false }),
  preview: async (input, context) => previewOf(await plan(input, context)),
  async run(input, context, signal, seen) {
    const path = context.path(input.path, "write");
    if (seen !== undefined) checkSeen(path, await existingText(path, context), seen);
    const planned = await plan(input, context);
    checkSeen(path, planned.file, seen);
    const change = await makeChange(planned, context, signal);
    const what = planned.file === null ? `Created ${change.path}` : `Replaced ${change.path}`;
    return {
      output: [{ type: "text", text: `${what} (${countsText(change)} lines).` }],
      facts: { bytes: Buffer.byteLength(planned.text) },
      changes: [change],
    };
  },
});
