/** Reads which commit last changed each line of a file. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { Blame, BlameRun } from "@/lib/workspace/source-history";
import type { Git } from "../git";

const maxLines = 5_000;
const maxBlameBytes = 16_000_000;

export interface BlameTarget {
  readonly path: string;
  /** The file as it was in a commit; absent = as it is on the disk. */
  readonly commit?: string;
  /** Its text in place of that on the disk. */
  readonly text?: string;
}

/** A file that lists commits to ignore may not exist: then git refuses. */
const blameWords = ["blame", "--incremental", "--no-textconv", "--encoding=UTF-8", "--ignore-revs-file="];

/** Fails with not_found for a path without a history, and like `Git.run`, except that a timeout leaves lines out. */
export async function readBlame(git: Git, { path, commit, text }: BlameTarget): Promise<Result<Blame>> {
  const source = text === undefined ? (commit === undefined ? [] : [commit]) : ["--contents", "-"];
  const parts: Buffer[] = [];
  const output = await git.run([...blameWords, "-L", `1,${maxLines}`, ...source, "--", path], {
    maxBytes: maxBlameBytes,
    ...(text === undefined ? {} : { input: text }),
    onOutput: (part) => void parts.push(part),
  });
  if (!output.ok && output.error.code === "tool_failed") {
    const found = await git.run(["cat-file", "-e", `${commit ?? "HEAD"}:./${path}`], { maxBytes: 1_000 });
    // Git has no range of lines for a file without lines.
    return found.ok ? ok({ commits: [], runs: [] }) : fail("not_found", undefined, { path });
  }
  if (!output.ok && output.error.code !== "timeout") return output;
  return ok(parseBlame(Buffer.concat(parts).toString("utf8")));
}

type BlameCommit = Blame["commits"][number];

/** Parses what `--incremental` prints, as git-blame(1) defines it; a part that is cut is left out. */
export function parseBlame(output: string): Blame {
  const commits: BlameCommit[] = [];
  const indexes = new Map<string, number>();
  const runs: BlameRun[] = [];
  let run: (BlameRun & { readonly id: string }) | null = null;
  let facts = new Map<string, string>();
  for (const line of output.split("\n").slice(0, -1)) {
    const start = runStart.exec(line);
    if (start !== null) {
      const [, id = "", first, count] = start;
      run = { id, line: Number(first), count: Number(count), commit: null };
      facts = new Map();
      continue;
    }
    const [key = "", value = ""] = splitOnce(line);
    facts.set(key, value);
    if (key !== "filename" || run === null) continue;
    const { id, ...place } = run;
    if (!isUncommitted(id) && !indexes.has(id)) {
      indexes.set(id, commits.length);
      commits.push(toCommit(id, facts));
    }
    runs.push({ ...place, commit: indexes.get(id) ?? null });
  }
  return { commits, runs: joinRuns(runs.sort((one, other) => one.line - other.line)) };
}

const runStart = /^([0-9a-f]{40,64}) \d+ (\d+) (\d+)$/;
const isUncommitted = (id: string): boolean => /^0+$/.test(id);

function splitOnce(line: string): readonly string[] {
  const at = line.indexOf(" ");
  return at === -1 ? [line] : [line.slice(0, at), line.slice(at + 1)];
}

const toCommit = (id: string, facts: ReadonlyMap<string, string>): BlameCommit => ({
  id,
  author: facts.get("author") ?? "",
  time: Number(facts.get("author-time") ?? 0) * 1_000,
  subject: facts.get("summary") ?? "",
});

/** Joins successive lines of one commit, which git reports in parts if they were apart before. */
function joinRuns(sorted: readonly BlameRun[]): readonly BlameRun[] {
  const joined: BlameRun[] = [];
  for (const run of sorted) {
    const last = joined.at(-1);
    if (last !== undefined && last.commit === run.commit && last.line + last.count === run.line)
      joined[joined.length - 1] = { ...last, count: last.count + run.count };
    else joined.push(run);
  }
  return joined;
}
