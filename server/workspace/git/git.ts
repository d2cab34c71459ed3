/**
 * Runs git safely: no repository setting can make it run a program. Only for folders the user trusts, and even
 * there no program of the repository runs.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { fail, ok, type Result } from "@/lib/events/error";
import { pathWithoutProject } from "@/server/security/environment/shell-environment";
import { runProcess } from "@/server/base/run-process";
import { findGitFolders } from "./git-folders";
import {
  findOwnPrograms,
  type GitSettingOverride,
  listSettingsWords,
  type OwnPrograms,
  parseGitSettings,
} from "./git-settings";

/** Timeout of a git command, ms. */
const gitTimeoutMs = 10_000;

export interface GitCommand {
  /** Limit of the output. */
  readonly maxBytes: number;
  readonly input?: string | Buffer;
  /** It may write the index, objects and refs; otherwise git writes nothing, not even a refreshed index. */
  readonly writes?: boolean;
  /** Exit codes that are no failure; default: 0. */
  readonly exits?: readonly number[];
  /** Default: `gitTimeoutMs`; null = it may take any time. */
  readonly timeoutMs?: number | null;
  /** Ends this command alone. */
  readonly stop?: AbortSignal;
  /**
   * The programs of the repository run, in this environment of a tool's shell: hooks, filters and what its settings name. The user
   * has allowed them. Absent = none runs.
   */
  readonly programs?: Readonly<Record<string, string>>;
  /** Gets what git and its programs report, in parts of any size. */
  onErrorOutput?(text: string): void;
  /**
   * It is passed no paths, and uses patterns of its own: `git stash` finds the untracked files that it removes by one.
   * Otherwise paths are never patterns.
   */
  readonly usesPatterns?: true;
  /** Gets the output in parts of any size, also that of a command which fails at a limit or is aborted. */
  readonly onOutput?: (part: Buffer) => void;
  /** Further variables of its environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Git {
  /**
   * Returns the output of a git command. `words` are arguments, never a shell line; paths follow after `--`. Fails
   * with not_found if git is missing, timeout, too_large (more than `maxBytes`), aborted, and tool_failed with git's
   * error output and exit code.
   */
  run(words: readonly string[], command: GitCommand): Promise<Result<Buffer>>;
  /** Names of the repository's own filters, which are not run. */
  readonly disabledFilters: ReadonlySet<string>;
  /** Top of the work tree: absolute, real path. */
  readonly top: string;
  /**
   * The folder in which commands run, below the top and with a slash at its end; "" = the top. Paths that git gets are relative to
   * this folder, most that it prints are relative to the top.
   */
  readonly prefix: string;
  /** The same at the top, for commands about the whole repository. */
  readonly whole: Git;
}

/** Overrides of settings that run programs; passed by environment, so that no name can be parsed wrongly. */
const safeSettings: readonly GitSettingOverride[] = [
  ["core.fsmonitor", ""],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.sshCommand", "false"],
  ["core.askPass", ""],
  ["credential.helper", ""],
  // A command that writes starts no clean-up in the background.
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  // A submodule has settings of its own.
  ["submodule.recurse", "false"],
  ["status.submoduleSummary", "false"],
];

/** For commands in which the programs of the repository run. */
const settingsWithPrograms: readonly GitSettingOverride[] = [
  ["core.pager", "cat"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
];

/** For an index of our own: nothing is taken for unchanged without a look, and folders without changes are not listed again. */
const privateIndexSettings: readonly GitSettingOverride[] = [
  ["core.untrackedCache", "true"],
  ["status.showUntrackedFiles", "all"],
  ["core.ignoreStat", "false"],
  ["core.trustctime", "true"],
  ["core.checkStat", "default"],
];

const inheritedVariables = ["HOME", "XDG_CONFIG_HOME", "USER", "LOGNAME", "TMPDIR"] as const;

/** Builds the environment: no inherited git variables, no programs of the project in PATH. */
function gitEnvironment(
  { root, base, indexFile }: GitRepository,
  settings: readonly GitSettingOverride[],
  writes: boolean,
): { readonly [name: string]: string } {
  return {
    ...Object.fromEntries(inheritedVariables.flatMap((name) => (base[name] === undefined ? [] : [[name, base[name]]]))),
    PATH: pathWithoutProject(root, base.PATH),
    LC_ALL: "C",
    ...unattendedVariables,
    // A command that reads may refresh a private index, never the user's.
    ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
    ...(indexFile === undefined && !writes ? { GIT_OPTIONAL_LOCKS: "0" } : {}),
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    // Missing objects are not fetched: every transport is refused.
    GIT_ALLOW_PROTOCOL: "none",
    ...settingVariables(settings),
  };
}

/** Neither a question nor an editor is opened. */
const unattendedVariables = { GIT_TERMINAL_PROMPT: "0", GIT_EDITOR: "true", GIT_SEQUENCE_EDITOR: "true" };

const settingVariables = (settings: readonly GitSettingOverride[]): Readonly<Record<string, string>> => ({
  GIT_CONFIG_COUNT: String(settings.length),
  ...Object.fromEntries(
    settings.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
});

/** Adds what git needs to the environment of a tool's shell. Git's own messages are in English, other text as the user has it. */
function environmentWithPrograms(
  root: string,
  { LC_ALL, ...shell }: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return {
    ...shell,
    PATH: pathWithoutProject(root, shell.PATH),
    ...(LC_ALL === undefined ? {} : { LC_CTYPE: LC_ALL }),
    LC_MESSAGES: "C",
    ...unattendedVariables,
    ...settingVariables(settingsWithPrograms),
  };
}

const configMaxBytes = 1_000_000;

/** Limit of the output of a command that lists paths. */
export const maxGitListBytes = 32_000_000;

export interface GitPlace {
  /** Top of the work tree: absolute, real path. */
  readonly root: string;
  /** As `Git.prefix`. */
  readonly prefix: string;
}

/**
 * Opens a repository. Reads its settings first, which runs nothing, and overrides those among them that name programs.
 * `indexFile` = an index of our own, which git reads and refreshes instead of the repository's. Fails like `run`.
 */
export async function openGit(
  { root, prefix }: GitPlace,
  base: NodeJS.Dict<string>,
  signal: AbortSignal,
  indexFile?: string,
): Promise<Result<Git>> {
  const repository = { root, base, signal, indexFile };
  const programs = await readOwnPrograms(repository);
  if (!programs.ok) return programs;
  const { filters, overrides } = programs.value;
  const settings = [...safeSettings, ...overrides, ...(indexFile === undefined ? [] : privateIndexSettings)];
  const openIn = (folder: string) => ({
    ...{ disabledFilters: filters, top: root, prefix: folder },
    run: (words: readonly string[], command: GitCommand) =>
      runGit({ ...repository, prefix: folder }, settings, words, command),
  });
  const whole: Git = {
    ...openIn(""),
    get whole() {
      return whole;
    },
  };
  return ok(prefix === "" ? whole : { ...openIn(prefix), whole });
}

/** Programs that the repositories name whose settings are only in files of their own, with the state of these files. */
const programsByRoot = new Map<string, { readonly stamp: string; readonly programs: OwnPrograms }>();
const maxRepositories = 100;
/** Settings by which other files have settings of the repository. */
const includeSetting = /^include(?:if\..*)?\.path$/is;

/** Returns the programs that the repository names; git lists its settings, unless none of their files has changed. */
async function readOwnPrograms(repository: GitRepository): Promise<Result<OwnPrograms>> {
  const { root } = repository;
  const stamp = await readSettingsStamp(root);
  const cached = programsByRoot.get(root);
  if (cached?.stamp === stamp) return ok(cached.programs);
  const listed = await runGit(repository, safeSettings, listSettingsWords, { maxBytes: configMaxBytes });
  if (!listed.ok) return listed;
  const listedSettings = parseGitSettings(listed.value);
  const programs = findOwnPrograms(listedSettings);
  programsByRoot.delete(root);
  const isComplete = !listedSettings.some(({ isOwn, name }) => isOwn && includeSetting.test(name));
  if (isComplete) programsByRoot.set(root, { stamp, programs });
  for (const oldest of [...programsByRoot.keys()].slice(0, -maxRepositories)) programsByRoot.delete(oldest);
  return ok(programs);
}

/** Returns the state of the files with the repository's own settings; a change of one of them changes it. */
async function readSettingsStamp(root: string): Promise<string> {
  const { own, common } = await findGitFolders(root);
  const files = [join(common, "config"), join(own, "config.worktree")];
  const states = await Promise.all(files.map((file) => stat(file, { bigint: true }).catch(() => null)));
  return states
    .map((state) => state && [state.dev, state.ino, state.size, state.mtimeNs, state.ctimeNs].join())
    .join(" ");
}

interface GitRepository {
  readonly root: string;
  readonly base: NodeJS.Dict<string>;
  readonly signal: AbortSignal;
  readonly indexFile?: string;
  /** As `Git.prefix`; absent = the top. */
  readonly prefix?: string;
}

async function runGit(
  repository: GitRepository,
  settings: readonly GitSettingOverride[],
  words: readonly string[],
  command: GitCommand,
): Promise<Result<Buffer>> {
  const { maxBytes, input, writes = false, exits = [0], timeoutMs = gitTimeoutMs, programs, stop } = command;
  const { root, signal } = repository;
  const chunks: Buffer[] = [];
  const environment =
    programs === undefined ? gitEnvironment(repository, settings, writes) : environmentWithPrograms(root, programs);
  const result = await runProcess(
    {
      program: "git",
      arguments: [...(programs === undefined ? repositoryOptions(root, command) : ["--no-pager"]), ...words],
      cwd: join(root, repository.prefix ?? ""),
      environment: { ...environment, ...command.environment },
      timeoutMs: timeoutMs ?? undefined,
      maxBytes,
      onOutput(chunk) {
        chunks.push(chunk);
        command.onOutput?.(chunk);
        return "more";
      },
      onErrorOutput: command.onErrorOutput,
      input,
      // Git removes its locks at the first signal.
      graceMs: () => (writes ? lockGraceMs : 0),
    },
    stop === undefined ? signal : AbortSignal.any([signal, stop]),
  );
  if (!result.ok) return result;
  const { exit, ended, errorOutput } = result.value;
  if (ended === "output_limit") return fail("too_large", undefined, { maxBytes });
  if (ended !== null) return fail(ended === "timeout" ? "timeout" : "aborted");
  return exit !== null && exits.includes(exit)
    ? ok(Buffer.concat(chunks))
    : fail("tool_failed", errorOutput.trim(), { exit });
}

const lockGraceMs = 500;

/** Explicit, so that neither a parent folder nor the repository's settings determine the work tree. */
const repositoryOptions = (root: string, { usesPatterns }: GitCommand): readonly string[] => [
  ...[`--git-dir=${root}/.git`, `--work-tree=${root}`, "--no-pager"],
  ...(usesPatterns === true ? [] : ["--literal-pathspecs"]),
];
