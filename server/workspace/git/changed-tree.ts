/** Checks before a command that changes the files of the work tree, and the state after it. */
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { SourceOperation, SourceOutcome } from "@/lib/workspace/source-control";
import { readConflicts } from "./commit/commit";
import { readIdentity } from "./commit/commit-facts";
import { type Git, type GitCommand, maxGitListBytes } from "./git";
import { findGitFolders } from "./git-folders";
import { readOperation } from "./source-status";
import { checkFilters } from "./stage";

/** Checking out a large repository. */
export const treeChange = { maxBytes: maxGitListBytes, writes: true, timeoutMs: 300_000 } as const satisfies GitCommand;

/** Fails with git_unfinished while a merge, a rebase or the like is unfinished; a bisection hinders nothing. */
export async function checkFinished(root: string): Promise<Result<null>> {
  const operation = await readOperation((await findGitFolders(root)).own);
  return operation === null || operation.kind === "bisect" ? ok(null) : fail("git_unfinished");
}

/**
 * Fails with filter_off if a path that differs between two commits has a filter of the repository, which is not run, or if its
 * attributes change. `from` null = there is no commit yet.
 */
export async function checkTreeFilters(git: Git, from: string | null, to: string): Promise<Result<null>> {
  if (git.disabledFilters.size === 0) return ok(null);
  const words = from === null ? ["ls-tree", "-r", "-z", "--name-only", to] : [...diffTreeWords, from, to, "--"];
  const listed = await git.run(words, { maxBytes: maxGitListBytes });
  if (!listed.ok) return listed;
  const paths = listed.value.toString("utf8").split("\0").filter(Boolean);
  const attributes = paths.find((path) => /(?:^|\/)\.gitattributes$/.test(path));
  if (attributes !== undefined) return fail("filter_off", undefined, { path: attributes, name: "" });
  return checkFilters(git, paths);
}

const diffTreeWords = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff"];

/** The same for all tracked paths: an unfinished rebase may change any. */
export async function checkAllFilters(git: Git): Promise<Result<null>> {
  if (git.disabledFilters.size === 0) return ok(null);
  const listed = await git.run(["ls-files", "-z"], { maxBytes: maxGitListBytes });
  if (!listed.ok) return listed;
  return checkFilters(git, [...new Set(listed.value.toString("utf8").split("\0").filter(Boolean))]);
}

/**
 * Returns the state after a command that may have stopped at conflicts, or its error if it has changed nothing: local_changes
 * for files that it would have overwritten, no_identity. `before` = the unfinished work before a command that begins or continues it:
 * another one without conflicts means that git has staged earlier resolutions (`git rerere`) and stopped.
 */
export async function toOutcome(
  git: Git,
  root: string,
  result: Result<unknown>,
  before?: SourceOperation | null,
): Promise<Result<SourceOutcome>> {
  const conflicts = await readConflicts(git);
  if (!conflicts.ok) return result.ok ? conflicts : result;
  const operation = await readOperation((await findGitFolders(root)).own);
  const hasStopped =
    conflicts.value.length > 0 || (before !== undefined && operation !== null && !isSameStep(operation, before));
  if (!result.ok && !hasStopped) return { ok: false, error: await explainRefusal(git, result.error) };
  return ok({ conflicts: conflicts.value.length, operation });
}

const isSameStep = (one: SourceOperation, other: SourceOperation | null): boolean =>
  one.kind === other?.kind && one.step === other.step;

/** Returns the error with the code for why git changed nothing; the only place that reads git's text about it. */
export async function explainRefusal(git: Git, error: AgentError): Promise<AgentError> {
  const { detail = "" } = error;
  if (error.code !== "tool_failed") return error;
  const path = /^error: .*would be overwritten by .*:\n\t(.+)$/m.exec(detail)?.[1];
  if (path !== undefined) return { code: "local_changes", detail, facts: { path } };
  const isUnknown = /auto-detection is disabled|Please tell me who you are|empty ident name/.test(detail);
  return isUnknown && (await readIdentity(git)) === null ? { code: "no_identity" } : error;
}
