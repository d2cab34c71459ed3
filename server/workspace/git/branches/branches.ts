/** Lists, switches, creates, renames, deletes and merges branches. No program of the repository runs. */
import { fail, ok, type Result } from "@/lib/events/error";
import { isUnreadableName } from "@/lib/text/unreadable-name";
import type { SourceBranchList, SourceBranchRow, SourceOutcome } from "@/lib/workspace/source-control";
import { checkFinished, checkTreeFilters, explainRefusal, toOutcome, treeChange } from "../changed-tree";
import { readCommit } from "../commit/commit";
import { readIdentity } from "../commit/commit-facts";
import type { Git } from "../git";

/** Branches of the list. */
const maxBranches = 1_000;
const maxBytes = 4_000_000;

const fields = [
  ...["%(refname)", "%(objectname)", "%(committerdate:unix)", "%(HEAD)", "%(symref)", "%(upstream)"],
  ...["%(worktreepath)", "%(contents:subject)"],
];
const trackField = "%(upstream:track,nobracket)";

/** Returns the branches with the newest commits first, those of the repository before those of remotes. Fails like `Git.run`. */
export async function listBranches(git: Git): Promise<Result<SourceBranchList>> {
  const rows: SourceBranchRow[] = [];
  let more = false;
  for (const folder of ["refs/heads", "refs/remotes"] as const) {
    const isLocal = folder === "refs/heads";
    const names = [...fields, ...(isLocal ? [trackField] : [])];
    const format = `--format=${names.map((name) => `${name}%00`).join("")}`;
    const count = `--count=${maxBranches - rows.length + 1}`;
    const listed = await git.run(["for-each-ref", format, count, "--sort=-committerdate", folder], { maxBytes });
    if (!listed.ok) return listed;
    const found = parseBranches(listed.value.toString("utf8"), names.length, isLocal);
    more ||= found.length > maxBranches - rows.length;
    rows.push(...found.slice(0, maxBranches - rows.length));
  }
  return ok({ branches: rows, more });
}

function parseBranches(text: string, length: number, isLocal: boolean): readonly SourceBranchRow[] {
  const values = text.split("\0");
  const rows: SourceBranchRow[] = [];
  for (let at = 0; at + length <= values.length; at += length) {
    const [ref = "", commit = "", seconds = "", head, symref, upstream = "", worktree = "", subject = "", track = ""] =
      values.slice(at, at + length);
    const name = ref.trimStart().replace(/^refs\/(?:heads|remotes)\//, "");
    // `origin/HEAD` is a name of another branch.
    if (symref !== "" || isUnreadableName(name)) continue;
    rows.push({
      name,
      isRemote: !isLocal,
      isCurrent: head === "*",
      commit,
      subject,
      at: Number(seconds) * 1_000,
      ...(upstream === ""
        ? {}
        : { upstream: upstream.replace(/^refs\/(?:heads|remotes)\//, ""), ...parseTrack(track) }),
      ...(worktree === "" || head === "*" ? {} : { worktree }),
    });
  }
  return rows;
}

const parseTrack = (track: string): Pick<SourceBranchRow, "ahead" | "behind" | "isUpstreamGone"> =>
  track === "gone"
    ? { isUpstreamGone: true }
    : {
        ahead: Number(/ahead (\d+)/.exec(track)?.[1] ?? 0),
        behind: Number(/behind (\d+)/.exec(track)?.[1] ?? 0),
      };

/** Returns the full name of a branch; fails with bad_input for a name that git does not allow. */
async function toBranchRef(git: Git, name: string): Promise<Result<string>> {
  const ref = `refs/heads/${name}`;
  const checked = await git.run(["check-ref-format", ref], { maxBytes });
  if (name.startsWith("-") || name === "HEAD" || !checked.ok) return fail("bad_input", undefined, { field: "branch" });
  return ok(ref);
}

/** Returns the full name of a branch that does not exist. Fails with bad_input, exists. */
async function toNewBranch(git: Git, name: string): Promise<Result<string>> {
  const ref = await toBranchRef(git, name);
  if (!ref.ok) return ref;
  return (await readCommit(git, ref.value)) === null ? ref : fail("exists", undefined, { name });
}

/** Returns the commit of a branch. Fails with bad_input, not_found. */
async function findBranch(git: Git, name: string): Promise<Result<{ readonly ref: string; readonly commit: string }>> {
  const ref = await toBranchRef(git, name);
  if (!ref.ok) return ref;
  const commit = await readCommit(git, ref.value);
  return commit === null ? fail("not_found", name) : ok({ ref: ref.value, commit });
}

/** Finds a commit by a branch, a remote's branch, a tag or an id; `ref` = its name for git, which tracks a branch that has one. */
export async function findStart(
  git: Git,
  name: string,
): Promise<Result<{ readonly ref: string; readonly commit: string }>> {
  const names = /^[0-9a-f]{40,64}$/.test(name) || name === "HEAD" ? [name] : [];
  for (const ref of [...names, `refs/heads/${name}`, `refs/remotes/${name}`, `refs/tags/${name}`]) {
    const commit = await readCommit(git, ref);
    if (commit !== null) return ok({ ref, commit });
  }
  return name === "HEAD" ? fail("no_commit") : fail("not_found", name);
}

/**
 * Checks out a branch; with `from` (a branch, tag, commit or HEAD) creates it first. Ignored files are not overwritten either. Returns
 * the branch that keeps the commits of a detached HEAD, if they would be lost. Fails
 * with bad_input, not_found, exists, local_changes, filter_off, git_unfinished, no_commit, and like `Git.run`.
 */
export async function switchBranch(
  git: Git,
  root: string,
  { branch, from }: { readonly branch: string; readonly from?: string },
): Promise<Result<KeptCommits>> {
  const finished = await checkFinished(root);
  if (!finished.ok) return finished;
  const isNew = from === undefined ? null : await toNewBranch(git, branch);
  if (isNew?.ok === false) return isNew;
  const target = from === undefined ? await findBranch(git, branch) : await findStart(git, from);
  if (!target.ok) return target;
  const head = await readCommit(git, "HEAD");
  const filters = await checkTreeFilters(git, head, target.value.commit);
  if (!filters.ok) return filters;
  const words = ["--no-guess", "--no-overwrite-ignore", ...(from === undefined ? [] : ["--create"]), branch];
  const start = from === undefined ? [] : [target.value.ref];
  const switched = await git.run(["switch", "--quiet", ...words, ...start], treeChange);
  if (!switched.ok) return { ok: false, error: await explainRefusal(git, switched.error) };
  return ok({ kept: head === null ? null : await keepCommits(git, head) });
}

export interface KeptCommits {
  /** Name of the branch that has commits which no other name has; null = there are none. */
  readonly kept: string | null;
}

/** Gives a commit a branch if no branch, tag or HEAD has it: git would delete it some day. Returns the name of the branch. */
export async function keepCommits(git: Git, commit: string): Promise<string | null> {
  const names = ["--not", "HEAD", "--branches", "--remotes", "--tags"];
  const lost = await git.run(["rev-list", "--max-count=1", commit, ...names], { maxBytes });
  if (!lost.ok || lost.value.length === 0) return null;
  const name = `detached-${commit.slice(0, shortIdChars)}`;
  const created = await git.run(["branch", "--no-track", "--", name, commit], { maxBytes, writes: true });
  return created.ok ? name : null;
}

const shortIdChars = 10;

/** Creates a branch without checking it out. Fails with bad_input, exists, not_found, no_commit, and like `Git.run`. */
export async function createBranch(git: Git, branch: string, from: string): Promise<Result<null>> {
  const isNew = await toNewBranch(git, branch);
  if (!isNew.ok) return isNew;
  const start = await findStart(git, from);
  if (!start.ok) return start;
  const created = await git.run(["branch", "--quiet", "--", branch, start.value.ref], { maxBytes, writes: true });
  return created.ok ? ok(null) : created;
}

/** Fails with bad_input, not_found, exists, and like `Git.run`. */
export async function renameBranch(git: Git, branch: string, to: string): Promise<Result<null>> {
  const found = await findBranch(git, branch);
  if (!found.ok) return found;
  const isNew = await toNewBranch(git, to);
  if (!isNew.ok) return isNew;
  const renamed = await git.run(["branch", "--move", "--", branch, to], { maxBytes, writes: true });
  return renamed.ok ? ok(null) : renamed;
}

/**
 * Deletes a branch, and returns the commit it had. Fails with not_merged, unless `force`, if neither HEAD nor its upstream has all
 * of its `commits`, with bad_input, not_found, and like `Git.run`.
 */
export async function deleteBranch(git: Git, branch: string, force: boolean): Promise<Result<{ commit: string }>> {
  const found = await findBranch(git, branch);
  if (!found.ok) return found;
  const { ref, commit } = found.value;
  if (!force) {
    const upstream = await git.run(["for-each-ref", "--format=%(upstream)", ref], { maxBytes });
    if (!upstream.ok) return upstream;
    const names = ["HEAD", upstream.value.toString("utf8").trim()].filter(Boolean);
    const others = (await Promise.all(names.map((name) => readCommit(git, name)))).filter((one) => one !== null);
    const counted = await Promise.all(others.map((one) => countCommits(git, `${one}..${commit}`)));
    const commits = Math.min(...counted);
    if (commits > 0) return fail("not_merged", undefined, { commits });
  }
  const deleted = await git.run(["branch", "--quiet", "--delete", "--force", "--", branch], { maxBytes, writes: true });
  return deleted.ok ? ok({ commit }) : deleted;
}

async function countCommits(git: Git, range: string): Promise<number> {
  const counted = await git.run(["rev-list", "--count", range, "--"], { maxBytes });
  return counted.ok ? Number(counted.value.toString("utf8")) : Number.POSITIVE_INFINITY;
}

/**
 * Merges a branch, tag or commit into the checked-out branch. Conflicts are no failure. Fails with not_found, no_commit,
 * local_changes, filter_off, git_unfinished, no_identity, and like `Git.run`.
 */
export async function mergeBranch(git: Git, root: string, branch: string): Promise<Result<SourceOutcome>> {
  const finished = await checkFinished(root);
  if (!finished.ok) return finished;
  const target = await findStart(git, branch);
  if (!target.ok) return target;
  const head = await readCommit(git, "HEAD");
  if (head === null) return fail("no_commit");
  const filters = await checkTreeFilters(git, head, target.value.commit);
  if (!filters.ok) return filters;
  const isForward = await git.run(["merge-base", "--is-ancestor", "HEAD", target.value.commit], { maxBytes });
  if (!isForward.ok && (await readIdentity(git)) === null) return fail("no_identity");
  const words = [
    "merge",
    "--quiet",
    "--no-edit",
    "--no-stat",
    "--no-autostash",
    "--no-verify",
    "--no-verify-signatures",
  ];
  // Git's message has the name as it is given; a short one may mean a tag.
  const name = (await readCommit(git, branch)) === target.value.commit ? branch : target.value.ref;
  return toOutcome(git, root, await git.run([...words, "--no-overwrite-ignore", name], treeChange), null);
}
