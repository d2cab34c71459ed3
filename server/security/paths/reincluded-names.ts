/** Finds the hidden names that ripgrep searches anyway: those re-included by a `!` line of an ignore file. */
import { lstatSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { posix } from "node:path";
import { mayMatch } from "../shell/shell-glob";

/**
 * Accumulates during a walk from top to bottom. A name that is re-included once counts everywhere, so the result may
 * contain too many names but never too few.
 */
interface ReincludedNames {
  /**
   * Reads the user's ignore files and those of all folders above `folder`, also above the project, because ripgrep
   * reads them, too.
   */
  readDownTo(folder: string): void;
  /** Reads the ignore files of one folder; `names`: its entries. */
  readIn(folder: string, names: readonly string[]): void;
  /** Returns whether an entry of this hidden name may be searched. */
  has(name: string): boolean;
}

const ignoreFiles = [".gitignore", ".ignore", ".rgignore"] as const;
const ignoreFileMaxBytes = 1_000_000;

/** Creates the collector. `environment`: determines where the user's ignore files are. */
export function makeReincludedNames(environment: NodeJS.ProcessEnv = process.env): ReincludedNames {
  const patterns = new Set<string>();
  const matches = new Map<string, boolean>();
  const add = (file: string): void => {
    const before = patterns.size;
    for (const pattern of reincludedBy(file)) patterns.add(pattern);
    if (patterns.size > before) matches.clear();
  };
  const readIn = (folder: string, names: readonly string[]): void => {
    for (const file of ignoreFiles) if (names.includes(file)) add(posix.join(folder, file));
    if (names.includes(".git")) add(posix.join(commonGitFolder(folder), "info/exclude"));
  };
  return {
    readIn,
    readDownTo(folder) {
      for (const file of userIgnoreFiles(environment)) add(file);
      for (let at = folder; at !== "/"; ) {
        at = posix.dirname(at);
        readIn(at, [".git", ...ignoreFiles]);
      }
    },
    has(name) {
      const seen = matches.get(name);
      if (seen !== undefined) return seen;
      const isReincluded = patterns.has(matchAll) || [...patterns].some((pattern) => mayMatch(pattern, name));
      matches.set(name, isReincluded);
      return isReincluded;
    },
  };
}

const matchAll = "*";

/**
 * Returns the last components of the file's `!` lines, or `matchAll` when the file or a line cannot be read
 * reliably.
 */
function reincludedBy(file: string): readonly string[] {
  const text = readIgnoreText(file);
  if (text === null) return [matchAll];
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  return lines.filter((line) => line.startsWith("!")).map((line) => lastComponent(line.slice(1)));
}

function lastComponent(pattern: string): string {
  const name = pattern.trimEnd().replace(/\/+$/, "").split("/").at(-1) ?? "";
  // Ripgrep reads braces as alternatives.
  return name.includes("{") ? matchAll : name;
}

/** Returns `.git`, or for a linked work tree the folder shared by all of its work trees. */
function commonGitFolder(folder: string): string {
  const own = posix.join(folder, ".git");
  const named = /^gitdir:\s*(\S.*?)\s*$/m.exec(readIgnoreText(own) ?? "")?.[1];
  if (named === undefined) return own;
  const linked = posix.resolve(folder, named);
  const common = (readIgnoreText(posix.join(linked, "commondir")) ?? "").trim();
  return common === "" ? linked : posix.resolve(linked, common);
}

/** Returns git's user-level ignore files, which ripgrep also reads, and those that git's settings name instead. */
function userIgnoreFiles(environment: NodeJS.ProcessEnv): readonly string[] {
  const home = environment.HOME ?? homedir();
  const folders = [posix.join(home, ".config/git"), posix.join(environment.XDG_CONFIG_HOME || home, "git")];
  const settings = [posix.join(home, ".gitconfig"), ...folders.map((folder) => posix.join(folder, "config"))];
  const named = settings.flatMap((file) =>
    [...(readIgnoreText(file) ?? "").matchAll(/^[ \t]*excludesfile[ \t]*=[ \t]*"?([^"\n]*)"?[ \t]*$/gim)].map((match) =>
      posix.resolve(home, (match[1] ?? "").trim().replace(/^~\//, `${home}/`)),
    ),
  );
  return [...folders.map((folder) => posix.join(folder, "ignore")), ...named];
}

/**
 * Returns the text of a file: "" when it does not exist or is a folder, null when it is not a regular file or larger
 * than `ignoreFileMaxBytes`.
 */
function readIgnoreText(file: string): string | null {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined || stats.isDirectory()) return "";
    return stats.isFile() && stats.size <= ignoreFileMaxBytes ? readFileSync(file, "utf8") : null;
  } catch {
    return null;
  }
}
