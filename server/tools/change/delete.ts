/** The delete tool: moves a file or folder to the file trash, from which the user can restore it. */
import { posix } from "node:path";
import * as z from "zod/mini";
import { serverLimits } from "@/lib/settings/server-limits";
import type { CallPreview } from "@/lib/events/tool-kind";
import type { SafePath } from "@/server/security/paths/safe-path";
import type { FileInfo } from "@/server/workspace/workspace";
import { defineTool } from "../core/define-tool";
import { formatDecimalSize, unwrapOrThrow } from "../core/to-tool-error";
import { type ToolCall, type ToolDependencies, ToolError } from "../core/tool";

const deleteSchema = z.object({
  path: z.string().check(z.minLength(1)),
  /**
   * Common mistake with a clear meaning: false refuses a folder that is not empty. Not part of the schema sent to the
   * model.
   */
  recursive: z.optional(z.boolean()),
});
type DeleteInput = z.infer<typeof deleteSchema>;

type DeleteDependencies = Pick<ToolDependencies, "files" | "resolveChild" | "trash">;

/**
 * Returns whether the text names the path directly. A SafePath has its links resolved: a target reached through a
 * link lies elsewhere and must not be deleted unexpectedly.
 */
function isNamedDirectly(text: string, path: SafePath): boolean {
  const plain = posix.normalize(text).replace(/\/$/, "");
  if (plain === "." || plain.startsWith("..") || plain.startsWith("~"))
    return posix.basename(plain) === posix.basename(path.absolute) || plain === ".";
  if (posix.isAbsolute(plain)) return posix.basename(plain) === posix.basename(path.absolute);
  return `/${path.relative}`.endsWith(`/${plain}`);
}

/** Returns the path and its info. Throws ToolError if it does not exist or may not be deleted. */
async function resolveDeletable(
  input: DeleteInput,
  { files }: DeleteDependencies,
  call: ToolCall,
): Promise<{ readonly path: SafePath<"model">; readonly info: FileInfo }> {
  const path = call.path(input.path, "write");
  if (path.relative === ".")
    throw new ToolError("not_allowed", "The project folder itself cannot be deleted. Name a file or folder in it.");
  if (!isNamedDirectly(input.path, path)) {
    throw new ToolError(
      "not_a_file",
      `${input.path} goes through a link to ${path.relative}. Name ${path.relative} itself if that is what should go.`,
    );
  }
  const info = unwrapOrThrow(await files.info(path), path.relative);
  if (input.recursive === false && info.kind === "folder" && unwrapOrThrow(await files.hasEntries(path), path.relative))
    throw new ToolError("not_allowed", `The folder ${path.relative} is not empty. Delete it without recursive:false.`);
  return { path, info };
}

/** Counts files and bytes below a folder, up to `walkEntries` files; unreadable entries are skipped. */
async function measureFolder(
  folder: SafePath<"model">,
  project: DeleteDependencies,
  signal: AbortSignal,
): Promise<{ files: number; bytes: number }> {
  const sum = { files: 0, bytes: 0 };
  const open = [folder];
  for (
    let current = open.pop();
    current !== undefined && sum.files < serverLimits.walkEntries && !signal.aborted;
    current = open.pop()
  ) {
    const listed = await project.files.list(current, serverLimits.walkEntries);
    for (const entry of listed.ok ? listed.value.entries : []) {
      if (entry.kind === "folder") {
        const below = project.resolveChild(current, entry.name);
        if (below !== null) open.push(below);
        continue;
      }
      sum.files++;
      sum.bytes += entry.size;
    }
  }
  return sum;
}

export const deleteTool = defineTool<DeleteInput>({
  name: "delete",
  kind: "delete",
  schema: deleteSchema,
  hiddenParameters: ["recursive"],
  example: { path: "src/old.ts" },
  limits: () => ({ bytes: serverLimits.answerBytes, keep: "head" }),
  target: (input) => input.path,
  access: (input) => [{ kind: "delete", target: input.path }],
  locks: (input) => ({ paths: [input.path], shell: false }),
  create: (project: DeleteDependencies) => ({
    async preview(input, call, signal) {
      const { path, info } = await resolveDeletable(input, project, call);
      const folder = info.kind === "folder";
      const size = folder ? await measureFolder(path, project, signal) : { files: 1, bytes: info.size };
      const preview: CallPreview = { kind: "delete", path: path.relative, folder, ...size };
      return { preview };
    },
    async run(input, call) {
      const { path, info } = await resolveDeletable(input, project, call);
      const { trash, files, bytes } = await project.trash(path);
      const description =
        info.kind === "folder"
          ? `folder ${path.relative} (${files} ${files === 1 ? "file" : "files"}, ${formatDecimalSize(bytes)})`
          : `${path.relative} (${formatDecimalSize(bytes)})`;
      return {
        output: [{ type: "text", text: `Moved ${description} to the trash. The user can restore it.` }],
        facts: { entries: files, bytes },
        changes: [{ path: path.relative, before: null, after: null, added: 0, removed: 0, trash }],
      };
    },
  }),
});
