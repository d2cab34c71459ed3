/** The part of a project that a search covers: ripgrep's arguments, and the filter of its results. */
import { existsSync } from "node:fs";
import { fail, ok, type Result } from "@/lib/events/error";
import { isProtectedPath, type SafePath } from "@/server/security/paths/safe-path";
import { entryKind } from "../files/file-handle";
import { makeGlob } from "./glob";
import { effectiveIgnoredFolders, isIgnored, type ProjectPolicy } from "./ignore-rules";

interface SearchScope {
  readonly isFolder: boolean;
  readonly arguments: readonly string[];
  /** Returns whether the glob matches the file and the requester may see it. */
  shows(path: string): boolean;
}

/**
 * Builds ripgrep's scope and the filter of its results. Globs are matched here because ripgrep's own override
 * .gitignore. Ignore files above the project apply only if the project is a git top folder, where ripgrep stops by
 * itself.
 */
export async function buildSearchScope(
  policy: ProjectPolicy,
  path: SafePath,
  glob: string | undefined,
): Promise<Result<SearchScope>> {
  const facts = { path: path.relative };
  const kind = await entryKind(path);
  if (!kind.ok) return kind;
  if (kind.value === "link") return fail("broken_link", undefined, facts);
  if (kind.value === "other") return fail("not_a_file", undefined, facts);
  const isFolder = kind.value === "folder";
  const prefix = path.relative === "." ? "" : `${path.relative}/`;
  const isPathIgnored = prefix !== "" && (await isIgnored(policy, path.relative, isFolder));
  const wanted = isFolder && glob !== undefined && glob !== "" ? makeGlob(withoutRootPrefix(glob, policy.root)) : null;
  return ok({
    isFolder,
    arguments: [
      ...["--no-messages", "--no-follow", "--hidden", "--no-require-git", "--glob=!.git"],
      ...["--no-ignore-global", "--no-ignore-dot", "--no-ignore-exclude"],
      ...(existsSync(`${policy.root}/.git`) ? [] : ["--no-ignore-parent", `--ignore-file=${policy.root}/.gitignore`]),
      ...(isPathIgnored ? ["--no-ignore"] : (await effectiveIgnoredFolders(policy)).map((name) => `--glob=!${name}/`)),
      ...(isFolder ? typeArguments(glob) : []),
      ...["--", prefix === "" ? "./" : `./${path.relative}`],
    ],
    shows: (found) =>
      (wanted === null || wanted(found.slice(prefix.length))) &&
      !(path.by === "model" && isProtectedPath(found, policy)),
  });
}

const withoutRootPrefix = (glob: string, root: string): string =>
  glob.startsWith(`${root}/`) ? glob.slice(root.length) : glob;

/**
 * Returns a type filter for a plain last component, so that ripgrep skips other files; unlike its globs, its types
 * respect .gitignore.
 */
function typeArguments(glob = ""): readonly string[] {
  const last = glob.split("/").at(-1) ?? "";
  return !glob.startsWith("!") && last !== "**" && /^[\w.*?-]+$/.test(last) && /[\w.]/.test(last)
    ? [`--type-add=wanted:${last}`, "--type=wanted"]
    : [];
}

/** Returns a found path as it is shown. `found` is relative to the root that contains `path`. */
export const shownPath = ({ readRoot }: SafePath, found: string): string =>
  readRoot === null ? found : `${readRoot}/${found}`;
