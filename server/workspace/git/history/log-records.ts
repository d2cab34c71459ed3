/** Parses commits in the form that `logFormat` requests from `git log -z`. Pure. */
import type { CommitRef, LogCommit } from "@/lib/workspace/source-history";

/** No field contains NUL: git cuts a message and a name at one. */
export const logFormat = "--format=tformat:%H%x00%P%x00%aN%x00%at%x00%s%x00%D";
/** Names of refs are whole, those that git makes for itself are left out, and the user's settings have no effect. */
export const refWords: readonly string[] = [
  "--decorate=full",
  ...["HEAD", "refs/heads", "refs/remotes", "refs/tags"].map((pattern) => `--decorate-refs=${pattern}`),
];
const fieldCount = 6;
const maxSubjectChars = 500;
const maxRefs = 20;

/** Returns the complete commits of an output, which may be cut anywhere. With `--name-status` each has at most one path. */
export function parseLog(output: string): readonly LogCommit[] {
  const fields = output.split("\0");
  // What follows the last NUL is empty, or cut.
  fields.pop();
  const commits: LogCommit[] = [];
  for (let at = 0; at + fieldCount <= fields.length; ) {
    const [id = "", parents = "", author = "", seconds = "", subject = "", refs = ""] = fields.slice(
      at,
      at + fieldCount,
    );
    at += fieldCount;
    const status = /^\n?([A-Z])\d*$/.exec(fields[at] ?? "")?.[1];
    const names = status === undefined ? 0 : status === "R" || status === "C" ? 2 : 1;
    const path = names === 0 ? undefined : fields[at + names];
    if (names > 0) at += 1 + names;
    commits.push({
      id,
      parents: splitIds(parents),
      author,
      time: Number(seconds) * 1_000,
      subject: subject.slice(0, maxSubjectChars),
      refs: parseRefs(refs),
      ...(path === undefined ? {} : { path }),
    });
  }
  return commits;
}

export const splitIds = (text: string): readonly string[] => text.split(" ").filter((id) => id !== "");

/** Parses `%D` with whole names: no name of a ref contains a space. */
export function parseRefs(text: string): readonly CommitRef[] {
  const refs: CommitRef[] = [];
  for (const one of text === "" ? [] : text.split(", ")) {
    const ref = parseRef(one);
    if (ref !== null && refs.length < maxRefs) refs.push(ref);
  }
  return refs;
}

const refKinds: readonly (readonly [start: string, kind: CommitRef["kind"]])[] = [
  ["HEAD -> refs/heads/", "head"],
  ["refs/heads/", "branch"],
  ["refs/remotes/", "remote"],
  ["tag: refs/tags/", "tag"],
];

function parseRef(text: string): CommitRef | null {
  if (text === "HEAD") return { kind: "head", name: text };
  const found = refKinds.find(([start]) => text.startsWith(start));
  if (found === undefined || text.endsWith("/HEAD")) return null;
  const [start, kind] = found;
  return { kind, name: text.slice(start.length) };
}
