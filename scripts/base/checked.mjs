// The commits at which whole parts of `npm test` last passed, in .ci/checked.json: a fresh clone has them too, and checks
// what changed since. Node built-ins only.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

/** Returns the lines that git prints, or null when it fails: no repository, or a clone without that commit. */
function git(folder, ...args) {
  const { status, stdout } = spawnSync("git", args, { cwd: folder, encoding: "utf8", maxBuffer: 64_000_000 });
  return status === 0 ? stdout.split("\0").filter(Boolean) : null;
}

const recordFile = (folder) => join(folder, ".ci/checked.json");

function readRecord(folder) {
  try {
    return JSON.parse(readFileSync(recordFile(folder), "utf8"));
  } catch {
    return {};
  }
}

/**
 * Returns the paths that changed since `part` passed as a whole, those of new and of deleted files included; null = it is
 * not known, so everything is checked.
 */
export function changedSince(part, folder = root) {
  const commit = readRecord(folder)[part];
  if (typeof commit !== "string") return null;
  const changed = git(folder, "diff", "--name-only", "--no-renames", "-z", commit, "--");
  const added = git(folder, "ls-files", "--others", "--exclude-standard", "-z");
  return changed === null || added === null ? null : [...changed, ...added];
}

/** Those of `paths` that exist. */
export const existingPaths = (paths, folder = root) => paths.filter((path) => existsSync(join(folder, path)));

/** Records that `part` passed as a whole; without effect when there are changes that no commit has. */
export function markChecked(part, folder = root) {
  const isClean = git(folder, "status", "--porcelain", "-z", "--", ".", ":!.ci/checked.json")?.length === 0;
  const [commit] = git(folder, "rev-parse", "HEAD") ?? [];
  if (!isClean || commit === undefined) return;
  const record = { ...readRecord(folder), [part]: commit.trim() };
  writeFileSync(recordFile(folder), `${JSON.stringify(record, null, 2)}\n`);
}
