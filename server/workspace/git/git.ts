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
  /** Default: `gitTimeoutMs`. */
  readonly timeoutMs?: number;
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
   * error output.
   */
  run(words: readonly string[], command: GitCommand): Promise<Result<Buffer>>;
  /** Names of the repository's own filters, which are not run. */
  readonly disabledFilters: ReadonlySet<string>;
}

/** Overrides of settings that run programs; passed by environment, so that no name can be parsed wrongly. */
const safeSettings: readonly (readonly [name: string, value: string])[] = [
  ["core.fsmonitor", ""],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.sshCommand", "false"],
  ["core.askPass", ""],
  ["credential.helper", ""],
  // A command that writes starts no clean-up in the background.
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
];

/** For an index of our own: nothing is taken for unchanged without a look, and folders without changes are not listed again. */
const privateIndexSettings: typeof safeSettings = [
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
  settings: typeof safeSettings,
  writes: boolean,
): { readonly [name: string]: string } {
  return {
    ...Object.fromEntries(inheritedVariables.flatMap((name) => (base[name] === undefined ? [] : [[name, base[name]]]))),
    PATH: pathWithoutProject(root, base.PATH),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    // A command that reads may refresh a private index, never the user's.
    ...(indexFile === undefined ? {} : { GIT_INDEX_FILE: indexFile }),
    ...(indexFile === undefined && !writes ? { GIT_OPTIONAL_LOCKS: "0" } : {}),
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    // Missing objects are not fetched: every transport is refused.
    GIT_ALLOW_PROTOCOL: "none",
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([name, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, name],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}

const configMaxBytes = 1_000_000;

/**
 * Opens the repository whose top is `root` (absolute, real path). Reads its settings first, which runs nothing, and
 * overrides every filter among them with an empty one. `indexFile` = an index of our own, which git reads and refreshes
 * instead of the repository's. Fails like `run`.
 */
export async function openGit(
  root: string,
  base: NodeJS.Dict<string>,
  signal: AbortSignal,
  indexFile?: string,
): Promise<Result<Git>> {
  const repository = { root, base, signal, indexFile };
  const filters = await readOwnFilters(repository);
  if (!filters.ok) return filters;
  const disabledFilters = filters.value;
  const settings = [
    ...safeSettings,
    ...disableFilters(disabledFilters),
    ...(indexFile === undefined ? [] : privateIndexSettings),
  ];
  return ok({ disabledFilters, run: (words, command) => runGit(repository, settings, words, command) });
}

/** The filters of the repositories whose settings are only in files of their own, with the state of these files. */
const filtersByRoot = new Map<string, { readonly stamp: string; readonly filters: ReadonlySet<string> }>();
const maxFilters = 100;
/** Settings by which other files have settings of the repository. */
const includeSetting = /^include(?:if\..*)?\.path$/is;

/** Returns the names of the filters that the repository defines; git lists its settings, unless none of their files has changed. */
async function readOwnFilters(repository: GitRepository): Promise<Result<ReadonlySet<string>>> {
  const { root } = repository;
  const stamp = await readSettingsStamp(root);
  const cached = filtersByRoot.get(root);
  if (cached?.stamp === stamp) return ok(cached.filters);
  const words = ["config", "--includes", "--show-scope", "--list", "-z"];
  const listed = await runGit(repository, safeSettings, words, { maxBytes: configMaxBytes });
  if (!listed.ok) return listed;
  const names = listOwnSettings(listed.value.toString("utf8"));
  const filters = findFilterNames(names);
  filtersByRoot.delete(root);
  if (!names.some((name) => includeSetting.test(name))) filtersByRoot.set(root, { stamp, filters });
  for (const oldest of [...filtersByRoot.keys()].slice(0, -maxFilters)) filtersByRoot.delete(oldest);
  return ok(filters);
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

/** Returns the names of the repository's own settings. Input: repeated `scope NUL name LF value NUL`. */
function listOwnSettings(listed: string): readonly string[] {
  const fields = listed.split("\0");
  const names: string[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const isOwn = fields[index] === "local" || fields[index] === "worktree";
    if (isOwn) names.push(fields[index + 1]?.split("\n", 1)[0] ?? "");
  }
  return names;
}

/** The user's global filters are not among them unless the repository redefines them. */
const findFilterNames = (names: readonly string[]): ReadonlySet<string> =>
  new Set(names.flatMap((name) => /^filter\.(.*)\.[^.]*$/s.exec(name)?.[1] ?? []));

const disableFilters = (names: ReadonlySet<string>): typeof safeSettings =>
  [...names].flatMap((name): typeof safeSettings => [
    [`filter.${name}.clean`, ""],
    [`filter.${name}.smudge`, ""],
    [`filter.${name}.process`, ""],
    [`filter.${name}.required`, "false"],
  ]);

interface GitRepository {
  readonly root: string;
  readonly base: NodeJS.Dict<string>;
  readonly signal: AbortSignal;
  readonly indexFile?: string;
}

async function runGit(
  repository: GitRepository,
  settings: typeof safeSettings,
  words: readonly string[],
  command: GitCommand,
): Promise<Result<Buffer>> {
  const { maxBytes, input, writes = false, exits = [0], timeoutMs = gitTimeoutMs, environment, usesPatterns } = command;
  const { root, signal } = repository;
  const chunks: Buffer[] = [];
  // Explicit, so that neither a parent folder nor the repository's settings determine the work tree.
  const repositoryOptions = [`--git-dir=${root}/.git`, `--work-tree=${root}`, "--no-pager"];
  if (usesPatterns !== true) repositoryOptions.push("--literal-pathspecs");
  const result = await runProcess(
    {
      program: "git",
      arguments: [...repositoryOptions, ...words],
      cwd: root,
      environment: { ...gitEnvironment(repository, settings, writes), ...environment },
      timeoutMs,
      maxBytes,
      onOutput(chunk) {
        chunks.push(chunk);
        command.onOutput?.(chunk);
        return "more";
      },
      input,
    },
    signal,
  );
  if (!result.ok) return result;
  const { exit, ended, errorOutput } = result.value;
  if (ended === "output_limit") return fail("too_large", undefined, { maxBytes });
  if (ended !== null) return fail(ended === "timeout" ? "timeout" : "aborted");
  return exit !== null && exits.includes(exit) ? ok(Buffer.concat(chunks)) : fail("tool_failed", errorOutput.trim());
}
