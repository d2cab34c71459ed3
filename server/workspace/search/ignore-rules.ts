/**
 * Rules for paths that search, lists and the tree leave out: .gitignore files from the project root down, then the
 * user's ignored folders.
 */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { posix } from "node:path";
import ignore, { type Ignore } from "ignore";
import { type WildcardAtom, matchAtoms, wildcardAtoms } from "@/server/base/wildcard";
import type { PathPolicy } from "@/server/security/paths/safe-path";

/** A larger .gitignore is not applied; each line costs a regular expression. */
const maxRuleBytes = 256_000;
const maxRuleLines = 10_000;
/** Longer lines are not compiled; no path is that long. */
const maxLineChars = 1_000;

/** A project's path policy with the folders that are ignored unless a .gitignore re-includes them. */
export interface ProjectPolicy extends PathPolicy {
  /** Folder names, `*` and `?` allowed; none by default. */
  readonly ignoredFolders?: readonly string[];
}

type IgnoreScope = Pick<ProjectPolicy, "root" | "ignoredFolders">;

/** Rules of one folder. Query only its direct entries, and only if the folder itself is not ignored. */
export interface IgnoreRules {
  /** `name` is a direct entry of the folder. */
  ignores(name: string, isFolder: boolean): boolean;
  /** The rules of a direct subfolder. */
  enter(name: string): Promise<IgnoreRules>;
}

/** The rules of one .gitignore. */
export interface IgnoreLevel {
  /** Relative to the root, "" for the root. */
  readonly folder: string;
  readonly rules: Ignore;
  /**
   * Patterns with many stars, matched against the last name of a path: as regular expressions they would be too slow.
   */
  readonly starred: readonly (readonly WildcardAtom[])[];
  /** Match by entry name only, so that a parent folder re-included by a .gitignore does not hide its content. */
  readonly byName?: true;
}

/**
 * Returns the rules of the folder `relative` ("." for the root) of a project; null = it, or a folder that contains it, is
 * ignored.
 */
export async function loadUnignoredRules(place: IgnoreScope, relative: string): Promise<IgnoreRules | null> {
  let rules = await folderRules(place.root, "", defaultLevels(place));
  if (relative === ".") return rules;
  for (const name of relative.split("/")) {
    if (rules.ignores(name, true)) return null;
    rules = await rules.enter(name);
  }
  return rules;
}

/** Returns whether the path, or a folder that contains it, is ignored. */
export async function isIgnored(place: IgnoreScope, relative: string, isFolder: boolean): Promise<boolean> {
  const names = relative.split("/");
  let rules = await folderRules(place.root, "", defaultLevels(place));
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    if (rules.ignores(name, isLast ? isFolder : true)) return true;
    if (!isLast) rules = await rules.enter(name);
  }
  return false;
}

/**
 * Returns the ignored folders that the root .gitignore does not re-include (`!dist/`); they are passed to ripgrep by
 * name.
 */
export async function effectiveIgnoredFolders(place: IgnoreScope): Promise<readonly string[]> {
  const names = place.ignoredFolders ?? [];
  if (names.length === 0) return names;
  const [level] = ignoreLevels([], "", await readIgnoreFile(posix.join(place.root, ".gitignore")));
  return level === undefined ? names : names.filter((name) => !level.rules.checkIgnore(`${name}/`).unignored);
}

/** The rules of the ignored folders. Lowest priority: any .gitignore that matches a path overrides them. */
export const defaultLevels = ({
  ignoredFolders: names = [],
}: {
  readonly ignoredFolders?: readonly string[] | undefined;
}): readonly IgnoreLevel[] =>
  ignoreLevels([], "", names.map((name) => `${name}/\n`).join("")).map((level) => ({ ...level, byName: true }));

/** Returns the levels of a folder ("" for the root): its own .gitignore `text` before those above; "" adds none. */
export const ignoreLevels = (above: readonly IgnoreLevel[], folder: string, text: string): readonly IgnoreLevel[] =>
  text === "" ? above : [parseIgnoreLevel(folder, text), ...above];

function parseIgnoreLevel(folder: string, text: string): IgnoreLevel {
  const lines = text.split(/\r?\n/).slice(0, maxRuleLines);
  const costly = lines.filter(isSlowPattern);
  const names = costly.map((line) => line.trimEnd().replace(/\/$/, "")).filter((line) => !/^!|\//.test(line));
  const fastLines = lines.filter((line) => !isSlowPattern(line)).join("\n");
  return { folder, rules: ignore({ ignorecase: false }).add(fastLines), starred: names.map(wildcardAtoms) };
}

/**
 * Returns whether a line compiles to a slow expression: the library tries every split of a name among the stars of
 * one component.
 */
const isSlowPattern = (line: string): boolean =>
  line.length > maxLineChars ||
  line.split("**").length > 3 ||
  line.split("/").some((part) => part.split(/\*+/).length > 3);

/** Returns whether a path of the project is ignored; all its parent folders must have been checked. */
export function isPathIgnored(levels: readonly IgnoreLevel[], path: string, isFolder: boolean): boolean {
  for (const level of levels) {
    const below = level.byName
      ? posix.basename(path)
      : level.folder === ""
        ? path
        : path.slice(level.folder.length + 1);
    const { ignored, unignored } = level.rules.checkIgnore(isFolder ? `${below}/` : below);
    // The nearest .gitignore that matches wins, as in git.
    if (ignored || unignored) return ignored;
    const name = [...posix.basename(below)];
    if (level.starred.some((pattern) => matchAtoms(pattern, name))) return true;
  }
  return false;
}

/** Returns whether an ignored folder is so by name alone, not by a .gitignore. */
export const isFolderIgnoredByName = (levels: readonly IgnoreLevel[], path: string): boolean =>
  !isPathIgnored(
    levels.filter(({ byName }) => byName !== true),
    path,
    true,
  );

async function folderRules(root: string, folder: string, above: readonly IgnoreLevel[]): Promise<IgnoreRules> {
  const levels = ignoreLevels(above, folder, await readIgnoreFile(posix.join(root, folder, ".gitignore")));
  return {
    ignores: (name, isFolder) => isPathIgnored(levels, folder === "" ? name : `${folder}/${name}`, isFolder),
    enter: (name) => folderRules(root, folder === "" ? name : `${folder}/${name}`, levels),
  };
}

/** Reads a .gitignore; "" if there is none or it is too large. */
async function readIgnoreFile(file: string): Promise<string> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await handle.stat();
      return stats.isFile() && stats.size <= maxRuleBytes ? await handle.readFile("utf8") : "";
    } finally {
      await handle.close();
    }
  } catch {
    return "";
  }
}
