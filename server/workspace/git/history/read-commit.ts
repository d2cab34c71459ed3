/** Reads commits: their message, and the files that differ between two of them. */
import { fail, ok, type Result } from "@/lib/events/error";
import { isUnreadableName } from "@/lib/text/unreadable-name";
import type { CommitChanges, CommitFile, CommitView } from "@/lib/workspace/source-history";
import type { Git } from "../git";
import { sourceChanges } from "../source-status";
import { parseRefs, refWords, splitIds } from "./log-records";

const maxCommitBytes = 16_000_000;
const maxMessageChars = 100_000;
const maxFiles = 2_000;

const commitWords = ["log", "-1", "--no-walk", "--no-show-signature", "--encoding=UTF-8", ...refWords];
const commitFields = "--format=%H%x00%P%x00%aN%x00%aE%x00%at%x00%cN%x00%cE%x00%ct%x00%D%x00%B";

/** Fails with not_found, and like `Git.run`. */
export async function readCommitView(git: Git, id: string): Promise<Result<CommitView>> {
  const output = await git.run([...commitWords, commitFields, id, "--"], { maxBytes: maxCommitBytes });
  if (!output.ok) return nameMissing(git, [id], output);
  const fields = output.value.toString("utf8").split("\0");
  const [found = "", parentIds = "", name = "", mail = "", time, byName = "", byMail = "", byTime, refs = ""] = fields;
  const parents = splitIds(parentIds);
  const changes = await compareCommits(git, parents[0] ?? null, id);
  if (!changes.ok) return changes;
  return ok({
    id: found,
    parents,
    author: { name, mail, time: Number(time) * 1_000 },
    committer: { name: byName, mail: byMail, time: Number(byTime) * 1_000 },
    refs: parseRefs(refs),
    message: (fields[9] ?? "").trimEnd().slice(0, maxMessageChars),
    ...changes.value,
  });
}

/** Returns the files of the folder that differ; `from` null = all of `to`. Fails with not_found, and like `Git.run`. */
export async function compareCommits(git: Git, from: string | null, to: string): Promise<Result<CommitChanges>> {
  const words = [
    "diff-tree",
    "-r",
    "-z",
    "--raw",
    "--numstat",
    "--no-ext-diff",
    "--no-textconv",
    "--find-renames",
    "--relative",
  ];
  const ids = [from ?? emptyTree(to), to];
  const output = await git.run([...words, ...ids, "--"], { maxBytes: maxCommitBytes });
  return output.ok ? ok(parseChanges(output.value.toString("utf8"))) : nameMissing(git, ids, output);
}

/** The tree without files, which git has in every repository: by the length of the names, that of SHA-1 or SHA-256. */
export const emptyTree = (id: string): string =>
  id.length === 40
    ? "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
    : "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

/** Returns not_found for a command that failed because of an object that the repository does not have. */
export async function nameMissing(git: Git, ids: readonly string[], failed: Result<never>): Promise<Result<never>> {
  if (failed.ok || failed.error.code !== "tool_failed") return failed;
  for (const id of ids) if (!(await git.run(["cat-file", "-e", id], { maxBytes: 1_000 })).ok) return fail("not_found");
  return failed;
}

/** Parses `--raw --numstat -z`: one list after the other, each in the same order. */
function parseChanges(output: string): CommitChanges {
  const fields = output.split("\0");
  const files: Omit<CommitFile, "added" | "removed">[] = [];
  let at = 0;
  for (let match = rawEntry.exec(fields[at] ?? ""); match !== null; match = rawEntry.exec(fields[at] ?? "")) {
    const [, oldMode, newMode, letter = ""] = match;
    const hasTwoNames = letter === "R" || letter === "C";
    const isSubmodule = oldMode === submoduleMode || newMode === submoduleMode;
    files.push({
      path: fields[at + (hasTwoNames ? 2 : 1)] ?? "",
      ...(hasTwoNames ? { from: fields[at + 1] ?? "" } : {}),
      change: sourceChanges[letter] ?? "modified",
      ...(isSubmodule ? { isSubmodule: true as const } : {}),
    });
    at += hasTwoNames ? 3 : 2;
  }
  const counted = files.map((file): CommitFile => {
    const [added = "-", removed = "-"] = (fields[at] ?? "").split("\t");
    at += file.from === undefined ? 1 : 3;
    return { ...file, added: toCount(added), removed: toCount(removed) };
  });
  const readable = counted.filter(({ path, from = "" }) => !isUnreadableName(path) && !isUnreadableName(from));
  return { files: readable.slice(0, maxFiles), more: counted.length - Math.min(readable.length, maxFiles) };
}

const rawEntry = /^:(\d+) (\d+) \S+ \S+ ([A-Z])\d*$/;
const submoduleMode = "160000";
const toCount = (text: string): number | null => (text === "-" ? null : Number(text));
