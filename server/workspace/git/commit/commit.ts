/** Makes a commit of the index. The repository's hooks and programs run only if the user has allowed them. */
import { posix } from "node:path";
import { type AgentError, fail, ok, type Result } from "@/lib/events/error";
import type { Hash } from "@/lib/events/id";
import { quoteShellWord } from "@/lib/tools/quote-shell-word";
import type { Git, GitCommand } from "../git";
import { findGitFolders } from "../git-folders";
import { findOwnPrograms } from "../git-settings";
import { readOperation } from "../source-status";
import { type PreparedPaths, preparePaths } from "./commit-paths";
import {
  type CommitPlace,
  type CommitSettings,
  onlyConfiguredIdentity,
  readCommitSettings,
  readIdentity,
} from "./commit-facts";

const maxBytes = 16_000_000;

export interface CommitOrder {
  readonly message: string;
  readonly amend: boolean;
  readonly signOff: boolean;
  /** Hash of the hooks that the user allows to run; null = none runs. */
  readonly hooksHash: string | null;
  /** Commits these paths alone, as they are on the disk; absent = the index. */
  readonly paths?: readonly string[] | undefined;
}

export interface CommitRun extends CommitPlace {
  /** Environment of the hooks. */
  readonly programs: Readonly<Record<string, string>>;
  /** Gets the output of the hooks. */
  readonly onOutput: (text: string) => void;
  /** The hooks are those that the user has allowed. */
  readonly onHooksAllowed: (hash: Hash) => void;
  readonly stop: AbortSignal;
}

/**
 * Returns the id of the new commit. Fails with nothing_staged, no_identity, conflicts_left, no_commit (nothing to amend),
 * git_unfinished (amend during a merge, `paths` during any work), no_changes (in `paths`), filter_off, hook_failed, needs_terminal, changed_meanwhile if the hooks are others now or another
 * program has made a commit, aborted, and like `Git.run`.
 */
export async function makeCommit(git: Git, run: CommitRun, order: CommitOrder): Promise<Result<{ commit: string }>> {
  const read = await readCommitSettings(git, run);
  if (!read.ok) return read;
  if (order.hooksHash !== null && order.hooksHash !== read.value.hash) return fail("changed_meanwhile");
  const before = await readCommit(git, "HEAD");
  const refused = await findObstacle(git, run.root, order, before);
  if (refused !== null) return { ok: false, error: refused };
  const only =
    order.paths === undefined ? ok(wholeIndex) : await preparePaths(git, order.paths, order.hooksHash !== null);
  if (!only.ok) return only;
  if (order.hooksHash !== null) run.onHooksAllowed(read.value.hash);
  const options = [...(order.amend ? ["--amend"] : []), ...(order.hooksHash === null ? ["--no-verify"] : [])];
  const words = [...options, ...only.value.words];
  const made = await git.run(
    [...commitSettings, ...commitWords, "-F", "-", ...(order.signOff ? ["--signoff"] : []), ...words],
    toCommand(run, order, read.value),
  );
  const commit = await readCommit(git, "HEAD");
  // A hook after the commit may be ended too.
  if (!made.ok && made.error.code === "aborted" && commit !== null && commit !== before) return ok({ commit });
  if (made.ok) return ok({ commit: commit ?? "" });
  const error = await explain(git, made.error, { run, order, before, ...read.value }, words);
  // The command for the terminal names the new files.
  if (error.code !== "needs_terminal") await only.value.undo();
  return { ok: false, error };
}

const wholeIndex: PreparedPaths = { words: [], undo: () => Promise.resolve() };

const commitSettings = [...onlyConfiguredIdentity, "-c", "i18n.commitEncoding=UTF-8"];
/** Lines that begin with the sign of comments are kept. */
const commitWords = ["commit", "--quiet", "--cleanup=whitespace", "--no-edit"];

/** Variables by which programs that sign find their keys. */
const signingVariables = ["SSH_AUTH_SOCK", "GNUPGHOME"] as const;

function toCommand(
  { environment, programs, onOutput, stop }: CommitRun,
  { message, hooksHash }: CommitOrder,
  { signs }: CommitSettings,
): GitCommand {
  const variables = (signs ? signingVariables : []).flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value]];
  });
  return {
    ...{ maxBytes, input: message, writes: true, usesPatterns: true, timeoutMs: null, stop },
    environment: Object.fromEntries(variables),
    onErrorOutput: onOutput,
    ...(hooksHash === null ? {} : { programs }),
  };
}

/** Returns the id of a commit; null = there is none of this name. */
export async function readCommit(git: Git, name: string): Promise<string | null> {
  const words = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  const found = await git.run(words, { maxBytes });
  return found.ok ? found.value.toString("utf8").trim() : null;
}

/** Returns the error for what git would refuse, or take for something else. */
async function findObstacle(
  git: Git,
  root: string,
  { amend, paths }: CommitOrder,
  head: string | null,
): Promise<AgentError | null> {
  const conflicts = await readConflicts(git);
  if (!conflicts.ok) return conflicts.error;
  const [path] = conflicts.value;
  if (path !== undefined) return { code: "conflicts_left", facts: { path, files: conflicts.value.length } };
  const operation = await readOperation((await findGitFolders(root)).own);
  if (amend && head === null) return { code: "no_commit" };
  if (amend && operation !== null && operation.kind !== "rebase" && operation.kind !== "bisect")
    return { code: "git_unfinished" };
  if (paths !== undefined && operation !== null && operation.kind !== "bisect") return { code: "git_unfinished" };
  if (!amend && operation?.kind !== "merge" && paths === undefined) {
    const words = ["diff", "--cached", "--quiet", "--no-ext-diff", "--ignore-submodules=dirty"];
    const isSame = await git.run(words, { maxBytes });
    if (isSame.ok) return { code: "nothing_staged" };
    if (isSame.error.code !== "tool_failed" || isSame.error.facts?.exit !== 1) return isSame.error;
  }
  return (await readIdentity(git)) === null ? { code: "no_identity" } : null;
}

/** Lists the paths in conflict. Fails like `Git.run`. */
export async function readConflicts(git: Git): Promise<Result<readonly string[]>> {
  const listed = await git.run(["ls-files", "--unmerged", "-z"], { maxBytes });
  if (!listed.ok) return listed;
  const fields = listed.value.toString("utf8").split("\0").filter(Boolean);
  return ok([...new Set(fields.map((field) => field.slice(field.indexOf("\t") + 1)))]);
}

interface FailedCommit extends CommitSettings {
  readonly run: CommitRun;
  readonly order: CommitOrder;
  readonly before: string | null;
}

/** Returns the error with the code for what went wrong; the only place that reads git's text about a commit. */
async function explain(
  git: Git,
  error: AgentError,
  { run, order, before, signs, settings }: FailedCommit,
  words: readonly string[],
): Promise<AgentError> {
  if (error.code !== "tool_failed") return error;
  const { detail = "", facts } = error;
  if (signs && /failed to write commit object/.test(detail) && !/No space left/.test(detail)) {
    const { own } = await findGitFolders(run.root);
    const off = order.hooksHash === null ? hooksOff(settings) : [];
    if (off === null) return error;
    const file = posix.join(own, "COMMIT_EDITMSG");
    const all = ["git", ...off, "commit", "--cleanup=whitespace", "-F", file, ...words];
    const command = all.map(quoteShellWord).join(" ");
    return { code: "needs_terminal", detail, facts: { command } };
  }
  if ((await readCommit(git, "HEAD")) !== before) return { code: "changed_meanwhile", detail };
  return order.hooksHash !== null && facts?.exit === 1 ? { code: "hook_failed", detail } : error;
}

/**
 * Returns arguments of git by which neither a hook, a signing program nor a monitor of files of the repository runs; null = a name cannot
 * be in an argument, which ends it at the first `=`.
 */
function hooksOff(settings: CommitSettings["settings"]): readonly string[] | null {
  const own = findOwnPrograms(settings).overrides.filter(([name]) => /^(?:gpg|hook)\./.test(name));
  if (own.some(([name]) => name.includes("="))) return null;
  return [["core.hooksPath", "/dev/null"], ["core.fsmonitor", ""], ...own].flatMap((one) => ["-c", one.join("=")]);
}
