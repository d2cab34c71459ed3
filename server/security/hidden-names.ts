/** Which hidden names ripgrep looks into all the same: those that a `!` line of an ignore file lets in. Used by look.ts. */
import { lstatSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { globComponent } from "./glob-component";

/** Collects as a walk goes down; a name once let in counts everywhere, so rather too many are than too few. */
export interface ShownNames {
  /** Reads the ignore files of the root and of all folders between it and `folder`. */
  readDownTo(folder: string): void;
  /** Reads those of one folder; `names`: its entries. */
  readIn(folder: string, names: readonly string[]): void;
  /** An entry of this hidden name may be looked into. */
  has(name: string): boolean;
}

const ignoreFiles = [".gitignore", ".ignore", ".rgignore", ".git/info/exclude"] as const;
const maxBytes = 1_000_000;

/** `root`: absolute and real. */
export function showsHidden(root: string): ShownNames {
  const patterns: (RegExp | string)[] = [];
  const readIn = (folder: string, names: readonly string[]): void => {
    for (const file of ignoreFiles.filter((one) => names.includes(one.split("/", 1)[0] ?? "")))
      patterns.push(...lettingIn(posix.join(folder, file)));
  };
  return {
    readIn,
    readDownTo(folder) {
      for (let at = posix.dirname(folder); at.length >= root.length; at = posix.dirname(at)) {
        readIn(at, [".git", ...ignoreFiles]);
        if (at === "/") return;
      }
    },
    has: (name) =>
      patterns.some((pattern) =>
        typeof pattern === "string" ? pattern.toLowerCase() === name.toLowerCase() : pattern.test(name),
      ),
  };
}

const everything = /^/;

/** The last components of its `!` lines; everything, when the file or a line cannot be read for sure. */
function lettingIn(file: string): readonly (RegExp | string)[] {
  const text = textOf(file);
  if (text === null) return [everything];
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  return lines.filter((line) => line.startsWith("!")).map((line) => lastComponent(line.slice(1)));
}

function lastComponent(pattern: string): RegExp | string {
  const name = pattern.trimEnd().replace(/\/+$/, "").split("/").at(-1) ?? "";
  // Braces are alternatives to ripgrep.
  return name.includes("{") ? everything : (globComponent(name) ?? everything);
}

/** "" when there is none; null when it is no small plain file. */
function textOf(file: string): string | null {
  try {
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return "";
    return stats.isFile() && stats.size <= maxBytes ? readFileSync(file, "utf8") : null;
  } catch {
    return null;
  }
}
