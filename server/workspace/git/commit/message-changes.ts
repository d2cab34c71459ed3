/** Reads the changes that the message of a commit describes, as text for the model. */
import { ok, type Result } from "@/lib/events/error";
import { type Git, maxGitListBytes } from "../git";
import { readPatchFiles } from "../history/read-patch-files";
import { readPatch } from "../patch/read-patch";
import { statusWords } from "../project-git";
import { statusEntries } from "../status-entries";
import { readCommit } from "./commit";

/** staged = the index; amended = the index and the last commit; all = every path that differs from the last commit. */
export type MessageScope = "staged" | "amended" | "all";

export interface MessageChange {
  readonly path: string;
  /** Lines; null = not text. */
  readonly added: number | null;
  readonly removed: number | null;
  /** Unified diff; null = it is too large to be read. */
  readonly patch: string | null;
}

export interface MessageChanges {
  readonly files: readonly MessageChange[];
  /** Number of further files: those that the model may not read, and those beyond the limit. */
  readonly hidden: number;
  /** First lines of the last messages, newest first. */
  readonly subjects: readonly string[];
}

interface MessageSource {
  readonly scope: MessageScope;
  /** With the scope "all": only these; absent = all in the folder of the project. */
  readonly paths?: readonly string[] | undefined;
  /** The model may read a file of the project. */
  mayRead(path: string): boolean;
}

const maxFiles = 500;
/** Untracked files are read one by one. */
const maxUntracked = 50;
/** Characters of all patches. */
const maxChars = 200_000;
const subjectCount = 5;

/** Returns the changes with paths relative to the top of the repository, of which the index is. Fails like `Git.run`. */
export async function readMessageChanges(
  { whole: git, prefix }: Git,
  { scope, paths, mayRead }: MessageSource,
): Promise<Result<MessageChanges>> {
  const folder = prefix === "" ? [] : [prefix];
  const source = {
    scope,
    paths: scope === "all" ? (paths?.map((path) => prefix + path) ?? folder) : [],
    mayRead: (path: string) => path.startsWith(prefix) && mayRead(path.slice(prefix.length)),
  };
  const tracked = await readTracked(git, source);
  if (!tracked.ok) return tracked;
  const untracked = scope === "all" ? await readUntracked(git, source) : ok(none);
  if (!untracked.ok) return untracked;
  const files = [...tracked.value.files, ...untracked.value.files];
  return ok({
    files: files.sort((one, other) => (one.path < other.path ? -1 : 1)),
    hidden: tracked.value.hidden + untracked.value.hidden,
    subjects: await readSubjects(git),
  });
}

interface ReadSource extends MessageSource {
  readonly paths: readonly string[];
}

type FoundChanges = Omit<MessageChanges, "subjects">;

const none: FoundChanges = { files: [], hidden: 0 };

async function readTracked(git: Git, { scope, paths, mayRead }: ReadSource): Promise<Result<FoundChanges>> {
  const range = await findRange(git, scope);
  const counted = await git.run([...countWords, ...range, "--", ...paths], { maxBytes: maxGitListBytes });
  if (!counted.ok) return counted;
  const all = parseCounts(counted.value.toString("utf8"));
  const shown = all.filter(({ path }) => mayRead(path)).slice(0, maxFiles);
  const names = shown.map(({ path }) => path);
  const patches = await readPatchFiles(git, range, names, maxChars);
  if (!patches.ok) return patches;
  const files = shown.map((file, index) => ({ ...file, patch: patches.value.files[index] ?? null }));
  return ok({ files, hidden: all.length - shown.length });
}

const countWords = [
  ...["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--no-renames", "--ignore-submodules=dirty"],
  ...["--numstat", "-z"],
];

/** Returns the side that the changes differ from, as arguments of `git diff`. */
async function findRange(git: Git, scope: MessageScope): Promise<readonly string[]> {
  if (scope === "staged") return ["--cached"];
  const base = (await readCommit(git, scope === "all" ? "HEAD" : "HEAD^")) ?? (await emptyTreeOf(git));
  return scope === "all" ? [base] : ["--cached", base];
}

/** Returns the id of the tree without files, by the hash function of the repository. */
async function emptyTreeOf(git: Git): Promise<string> {
  const hashed = await git.run(["hash-object", "-t", "tree", "--stdin"], { maxBytes: maxGitListBytes, input: "" });
  return hashed.ok ? hashed.value.toString("latin1").trim() : "";
}

/** Parses `--numstat -z` without renames. */
const parseCounts = (output: string): readonly Omit<MessageChange, "patch">[] =>
  output.split("\0").flatMap((record) => {
    const [, added = "", removed = "", path] = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(record) ?? [];
    return path === undefined ? [] : [{ path, added: toCount(added), removed: toCount(removed) }];
  });

const toCount = (text: string): number | null => (text === "-" ? null : Number(text));

async function readUntracked(git: Git, { paths, mayRead }: ReadSource): Promise<Result<FoundChanges>> {
  const status = await git.run([...statusWords("all"), "--", ...paths], { maxBytes: maxGitListBytes });
  if (!status.ok) return status;
  const all = [...statusEntries(status.value.toString("utf8"))].filter(({ kind }) => kind === "untracked");
  const shown = all.filter(({ path }) => !path.endsWith("/") && mayRead(path)).slice(0, maxUntracked);
  const files: MessageChange[] = [];
  for (const { path } of shown) {
    const read = await readPatch(git, { path, side: "changed", isUntracked: true });
    if (!read.ok && read.error.code === "aborted") return read;
    const patch = read.ok ? read.value.toString("utf8") : null;
    const added = patch === null || !patch.includes("\n@@ ") ? null : (patch.match(/^\+(?!\+\+ )/gm)?.length ?? 0);
    files.push({ path, added, removed: 0, patch: patch === null || patch.length > maxChars ? null : patch.trimEnd() });
  }
  return ok({ files, hidden: all.length - shown.length });
}

/** Returns no subjects before the first commit. */
async function readSubjects(git: Git): Promise<readonly string[]> {
  const words = ["log", `--max-count=${subjectCount}`, "--no-show-signature", "--no-color", "--encoding=UTF-8"];
  const read = await git.run([...words, "--format=%s", "HEAD", "--"], { maxBytes: maxGitListBytes });
  return read.ok
    ? read.value
        .toString("utf8")
        .split("\n")
        .filter((line) => line !== "")
    : [];
}
