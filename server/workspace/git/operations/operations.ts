/** Continues, skips and aborts an unfinished merge, rebase, cherry-pick or revert. No program of the repository runs. */
import { posix } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import type { TrashId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import type { SourceOperation, SourceOutcome } from "@/lib/workspace/source-control";
import { ownerPath } from "@/server/security/paths/safe-path";
import { readFileStart } from "../../files/read-file-start";
import { checkAllFilters, toOutcome, treeChange } from "../changed-tree";
import { readCommit, readConflicts } from "../commit/commit";
import { readIdentity } from "../commit/commit-facts";
import type { DiscardPlace } from "../discard";
import type { Git } from "../git";
import { findGitFolders } from "../git-folders";
import { readOperation } from "../source-status";
import { statusEntries } from "../status-entries";

export type OperationStep = "continue" | "skip" | "abort";

const commands: { readonly [kind in SourceOperation["kind"]]?: string } = {
  merge: "merge",
  rebase: "rebase",
  cherry_pick: "cherry-pick",
  revert: "revert",
  apply: "am",
};

const maxBytes = 16_000_000;
const maxTodoBytes = 1_000_000;
/** Files of which a copy is kept before they are reset. */
const maxCopies = 500;

/** Returns the command of git that is unfinished and has steps; null = there is none. */
export async function readOperationName(git: Git): Promise<string | null> {
  const operation = await readOperation((await findGitFolders(git.top)).own);
  return (operation && commands[operation.kind]) ?? null;
}

/**
 * Performs a step of the unfinished work; messages stay as git has prepared them. The files that skip and abort reset are in the
 * trash before (`saved`). Fails with not_found (nothing is unfinished), bad_input (it has no such step), conflicts_left, filter_off,
 * no_identity, needs_terminal (a rebase with commands to execute, or a signature that needs one), and like `Git.run`.
 */
export async function stepOperation(
  place: DiscardPlace,
  step: OperationStep,
): Promise<Result<SourceOutcome & { readonly saved: readonly TrashId[] }>> {
  const git = place.git.whole;
  const { own } = await findGitFolders(git.top);
  const operation = await readOperation(own);
  const name = operation === null ? undefined : commands[operation.kind];
  if (operation === null) return fail("not_found");
  if (name === undefined || (operation.kind === "merge" && step === "skip"))
    return fail("bad_input", undefined, { field: "step" });
  const command = `git ${name} --${step}`;
  if (step !== "abort" && (await listStepCommands(git)).length > 0)
    return fail("needs_terminal", undefined, { command });
  const checked = await checkStep(git, step);
  if (!checked.ok) return checked;
  const saved = step === "continue" ? ok([]) : await keepCopies(place);
  if (!saved.ok) return saved;
  const result = await git.run([name, `--${step}`], treeChange);
  if (!result.ok && /failed to write commit object/.test(result.error.detail ?? ""))
    return fail("needs_terminal", result.error.detail, { command });
  const outcome = await toOutcome(git, git.top, result, operation);
  return outcome.ok ? ok({ ...outcome.value, saved: saved.value }) : outcome;
}

/** Returns the commands that the next steps of an interactive rebase execute; of a list that is too long its name. */
export async function listStepCommands(git: Git): Promise<readonly string[]> {
  const file = posix.join((await findGitFolders(git.top)).own, "rebase-merge/git-rebase-todo");
  const todo = await readFileStart(file, maxTodoBytes);
  if (todo === null) return [];
  if (todo.length >= maxTodoBytes) return [posix.basename(file)];
  const steps = todo.toString("utf8").split("\n");
  return steps.map((step) => step.trim()).filter((step) => /^(?:x|exec)\b/.test(step));
}

async function checkStep(git: Git, step: OperationStep): Promise<Result<null>> {
  if (step === "continue") {
    const conflicts = await readConflicts(git);
    if (!conflicts.ok) return conflicts;
    const [path] = conflicts.value;
    if (path !== undefined) return fail("conflicts_left", undefined, { path, files: conflicts.value.length });
  }
  if (step !== "abort" && (await readIdentity(git)) === null) return fail("no_identity");
  return checkAllFilters(git);
}

/** Lists the staged paths, from the top, that are as the commit has them which is merged or applied. */
async function listAsIncoming({ whole: git }: Git): Promise<ReadonlySet<string>> {
  const names = ["MERGE_HEAD", "CHERRY_PICK_HEAD", "REBASE_HEAD"];
  const commits = await Promise.all(names.map((name) => readCommit(git, name)));
  const commit = commits.find((one) => one !== null);
  if (commit === undefined) return new Set();
  const words = ["diff", "--cached", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=dirty"];
  const [staged, other] = [
    await git.run([...words, "HEAD"], { maxBytes }),
    await git.run([...words, commit], { maxBytes }),
  ];
  if (!staged.ok || !other.ok) return new Set();
  const paths = (output: Buffer): readonly string[] => output.toString("utf8").split("\0").filter(Boolean);
  const differing = new Set(paths(other.value));
  return new Set(paths(staged.value).filter((path) => !differing.has(path)));
}

/**
 * Keeps a copy of each file that differs from the last commit and from that which is merged. Fails with outside for one that is not in
 * the project.
 */
async function keepCopies({ git, project, trash }: DiscardPlace): Promise<Result<readonly TrashId[]>> {
  const words = ["status", "--porcelain=v2", "-z", "--untracked-files=no", "--no-renames", "--ignore-submodules=dirty"];
  const status = await git.whole.run(words, { maxBytes });
  if (!status.ok) return status;
  const text = status.value.toString("utf8");
  const other = [...statusEntries(text)].find(({ path }) => !path.startsWith(git.prefix));
  if (other !== undefined) return fail("outside", undefined, { path: `${git.top}/${other.path}` });
  const committed = await listAsIncoming(git);
  const entries = [...statusEntries(text, git.prefix)].filter(
    ({ isSubmodule, kind, tree, path }) =>
      !isSubmodule && !(kind === "changed" && tree === "." && committed.has(`${git.prefix}${path}`)),
  );
  if (entries.length > maxCopies) return fail("too_many", undefined, { limit: maxCopies });
  const saved: TrashId[] = [];
  for (const { path } of entries) {
    const safe = ownerPath(path, "read", project.policy());
    const info = safe.ok ? await project.files.info(safe.value) : safe;
    if (!safe.ok || !info.ok || info.value.kind !== "file" || info.value.size > limits.writeMaxBytes) continue;
    const bytes = await project.files.readBytes(safe.value, limits.writeMaxBytes);
    if (!bytes.ok) return bytes;
    const copy = await trash.putCopy(project, safe.value, bytes.value, info.value.mode);
    if (!copy.ok) return copy;
    saved.push(copy.value);
  }
  return ok(saved);
}
