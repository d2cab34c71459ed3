/** Which hidden names ripgrep looks into all the same: those that a `!` line of an ignore file lets in. Used by look.ts. */
import { lstatSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { posix } from "node:path";
import { mayBecome } from "./shell-glob";

/** Collects as a walk goes down; a name once let in counts everywhere, so rather too many are than too few. */
export interface ShownNames {
  /** Reads the ignore files of the user and of all folders above `folder`, also above the project: ripgrep reads them, too. */
  readDownTo(folder: string): void;
  /** Reads those of one folder; `names`: its entries. */
  readIn(folder: string, names: readonly string[]): void;
  /** An entry of this hidden name may be looked into. */
  has(name: string): boolean;
}

const ignoreFiles = [".gitignore", ".ignore", ".rgignore"] as const;
const maxBytes = 1_000_000;

/** `environment`: where the user's own ignore files are looked up. */
export function showsHidden(environment: NodeJS.ProcessEnv = process.env): ShownNames {
  const patterns = new Set<string>();
  const known = new Map<string, boolean>();
  const add = (file: string): void => {
    const before = patterns.size;
    for (const pattern of lettingIn(file)) patterns.add(pattern);
    if (patterns.size > before) known.clear();
  };
  const readIn = (folder: string, names: readonly string[]): void => {
    for (const file of ignoreFiles) if (names.includes(file)) add(posix.join(folder, file));
    if (names.includes(".git")) add(posix.join(gitFolder(folder), "info/exclude"));
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
      const seen = known.get(name);
      if (seen !== undefined) return seen;
      const has = patterns.has(everything) || [...patterns].some((pattern) => mayBecome(pattern, name));
      known.set(name, has);
      return has;
    },
  };
}

const everything = "*";

/** The last components of its `!` lines; everything, when the file or a line cannot be read for sure. */
function lettingIn(file: string): readonly string[] {
  const text = textOf(file);
  if (text === null) return [everything];
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  return lines.filter((line) => line.startsWith("!")).map((line) => lastComponent(line.slice(1)));
}

function lastComponent(pattern: string): string {
  const name = pattern.trimEnd().replace(/\/+$/, "").split("/").at(-1) ?? "";
  // Braces are alternatives to ripgrep.
  return name.includes("{") ? everything : name;
}

/** `.git`, or of a linked work tree the folder that all of its trees share. */
function gitFolder(folder: string): string {
  const own = posix.join(folder, ".git");
  const named = /^gitdir:\s*(\S.*?)\s*$/m.exec(textOf(own) ?? "")?.[1];
  if (named === undefined) return own;
  const linked = posix.resolve(folder, named);
  const common = (textOf(posix.join(linked, "commondir")) ?? "").trim();
  return common === "" ? linked : posix.resolve(linked, common);
}

/** git's file of the user, which ripgrep reads as well, and the one that git's settings name instead. */
function userIgnoreFiles(environment: NodeJS.ProcessEnv): readonly string[] {
  const home = environment.HOME ?? homedir();
  const folders = [posix.join(home, ".config/git"), posix.join(environment.XDG_CONFIG_HOME || home, "git")];
  const settings = [posix.join(home, ".gitconfig"), ...folders.map((folder) => posix.join(folder, "config"))];
  const named = settings.flatMap((file) =>
    [...(textOf(file) ?? "").matchAll(/^[ \t]*excludesfile[ \t]*=[ \t]*"?([^"\n]*)"?[ \t]*$/gim)].map((match) =>
      posix.resolve(home, (match[1] ?? "").trim().replace(/^~\//, `${home}/`)),
    ),
  );
  return [...folders.map((folder) => posix.join(folder, "ignore")), ...named];
}

/** "" when there is none; null when it is no small plain file. */
function textOf(file: string): string | null {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined || stats.isDirectory()) return "";
    return stats.isFile() && stats.size <= maxBytes ? readFileSync(file, "utf8") : null;
  } catch {
    return null;
  }
}
