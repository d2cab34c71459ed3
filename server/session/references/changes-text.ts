/** The text of a reference to changes: the uncommitted ones of the project, else those of the session. */
import { fail, ok, type Result } from "@/lib/events/error";
import { limits } from "@/lib/settings/settings";
import { formatHunks } from "@/lib/text/format-hunks";
import type { SessionView } from "@/lib/view/view";
import type { ChangedFile, ChangeSet } from "@/lib/workspace/changes";
import { mayModelRead } from "@/server/workspace/files/read-reference";
import { readWorkingTree } from "@/server/workspace/git/working-tree";
import type { OpenProject } from "@/server/workspace/projects/projects";
import type { SessionServices } from "../core/services";
import { sessionChanges } from "../restore/file-changes";

export interface ChangesSource {
  readonly project: Pick<OpenProject, "root" | "files" | "policy" | "trusted">;
  /** null = a new session. */
  readonly view: Pick<SessionView, "sessionId" | "projectId"> | null;
  readonly services: SessionServices;
}

/**
 * Returns the changes as unified diffs, without the files that the model may not read. Where git is not run, these are
 * the changes of the session. Fails with no_changes and the codes of `readWorkingTree` and `sessionChanges`.
 */
export async function readChangesText(source: ChangesSource, signal: AbortSignal): Promise<Result<string>> {
  const changes = await readChanges(source, signal);
  if (!changes.ok) return changes;
  const readable = changes.value.files.filter(({ path }) => mayModelRead(source.project, path));
  if (readable.length === 0) return fail("no_changes");
  const shown = formatFiles(readable);
  const notShown = changes.value.files.length - shown.length + changes.value.more;
  const note =
    notShown === 0 ? [] : [`${notShown} more changed ${notShown === 1 ? "file is" : "files are"} not shown.`];
  return ok([...shown, ...note].join("\n\n"));
}

/** Formats the first files, together at most as long as an added text: their lines may have any length. */
function formatFiles(files: readonly ChangedFile[]): readonly string[] {
  const shown: string[] = [];
  let left = limits.promptMaxChars;
  for (const file of files) {
    const text = formatFile(countChars(file) > limits.promptMaxChars ? { ...file, why: "too_large" } : file);
    if (text.length > left) break;
    left -= text.length;
    shown.push(text);
  }
  return shown;
}

const countChars = ({ hunks = [] }: ChangedFile): number =>
  hunks.reduce((sum, { lines }) => lines.reduce((all, { text }) => all + text.length + 1, sum), 0);

async function readChanges(
  { project, view, services }: ChangesSource,
  signal: AbortSignal,
): Promise<Result<ChangeSet>> {
  const tree = await readWorkingTree(project, process.env, signal);
  if (!tree.ok) return tree;
  if (tree.value.kind === "changes") return ok(tree.value);
  return view === null ? ok({ files: [], more: 0 }) : sessionChanges(services, view, 0, undefined);
}

const notShownBecause = {
  binary: "not text",
  too_large: "too large to show",
  not_kept: "the state before is not known",
} as const;

function formatFile({ path, kind, hunks, why }: ChangedFile): string {
  const before = kind === "created" ? "/dev/null" : `a/${path}`;
  const after = kind === "deleted" ? "/dev/null" : `b/${path}`;
  const body = why === undefined ? formatHunks(hunks) : `(${notShownBecause[why]})`;
  return [`--- ${before}`, `+++ ${after}`, ...(body === "" ? [] : [body])].join("\n");
}
