/**
 * The ls tool: lists a folder as an indented tree with sizes, without ignored entries; "..." marks folders with
 * content below the last level.
 */
import * as z from "zod/mini";
import { serverLimits } from "@/lib/settings/server-limits";
import { limits } from "@/lib/settings/settings";
import { formatFileName } from "@/lib/text/format-file-name";
import { unreadableNamesNotes } from "@/lib/text/unreadable-name";
import type { SafePath } from "@/server/security/paths/safe-path";
import type { FolderEntry } from "@/server/workspace/workspace";
import { defineTool } from "../core/define-tool";
import { formatDecimalSize, unwrapOrThrow } from "../core/to-tool-error";
import { type ToolDependencies, ToolError } from "../core/tool";
import { templateMarkNotes } from "../toolbox/foreign-text";

/** Maximum entries of a result. */
const lsTotalEntries = 500;

const lsSchema = z.object({ path: z.optional(z.string()), depth: z.optional(z.int()) });
type LsInput = z.infer<typeof lsSchema>;

const lsPath = (input: LsInput): string => (input.path === undefined || input.path === "" ? "." : input.path);

type LsDependencies = Pick<ToolDependencies, "files" | "resolveChild">;

interface Listing {
  readonly lines: string[];
  entries: number;
  /** It has all entries of its folders. */
  isWhole: boolean;
  /** Names that are not UTF-8. */
  unreadable: number;
}

/** `... (2 more folders, 25 more files)` */
function formatOmittedEntries(rest: readonly FolderEntry[], unseen: number): string {
  const folders = rest.filter((entry) => entry.kind === "folder").length;
  const files = rest.length - folders + unseen;
  const count = (amount: number, noun: string): string[] =>
    amount === 0 ? [] : [`${amount} more ${noun}${amount === 1 ? "" : "s"}`];
  return `... (${[...count(folders, "folder"), ...count(files, "file")].join(", ")})`;
}

function formatEntry(entry: FolderEntry): string {
  const name = formatFileName(entry.name);
  if (entry.kind === "folder") return `${name}/`;
  if (entry.kind === "link") return `${name} (link)`;
  return entry.kind === "file" ? `${name} ${formatDecimalSize(entry.size)}` : `${name} (${entry.kind})`;
}

/** Adds the entries of a folder to the listing; links are shown and never followed. */
async function listFolderLevel(
  folder: SafePath<"model">,
  depth: number,
  indent: string,
  listing: Listing,
  project: LsDependencies,
  signal: AbortSignal,
): Promise<void> {
  const found = unwrapOrThrow(await project.files.list(folder, limits.folderEntries), folder.shown);
  listing.unreadable += found.unreadable;
  const visible = found.allIgnored ? found.entries : found.entries.filter((entry) => !entry.ignored);
  const shown = visible.slice(0, Math.min(serverLimits.lsEntries, lsTotalEntries - listing.entries));
  for (const entry of shown) {
    listing.entries++;
    const below = entry.kind === "folder" ? project.resolveChild(folder, entry.name) : null;
    const isCut = below !== null && depth <= 1 && !signal.aborted && (await hasShownEntries(below, project));
    listing.lines.push(`${indent}${formatEntry(entry)}${isCut ? " ..." : ""}`);
    if (below !== null && depth > 1 && !signal.aborted)
      await listFolderLevel(below, depth - 1, `${indent}  `, listing, project, signal).catch(
        ignoreUnreadable(listing, indent),
      );
  }
  const unseen = found.total - found.entries.length;
  if (shown.length === visible.length && unseen === 0) return;
  listing.isWhole = false;
  listing.lines.push(indent + formatOmittedEntries(visible.slice(shown.length), unseen));
}

/** Returns whether a folder below the last level has entries. */
async function hasShownEntries(folder: SafePath<"model">, project: LsDependencies): Promise<boolean> {
  const found = await project.files.hasEntries(folder);
  return found.ok && found.value;
}

/** Turns an unreadable subfolder into one line of the listing instead of an error. */
const ignoreUnreadable = (listing: Listing, indent: string) => (error: unknown) => {
  if (!(error instanceof ToolError)) throw error;
  listing.lines.push(`${indent}  (cannot be read)`);
};

export const lsTool = defineTool<LsInput>({
  name: "ls",
  kind: "list",
  schema: lsSchema,
  example: { path: "src", depth: 2 },
  limits: () => ({ bytes: serverLimits.listBytes, keep: "head" }),
  target: lsPath,
  access: (input) => [{ kind: "read", target: lsPath(input), recursive: true }],
  locks: () => ({ paths: [], shell: false }),
  create: (project: LsDependencies) => ({
    async run(input, call, signal) {
      const path = call.path(lsPath(input), "read");
      const info = unwrapOrThrow(await project.files.info(path), lsPath(input));
      if (info.kind !== "folder") {
        throw new ToolError("not_folder", `${path.shown} is a file (${formatDecimalSize(info.size)}). Use read.`);
      }
      const depth = Math.max(1, Math.min(input.depth ?? 1, serverLimits.lsDepth));
      const listing: Listing = { lines: [], entries: 0, isWhole: true, unreadable: 0 };
      await listFolderLevel(path, depth, "", listing, project, signal);
      // First, so that it stays in a result that is cut.
      const marks = templateMarkNotes(listing.lines.join("\n")).map((note) => `[${note}]`);
      const lines = [...marks, ...listing.lines, ...unreadableNamesNotes(listing.unreadable)];
      const text = lines.length === 0 ? `(${path.shown} is empty)` : lines.join("\n");
      return {
        output: [{ type: "text", text }],
        facts: { entries: listing.entries, ...(listing.isWhole ? {} : { more: true }) },
      };
    },
  }),
});
