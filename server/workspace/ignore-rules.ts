/** What search, lists and the tree leave out: .gitignore files from the project's root down, and below them the user's ignored folders. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { posix } from "node:path";
import ignore, { type Ignore } from "ignore";
import { type Atom, matchAtoms, wildcardAtoms } from "../base/wildcard";
import type { PathPolicy } from "../security/paths";

/** A .gitignore beyond these has no rules here; each line costs an expression (R57). */
const maxRuleBytes = 256_000;
const maxRuleLines = 10_000;
/** No path has a longer one, and longer ones make no expression. */
const maxLineChars = 1_000;

/** A project's policy with the folders that are left out wherever no .gitignore says otherwise. */
export interface ProjectPolicy extends PathPolicy {
  /** Names of folders, `*` and `?` allowed; none by default. */
  readonly ignoredFolders?: readonly string[];
}

type Place = Pick<ProjectPolicy, "root" | "ignoredFolders">;

/** Rules that hold in one folder. Ask only about its direct entries, and only when the folder itself is not ignored. */
export interface IgnoreRules {
  /** `name` is a direct entry of the folder. */
  ignores(name: string, isFolder: boolean): boolean;
  /** The rules of a direct subfolder. */
  enter(name: string): Promise<IgnoreRules>;
}

/** Rules of one .gitignore and of those above it. */
export interface IgnoreLevel {
  /** Relative to the root, "" for the root. */
  readonly folder: string;
  readonly rules: Ignore;
  /** Patterns with many stars, by the last name of a path: as expressions they would take too long (R57). */
  readonly starred: readonly (readonly Atom[])[];
  /** Only the name of an entry counts: folders above it that a .gitignore took back hide nothing. */
  readonly byName?: true;
}

/** The rules of the folder `relative` ("." for the root) of a project. */
export async function ignoreRules(place: Place, relative: string): Promise<IgnoreRules> {
  let rules = await rulesAt(place.root, "", defaultLevels(place));
  if (relative === ".") return rules;
  for (const name of relative.split("/")) rules = await rules.enter(name);
  return rules;
}

/** The path, or a folder it lies in, is ignored. */
export async function isIgnored(place: Place, relative: string, isFolder: boolean): Promise<boolean> {
  const names = relative.split("/");
  let rules = await rulesAt(place.root, "", defaultLevels(place));
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    if (rules.ignores(name, isLast ? isFolder : true)) return true;
    if (!isLast) rules = await rules.enter(name);
  }
  return false;
}

/** The ignored folders that the project's own .gitignore does not take back (`!dist/`): ripgrep is given them by name. */
export async function ignoredFolders(place: Place): Promise<readonly string[]> {
  const names = place.ignoredFolders ?? [];
  if (names.length === 0) return names;
  const [level] = ignoreLevels([], "", await ruleText(posix.join(place.root, ".gitignore")));
  return level === undefined ? names : names.filter((name) => !level.rules.checkIgnore(`${name}/`).unignored);
}

/** Below every .gitignore: the nearest file that says anything wins. */
const defaultLevels = ({ ignoredFolders: names = [] }: Place): readonly IgnoreLevel[] =>
  ignoreLevels([], "", names.map((name) => `${name}/\n`).join("")).map((level) => ({ ...level, byName: true }));

/** The levels of a folder ("" for the root): those above it and what its own .gitignore says; "" = nothing. */
export const ignoreLevels = (above: readonly IgnoreLevel[], folder: string, text: string): readonly IgnoreLevel[] =>
  text === "" ? above : [levelOf(folder, text), ...above];

function levelOf(folder: string, text: string): IgnoreLevel {
  const lines = text.split(/\r?\n/).slice(0, maxRuleLines);
  const costly = lines.filter(isCostly);
  const names = costly.map((line) => line.trimEnd().replace(/\/$/, "")).filter((line) => !/^!|\//.test(line));
  const kept = lines.filter((line) => !isCostly(line)).join("\n");
  return { folder, rules: ignore({ ignorecase: false }).add(kept), starred: names.map(wildcardAtoms) };
}

/** The library makes an expression of each line, which tries every way to part a name among the stars of one component. */
const isCostly = (line: string): boolean =>
  line.length > maxLineChars ||
  line.split("**").length > 3 ||
  line.split("/").some((part) => part.split(/\*+/).length > 3);

/** A path of the project, all folders above it being looked at already. */
export function isIgnoredBy(levels: readonly IgnoreLevel[], path: string, isFolder: boolean): boolean {
  for (const level of levels) {
    const below = level.byName
      ? posix.basename(path)
      : level.folder === ""
        ? path
        : path.slice(level.folder.length + 1);
    const { ignored, unignored } = level.rules.checkIgnore(isFolder ? `${below}/` : below);
    // The nearest file that says anything wins, as in git.
    if (ignored || unignored) return ignored;
    const name = [...posix.basename(below)];
    if (level.starred.some((pattern) => matchAtoms(pattern, name))) return true;
  }
  return false;
}

async function rulesAt(root: string, folder: string, above: readonly IgnoreLevel[]): Promise<IgnoreRules> {
  const levels = ignoreLevels(above, folder, await ruleText(posix.join(root, folder, ".gitignore")));
  return {
    ignores: (name, isFolder) => isIgnoredBy(levels, folder === "" ? name : `${folder}/${name}`, isFolder),
    enter: (name) => rulesAt(root, folder === "" ? name : `${folder}/${name}`, levels),
  };
}

/** "" when there is none, or none that can be read quickly. */
async function ruleText(file: string): Promise<string> {
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
