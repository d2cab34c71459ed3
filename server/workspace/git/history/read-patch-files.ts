/** Reads git's patch of several files as text, for the model. */
import { ok, type Result } from "@/lib/events/error";
import type { Git } from "../git";

const maxPathsBytes = 4_000_000;
/** Files of a patch: their names are arguments of git. */
const maxFiles = 500;
/** Most bytes of a character. */
const charMaxBytes = 4;

/** Renames are a removed and an added file, so that each is judged by its own name. */
const words = [
  "diff",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-renames",
  "--ignore-submodules=dirty",
  "--relative",
];
const patchWords = [...words, "--patch", "--unified=3", "--src-prefix=a/", "--dst-prefix=b/", "--submodule=short"];

/** Returns the paths that differ. `range` = `--cached`, two commits, or nothing: the disk and the index. */
export async function listPatchPaths(git: Git, range: readonly string[]): Promise<Result<readonly string[]>> {
  const output = await git.run([...words, "--name-only", "-z", ...range, "--"], { maxBytes: maxPathsBytes });
  return output.ok ? ok(output.value.toString("utf8").split("\0").filter(Boolean)) : output;
}

/** Returns the patches of the first files, together at most `maxChars`, and their number. */
export async function readPatchFiles(
  git: Git,
  range: readonly string[],
  paths: readonly string[],
  maxChars: number,
): Promise<Result<{ readonly files: readonly string[]; readonly count: number }>> {
  if (paths.length === 0) return ok({ files: [], count: 0 });
  const parts: Buffer[] = [];
  const output = await git.run([...patchWords, ...range, "--", ...paths.slice(0, maxFiles)], {
    maxBytes: Math.max(1, maxChars) * charMaxBytes,
    onOutput: (part) => void parts.push(part),
  });
  if (!output.ok && output.error.code !== "too_large") return output;
  const all = Buffer.concat(parts)
    .toString("utf8")
    .split(/^(?=diff --git )/m);
  const files: string[] = [];
  let left = maxChars;
  for (const [index, text] of all.entries()) {
    const isCut = !output.ok && index === all.length - 1;
    const shown = isCut || text.length > maxChars ? `${text.split("\n", 1)[0]}\n(too large to show)` : text.trimEnd();
    if (shown.length > left) break;
    left -= shown.length;
    if (shown !== "") files.push(shown);
  }
  return ok({ files, count: files.length });
}
