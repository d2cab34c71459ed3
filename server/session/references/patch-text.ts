/** The text of a reference to git's patch of the staged changes, of those that are not staged, or of a commit. */
import { fail, ok, type Result } from "@/lib/events/error";
import { limits } from "@/lib/settings/settings";
import { mayModelRead } from "@/server/workspace/files/read-reference";
import type { Git } from "@/server/workspace/git/git";
import { emptyTree, readCommitView } from "@/server/workspace/git/history/read-commit";
import { listPatchPaths, readPatchFiles } from "@/server/workspace/git/history/read-patch-files";
import { openProjectGit } from "@/server/workspace/git/project-git";
import type { ChangesSource } from "./changes-text";

/**
 * Returns the patch without the files that the model may not read; a commit begins with its message. Fails with untrusted,
 * not_found (no repository or commit), no_changes, and like `Git.run`.
 */
export async function readPatchReference(
  project: ChangesSource["project"],
  part: string,
  signal: AbortSignal,
): Promise<Result<string>> {
  const opened = await openProjectGit(project, process.env, signal);
  if (!opened.ok) return opened;
  const git = opened.value;
  if (typeof git === "string") return fail(git === "untrusted" ? "untrusted" : "not_found");
  const patch = await findPatch(git, part);
  if (!patch.ok) return patch;
  const { head, range } = patch.value;
  const paths = await listPatchPaths(git, range);
  if (!paths.ok) return paths;
  const readable = paths.value.filter((path) => mayModelRead(project, path));
  if (readable.length === 0 && head === "") return fail("no_changes");
  const shown = await readPatchFiles(git, range, readable, limits.promptMaxChars - head.length);
  if (!shown.ok) return shown;
  const left = paths.value.length - shown.value.count;
  const note = left === 0 ? [] : [`${left} more changed ${left === 1 ? "file is" : "files are"} not shown.`];
  return ok([...(head === "" ? [] : [head]), ...shown.value.files, ...note].join("\n\n"));
}

/** The most characters of a commit's message. */
const maxMessageChars = 4_000;

async function findPatch(
  git: Git,
  part: string,
): Promise<Result<{ readonly head: string; readonly range: readonly string[] }>> {
  if (part === "staged") return ok({ head: "", range: ["--cached"] });
  if (part === "changed") return ok({ head: "", range: [] });
  const commit = await readCommitView(git, part);
  if (!commit.ok) return commit;
  const { id, author, message, parents } = commit.value;
  const lines = [`commit ${id}`, `Author: ${author.name}`, `Date: ${new Date(author.time).toISOString()}`];
  const head = [...lines, "", message.slice(0, maxMessageChars)].join("\n");
  return ok({ head, range: [parents[0] ?? emptyTree(id), id] });
}
