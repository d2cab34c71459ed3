/**
 * Composes the commands of git that run in a terminal with the user's own environment. Nothing is forced, and each names the branch that
 * it changes, so that settings of the repository do not choose another one.
 */
import { fail, ok, type Result } from "@/lib/events/error";
import { quoteShellWord } from "@/lib/tools/quote-shell-word";
import type { TerminalWork } from "@/lib/workspace/source-refs";
import { findStart } from "../branches/branches";
import { checkFinished } from "../changed-tree";
import { readCommit } from "../commit/commit";
import type { Git } from "../git";
import { readOperationName } from "../operations/operations";
import { type GitSetting, listSettingsWords, parseGitSettings, settingValue } from "../git-settings";

const maxBytes = 1_000_000;
/** Hooks and settings of a submodule are not among the programs that the user is asked about. */
const noSubmodules = "--no-recurse-submodules";

interface TerminalCommand {
  /** For the terminal's tab. */
  readonly name: string;
  readonly line: string;
}

/** Whether the work changes files of the project. */
export const changesFiles = ({ kind }: TerminalWork): boolean => kind !== "fetch" && kind !== "push";

/**
 * `environment` = of a terminal. Fails with not_found (no remote, upstream or branch), no_commit, git_unfinished, tool_failed where settings of the
 * repository name another work tree, and like `Git.run`.
 */
export async function composeTerminalLine(
  git: Git,
  work: TerminalWork,
  environment: Readonly<Record<string, string>>,
): Promise<Result<TerminalCommand>> {
  const finished = work.kind === "pull" || work.kind === "rebase" ? await checkFinished(git.top) : ok(null);
  if (!finished.ok) return finished;
  const checked = changesFiles(work) ? await checkWorkTree(git, environment) : ok(null);
  if (!checked.ok) return checked;
  const words = await composeWords(git, work);
  if (!words.ok) return words;
  const [verb = ""] = words.value;
  return ok({ name: `git ${verb}`, line: ["git", ...words.value].map(quoteShellWord).join(" ") });
}

/** In a terminal git itself determines the work tree. Where it refuses the repository, its text is shown there. */
async function checkWorkTree(git: Git, environment: Readonly<Record<string, string>>): Promise<Result<null>> {
  // This runs no program.
  const top = await git.run(["rev-parse", "--show-toplevel"], { maxBytes, programs: environment });
  const path = top.ok ? top.value.toString("utf8").replace(/\n$/, "") : git.top;
  return path === git.top ? ok(null) : fail("tool_failed", `core.worktree of the repository: ${path}`, { path });
}

async function composeWords(git: Git, work: TerminalWork): Promise<Result<readonly string[]>> {
  if (work.kind === "rebase") {
    const onto = await findStart(git, work.onto);
    return onto.ok ? ok(["rebase", "--interactive", onto.value.ref]) : onto;
  }
  if (work.kind === "step") {
    const name = await readOperationName(git);
    return name === null ? fail("not_found") : ok([name, `--${work.step}`]);
  }
  const settings = await readSettings(git);
  if (!settings.ok) return settings;
  const remotes = findRemotes(settings.value);
  if (remotes.length === 0) return fail("not_found", "remote");
  if (work.kind === "fetch") return ok(["fetch", noSubmodules, "--all"]);
  const head = await git.run(["symbolic-ref", "--quiet", "HEAD"], { maxBytes, exits: [0, 1] });
  if (!head.ok) return head;
  const ref = head.value.toString("utf8").trim();
  const branch = ref.replace(/^refs\/heads\//, "");
  if (branch === ref) return fail("not_found", "branch");
  const upstream = {
    remote: settingValue(settings.value, `branch.${branch}.remote`),
    ref: settingValue(settings.value, `branch.${branch}.merge`),
  };
  if (work.kind !== "push")
    return upstream.ref === undefined ? fail("not_found", "upstream") : ok(["pull", noSubmodules]);
  return (await readCommit(git, "HEAD")) === null
    ? fail("no_commit")
    : composePush({ ref, branch, settings: settings.value, remotes, upstream, chosen: work.remote });
}

/** Lists the names of the remotes. Fails like `Git.run`. */
export async function listRemotes(git: Git): Promise<Result<readonly string[]>> {
  const settings = await readSettings(git);
  return settings.ok ? ok(findRemotes(settings.value)) : settings;
}

async function readSettings(git: Git): Promise<Result<readonly GitSetting[]>> {
  const listed = await git.run(listSettingsWords, { maxBytes });
  return listed.ok ? ok(parseGitSettings(listed.value)) : listed;
}

const findRemotes = (settings: readonly GitSetting[]): readonly string[] => [
  ...new Set(settings.flatMap(({ name }) => /^remote\.(.+)\.url$/s.exec(name)?.[1] ?? [])),
];

interface PushOrder {
  /** Full name of the branch. */
  readonly ref: string;
  readonly branch: string;
  readonly settings: readonly GitSetting[];
  readonly remotes: readonly string[];
  readonly upstream: { readonly remote: string | undefined; readonly ref: string | undefined };
  /** undefined = the usual remote. */
  readonly chosen: string | undefined;
}

function composePush({ ref, branch, settings, remotes, upstream, chosen }: PushOrder): Result<readonly string[]> {
  if (chosen !== undefined && !remotes.includes(chosen)) return fail("not_found", chosen);
  const pushed =
    chosen ?? settingValue(settings, `branch.${branch}.pushremote`) ?? settingValue(settings, "remote.pushdefault");
  // An upstream in the repository itself is another branch of it.
  const { remote, ref: merge } = upstream.remote === "." ? {} : upstream;
  if (merge !== undefined && remote !== undefined && (pushed ?? remote) === remote)
    return ok(["push", noSubmodules, "--", remote, `${ref}:${merge}`]);
  const target = pushed ?? remotes.find((name) => name === "origin") ?? remotes[0] ?? "";
  return ok(["push", noSubmodules, ...(merge === undefined ? ["--set-upstream"] : []), "--", target, `${ref}:${ref}`]);
}
