/**
 * Matches globs of path rules against project paths, by component: `*` and `?` within one component, `**` for any
 * number of components. A glob that matches a folder covers everything below it; one without a slash matches at any
 * depth. Linear in the path for every glob: no regular expressions.
 */

import { matchWithStars } from "@/server/base/wildcard";

/** Options for the comparison with a glob. */
interface GlobOptions {
  /** Compares without regard to case. */
  readonly ignoreCase: boolean;
  /** `docs/**` covers everything below docs, but not docs itself. */
  readonly strict: boolean;
}

const maxComponents = 64;

/** Returns the components of a glob; null when it cannot match anything in a project (`..`, too deep, empty). */
export function globComponents(glob: string): readonly string[] | null {
  const anchored = glob.replace(/^(?:\.\/)+/, "");
  const parts = anchored.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.length === 0 || parts.length > maxComponents || parts.includes("..")) return null;
  const free = parts.length === 1 && !anchored.startsWith("/") && !glob.startsWith("./");
  const all = free && parts[0] !== "**" ? ["**", ...parts] : parts;
  return all.filter((part, index) => part !== "**" || all[index - 1] !== "**");
}

type GlobMatch = "covers" | "below" | "no";

/**
 * Returns covers when the path or a folder above it matches, below when something under the path may match. `path`:
 * "." for the project.
 */
export function matchGlob(glob: string, path: string, options: GlobOptions): GlobMatch {
  const parts = globComponents(glob);
  if (parts === null) return "no";
  const names = path === "." ? [] : path.split("/");
  const last = parts.length;
  const skip = (from: ReadonlySet<number>): Set<number> => {
    const states = new Set(from);
    for (const at of states) if (parts[at] === "**" && (at + 1 < last || !options.strict)) states.add(at + 1);
    return states;
  };
  let states = skip(new Set([0]));
  if (states.has(last)) return "covers";
  for (const name of names) {
    const next = new Set<number>();
    for (const at of states) {
      const part = parts[at];
      if (part === undefined) continue;
      if (part === "**") {
        next.add(at);
        // `**` at the end covers everything below the folder.
        if (at + 1 === last) return "covers";
      } else if (matchComponent(part, name, options.ignoreCase)) {
        next.add(at + 1);
      }
    }
    states = skip(next);
    if (states.has(last)) return "covers";
  }
  return states.size > 0 ? "below" : "no";
}

const foldComponent = (text: string, ignoreCase: boolean): string => {
  const composed = text.normalize("NFC");
  return ignoreCase ? composed.toUpperCase().toLowerCase() : composed;
};

/** Matches one component. Case is ignored as the rule requires; composed and decomposed characters are equal. */
export const matchComponent = (pattern: string, name: string, ignoreCase: boolean): boolean =>
  matchWithStars(
    [...foldComponent(pattern, ignoreCase)],
    [...foldComponent(name, ignoreCase)],
    (sign, letter) => sign === "?" || sign === letter,
    (sign) => sign === "*",
  );
