/** Parses `git status --porcelain=v2 -z`, as git-status(1) defines it. Pure. */

/** A path that differs. The states are git's letters: "." = no difference. */
export interface StatusEntry {
  readonly kind: "changed" | "unmerged" | "untracked";
  /** That of an untracked folder ends with a slash. */
  readonly path: string;
  /** The path in the last commit, of a renamed or copied file. */
  readonly from?: string;
  /** Difference of the index from the last commit. */
  readonly index: string;
  /** Difference of the work tree from the index. */
  readonly tree: string;
  readonly isSubmodule: boolean;
  /** Its blob in the last commit, of an unmerged path ours; null = there is none. */
  readonly object: string | null;
}

const changedEntry = /^1 (.)(.) (\S+) \d+ \d+ \d+ (\S+) \S+ (.+)$/s;
const renamedEntry = /^2 (.)(.) (\S+) \d+ \d+ \d+ (\S+) \S+ \S+ (.+)$/s;
const unmergedEntry = /^u (.)(.) (\S+) \d+ \d+ \d+ \d+ \S+ (\S+) \S+ (.+)$/s;

/**
 * Yields the entries in git's order. Headers and ignored paths are left out. With `prefix` (a folder, with its slash) paths are
 * relative to this folder, and others are left out.
 */
export function* statusEntries(output: string | Buffer, prefix = ""): Generator<StatusEntry> {
  for (const entry of allEntries(typeof output === "string" ? Buffer.from(output) : output)) {
    const { path, from } = entry;
    if (!path.startsWith(prefix)) continue;
    yield prefix === ""
      ? entry
      : {
          ...entry,
          path: path.slice(prefix.length),
          ...(from === undefined ? {} : { from: from.slice(prefix.length) }),
        };
  }
}

function* allEntries(output: Buffer): Generator<StatusEntry> {
  const fields = splitFields(output);
  for (const field of fields) {
    if (field.startsWith("? ")) yield untrackedEntry(field.slice(2));
    const isRename = field.startsWith("2 ");
    const match = (isRename ? renamedEntry : field.startsWith("u ") ? unmergedEntry : changedEntry).exec(field);
    if (match === null) continue;
    const [, index = ".", tree = ".", submodule = "", object = "", path = ""] = match;
    const from = isRename ? fields.next().value : undefined;
    yield {
      kind: field.startsWith("u ") ? "unmerged" : "changed",
      path,
      ...(typeof from === "string" ? { from } : {}),
      index,
      tree,
      isSubmodule: submodule.startsWith("S"),
      object: /^0+$/.test(object) ? null : object,
    };
  }
}

export const untrackedEntry = (path: string): StatusEntry => ({
  kind: "untracked",
  path,
  index: "?",
  tree: "?",
  isSubmodule: false,
  object: null,
});

/** Decodes one field at a time: the output of a large repository is not decoded at once. */
function* splitFields(output: Buffer): Generator<string, undefined> {
  let from = 0;
  for (let to = output.indexOf(0); to !== -1; to = output.indexOf(0, from)) {
    yield output.toString("utf8", from, to);
    from = to + 1;
  }
}

/** Returns the value of a header of `--branch` or `--show-stash`, as in `# branch.head main`. */
export function statusHeader(output: Buffer, name: string): string | undefined {
  const headers = output.toString("utf8", 0, maxHeaderBytes).split("\0");
  return headers.find((header) => header.startsWith(`# ${name} `))?.slice(name.length + 3);
}

/** The headers come first: a commit, two names of branches and numbers. */
const maxHeaderBytes = 10_000;
