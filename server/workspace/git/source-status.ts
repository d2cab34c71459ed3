/** Reads what the source control pane shows of a repository: its groups of paths, the branch, and unfinished work. */
import { stat } from "node:fs/promises";
import { posix } from "node:path";
import type { Steps } from "@/lib/async/steps";
import { ok, type Result } from "@/lib/events/error";
import { isUnreadableName } from "@/lib/text/unreadable-name";
import type {
  RepositoryAbove,
  SourceBranch,
  SourceChange,
  SourceEntry,
  SourceGroup,
  SourceOperation,
  SourceStatus,
} from "@/lib/workspace/source-control";
import { findGitFolders, findRepositoryTop, readGitLine } from "./git-folders";
import { type Git, maxGitListBytes } from "./git";
import { runStepsInSlices } from "@/server/base/steps";
import { type GitProject, openProjectGit, readFolderStatus } from "./project-git";
import { type StatusEntry, statusHeader } from "./status-entries";

/** Rows of all groups. */
const maxRows = 5_000;
const shortHashChars = 8;

/** Submodules are one row and not entered; an untracked folder is one row. */
const statusWords = [
  ...["status", "--porcelain=v2", "-z", "--branch", "--show-stash", "--find-renames"],
  ...["--untracked-files=normal", "--ignore-submodules=dirty"],
];

/** Runs nothing in an untrusted folder. Fails with timeout, too_large, tool_failed (git's error output), aborted. */
export async function readSourceStatus(
  project: GitProject,
  environment: NodeJS.Dict<string>,
  signal: AbortSignal,
): Promise<Result<SourceStatus>> {
  const from = performance.now();
  const git = await openProjectGit(project, environment, signal);
  if (!git.ok) return git;
  if (git.value === "untrusted") return ok({ kind: "untrusted" });
  if (git.value === "above") return ok({ kind: "above", top: (await findRepositoryTop(project.root)) ?? "" });
  if (typeof git.value === "string") return ok({ kind: "none", why: git.value });
  const status = await readFolderStatus(git.value, statusWords);
  if (!status.ok) return status;
  const { output } = status.value;
  const above = await describeAbove(git.value);
  if (!above.ok) return above;
  return ok({
    kind: "status",
    branch: parseBranch(output),
    operation: await readOperation((await findGitFolders(git.value.top)).own),
    stashes: Number(statusHeader(output, "stash") ?? 0),
    ...(await runStepsInSlices(groupEntriesSteps(status.value.entries()), signal)),
    ...(above.value === null ? {} : { above: above.value }),
    tookMs: Math.round(performance.now() - from),
  });
}

/** Returns what the folder of a repository has to show of the rest of it; null = the folder is the top. */
async function describeAbove({ prefix, top, whole }: Git): Promise<Result<RepositoryAbove | null>> {
  if (prefix === "") return ok(null);
  const words = ["diff", "--cached", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--ignore-submodules=dirty"];
  const staged = await whole.run(words, { maxBytes: maxGitListBytes });
  if (!staged.ok) return staged;
  const paths = staged.value.toString("utf8").split("\0").filter(Boolean);
  return ok({ top, staged: paths.filter((path) => !path.startsWith(prefix)).length });
}

function parseBranch(output: Buffer): SourceBranch {
  const [name = "", commit = "", upstream] = ["branch.head", "branch.oid", "branch.upstream"].map((header) =>
    statusHeader(output, header),
  );
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(statusHeader(output, "branch.ab") ?? "") ?? [];
  return {
    name: name === "(detached)" ? null : name,
    commit: commit === "(initial)" ? null : commit.slice(0, shortHashChars),
    ...(upstream === undefined ? {} : { upstream }),
    ...(ahead === undefined ? {} : { ahead: Number(ahead), behind: Number(behind) }),
  };
}

type SourceGroups = Record<SourceGroup, SourceEntry[]>;

interface GroupedEntries extends SourceGroups {
  readonly more: number;
  readonly unreadable: number;
}

/** Entries between two steps. */
const entriesPerStep = 200;

/** Puts the entries into their groups. Those of the last commit's side come first where the rows are limited. */
export function* groupEntriesSteps(entries: Iterable<StatusEntry>): Steps<GroupedEntries> {
  const groups: SourceGroups = { staged: [], changed: [], untracked: [], conflicts: [] };
  let [read, rows, more, unreadable] = [0, 0, 0, 0];
  const add = (group: SourceGroup, entry: StatusEntry, change: SourceChange): void => {
    if (++rows > maxRows) more += 1;
    else groups[group].push(toRow(entry, change));
  };
  for (const entry of entries) {
    if (++read % entriesPerStep === 0) yield;
    if (isUnreadableName(entry.path)) unreadable += 1;
    else if (entry.kind === "untracked") add("untracked", entry, "untracked");
    else if (entry.kind === "unmerged") add("conflicts", entry, "conflicted");
    else {
      if (entry.index !== ".") add("staged", entry, sourceChanges[entry.index] ?? "modified");
      if (entry.tree !== ".") add("changed", entry, sourceChanges[entry.tree] ?? "modified");
    }
  }
  return { ...groups, more, unreadable };
}

/** The changes by git's letters. */
export const sourceChanges: { readonly [letter: string]: SourceChange | undefined } = {
  M: "modified",
  A: "added",
  D: "deleted",
  R: "renamed",
  C: "copied",
  T: "type",
};

const toRow = ({ path, from, isSubmodule }: StatusEntry, change: SourceChange): SourceEntry => ({
  path,
  ...(from !== undefined && (change === "renamed" || change === "copied") ? { from } : {}),
  change,
  ...(isSubmodule ? { isSubmodule: true as const } : {}),
});

/** Files that git has while work is unfinished, and those with its steps. A rebase may contain one of the others. */
const operationFiles: readonly (readonly [kind: SourceOperation["kind"], file: string, step?: string, end?: string])[] =
  [
    ["rebase", "rebase-merge", "rebase-merge/msgnum", "rebase-merge/end"],
    ["apply", "rebase-apply/applying", "rebase-apply/next", "rebase-apply/last"],
    ["rebase", "rebase-apply", "rebase-apply/next", "rebase-apply/last"],
    ["merge", "MERGE_HEAD"],
    ["cherry_pick", "CHERRY_PICK_HEAD"],
    ["revert", "REVERT_HEAD"],
    ["bisect", "BISECT_LOG"],
  ];

/** Returns what is unfinished in the work tree whose own git folder is `folder`; null = nothing. */
export async function readOperation(folder: string): Promise<SourceOperation | null> {
  for (const [kind, file, step, end] of operationFiles) {
    const exists = await stat(posix.join(folder, file)).then(
      () => true,
      () => false,
    );
    if (!exists) continue;
    const [at, total] = await Promise.all(
      [step, end].map((name) => (name === undefined ? null : readGitLine(folder, name))),
    );
    return { kind, ...(Number(at) > 0 && Number(total) > 0 ? { step: Number(at), steps: Number(total) } : {}) };
  }
  return null;
}
