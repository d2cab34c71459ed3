/** Finds the hooks and other programs of a repository that git runs, without running any. */
import { readdir, stat } from "node:fs/promises";
import { basename, posix } from "node:path";
import type { Hash } from "@/lib/events/id";
import type { CommitHook } from "@/lib/workspace/source-control";
import { computeHash } from "@/server/base/id";
import { readFileStart } from "../../files/read-file-start";
import { isGitProgram } from "../git-config-text";
import { findGitFolders } from "../git-folders";
import { type GitSetting, settingValue } from "../git-settings";

const hookNames: ReadonlySet<string> = new Set([
  ...["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-merge-commit"],
  ...["post-rewrite", "reference-transaction", "post-index-change"],
]);

/** Further hooks of commands that the user runs in a terminal. */
const otherHookNames: ReadonlySet<string> = new Set([
  ...["pre-push", "post-merge", "post-checkout", "pre-rebase", "pre-auto-gc", "fsmonitor-watchman"],
  ...["applypatch-msg", "pre-applypatch", "post-applypatch"],
  // A remote may be the repository itself.
  ...["pre-receive", "update", "proc-receive", "post-receive", "post-update", "push-to-checkout"],
]);

/** Files of a folder with hooks, and bytes of one, that the hash covers. */
const maxHookFiles = 200;
const maxHookBytes = 1_000_000;

export interface CommitHooks {
  readonly hooks: readonly CommitHook[];
  /** Names of all hooks that git may run, and of the repository's settings that name programs. */
  readonly programs: readonly string[];
  /** Hash of the files beside the hooks, which they may call, and of the repository's settings that name programs. */
  readonly hash: Hash;
}

/** `home` = the user's home folder. */
export async function findCommitHooks(
  root: string,
  settings: readonly GitSetting[],
  home: string | undefined,
): Promise<CommitHooks> {
  const folder = await findHooksFolder(root, settings, home);
  const files = (await readHookFiles(folder)).filter(({ name }) => !name.endsWith(".sample"));
  const executable = files.filter(({ mode }) => (mode & 0o111) !== 0).map(({ name }) => name);
  const hooks = [
    ...executable.filter((name) => hookNames.has(name)).map((name) => ({ name, path: posix.join(folder, name) })),
    ...settings.flatMap(({ name, value }) =>
      /^hook\..*\.event$/s.test(name) && hookNames.has(value) ? [{ name: value, path: name }] : [],
    ),
  ];
  // Husky's hooks call files of the same names in the folder above.
  const called = basename(folder) === "_" ? await readHookFiles(posix.dirname(folder)) : [];
  const programs = settings.filter(({ isOwn, name, value }) => isOwn && isGitProgram(withoutSubsection(name), value));
  const names = [
    ...executable.filter((name) => hookNames.has(name) || otherHookNames.has(name)),
    ...new Set(programs.map(({ name }) => name)),
  ];
  return { hooks, programs: names, hash: computeHash(JSON.stringify([folder, files, called, programs])) };
}

const withoutSubsection = (name: string): string => name.replace(/\..*\./s, ".");

async function findHooksFolder(
  root: string,
  settings: readonly GitSetting[],
  home: string | undefined,
): Promise<string> {
  const path = settingValue(settings, "core.hookspath");
  if (path === undefined) return posix.join((await findGitFolders(root)).common, "hooks");
  return posix.resolve(root, path.replace(/^~(?=\/|$)/, home ?? "~"));
}

interface HookFile {
  readonly name: string;
  readonly mode: number;
  readonly content: Hash;
  /** ms epoch; only of a file that is read in part. */
  readonly changedAt?: number;
}

async function readHookFiles(folder: string): Promise<readonly HookFile[]> {
  const isOther = (name: string): number => Number(!hookNames.has(name) && !otherHookNames.has(name));
  const names = (await readdir(folder).catch(() => []))
    .sort((one, other) => isOther(one) - isOther(other) || (one < other ? -1 : 1))
    .slice(0, maxHookFiles);
  const files = await Promise.all(
    names.map(async (name): Promise<readonly HookFile[]> => {
      const path = posix.join(folder, name);
      const stats = await stat(path).catch(() => null);
      if (stats?.isFile() !== true) return [];
      const content = computeHash((await readFileStart(path, maxHookBytes)) ?? "");
      return [{ name, mode: stats.mode, content, ...(stats.size > maxHookBytes ? { changedAt: stats.ctimeMs } : {}) }];
    }),
  );
  return files.flat();
}
