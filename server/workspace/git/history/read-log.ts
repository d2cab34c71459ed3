/** Reads pages of the log of a repository: every commit, or those that a search finds. */
import { ok, type Result } from "@/lib/events/error";
import { orderByParents } from "@/lib/workspace/commit-graph";
import type { LogCommit, LogCursor, LogPage } from "@/lib/workspace/source-history";
import type { Git } from "../git";
import { findGitFolders, readGitLine } from "../git-folders";
import { logFormat, parseLog, refWords } from "./log-records";

const pageCommits = 200;
/** Bytes of the output; a page of an odd repository has fewer commits. */
const maxLogBytes = 16_000_000;
/** Branches and tags from which a log of all goes back, the newest. */
const maxTips = 1_000;

export interface LogQuery {
  readonly after?: LogCursor;
  readonly text?: string;
  readonly author?: string;
  /** Part of a path. */
  readonly path?: string;
  readonly content?: string;
  /** The path of one file. */
  readonly file?: string;
  readonly all?: boolean;
}

/** Verifying a signature would run a program that the repository names, as would a comparison of converted files. */
const logWords = ["log", "-z", "--no-show-signature", "--no-ext-diff", "--no-textconv", "--encoding=UTF-8", "--stdin"];

/** Returns a page; `stop` is the signal by which `git` was opened. Fails like `Git.run`, except that a search ends with what it has found. */
export async function readLog(git: Git, query: LogQuery, stop: AbortSignal): Promise<Result<LogPage>> {
  const tips = query.after === undefined ? await readTips(git, query) : ok(query.after.tips);
  if (!tips.ok) return tips;
  if (tips.value.length === 0) return ok({ commits: [], next: null });
  const skip = query.after?.skip ?? 0;
  // With these git counts skipped commits before it compares their files.
  const skipsHere = query.content !== undefined || query.file !== undefined;
  const count = pageCommits + 1 + (skipsHere ? skip : 0);
  const limits = [`--max-count=${count}`, ...(skipsHere ? [] : [`--skip=${skip}`])];
  const words = [...logWords, logFormat, ...refWords, ...limits, ...searchWords(query, git.prefix !== "")];
  const parts: Buffer[] = [];
  const output = await git.run(words, {
    maxBytes: maxLogBytes,
    input: `${tips.value.join("\n")}\n`,
    onOutput: (part) => void parts.push(part),
    ...(query.path === undefined ? {} : { usesPatterns: true }),
  });
  const ended = output.ok ? undefined : earlyEnds[output.error.code];
  if (!output.ok && ended === undefined) {
    const head = await readHead(git);
    return head.ok && head.value.length === 0 ? ok({ commits: [], next: null }) : output;
  }
  const found = parseLog(Buffer.concat(parts).toString("utf8")).slice(skipsHere ? skip : 0);
  const page = nameFiles(found.slice(0, pageCommits), query, git.prefix);
  const commits = isSearch(query) ? page : orderByParents(page);
  if (ended !== undefined) return ok({ commits, next: null, ended: stop.aborted ? "stopped" : ended });
  if (found.length > pageCommits) return ok({ commits, next: nextCursor(tips.value, commits, skip) });
  const isShallow = (await readGitLine((await findGitFolders(git.top)).common, "shallow")) !== null;
  return ok({ commits, next: null, ...(isShallow ? { ended: "shallow" as const } : {}) });
}

const earlyEnds: { readonly [code: string]: LogPage["ended"] } = {
  timeout: "timeout",
  aborted: "stopped",
  too_large: "too_large",
};

/** A log without a search starts with the checked-out commit, so that git is not asked for it. */
const nextCursor = (tips: readonly string[], commits: readonly LogCommit[], skip: number): LogCursor => ({
  tips: tips.map((tip) => (tip === "HEAD" ? (commits[0]?.id ?? tip) : tip)),
  skip: skip + pageCommits,
});

const isSearch = ({ text, author, path, content, file }: LogQuery): boolean =>
  [text, author, path, content, file].some((one) => one !== undefined);

/** `isFolder`: without a search by path, only commits that change the folder; their parents are the nearest of these. */
function searchWords({ text, author, path, content, file }: LogQuery, isFolder: boolean): readonly string[] {
  const paths = file ?? (path === undefined ? (isFolder ? "." : undefined) : pathPattern(path));
  return [
    ...(isFolder && file === undefined ? ["--parents"] : []),
    "--fixed-strings",
    ...(text !== undefined || author !== undefined ? ["--regexp-ignore-case"] : []),
    ...(text === undefined ? [] : [`--grep=${text}`]),
    ...(author === undefined ? [] : [`--author=${author}`]),
    ...(content === undefined ? [] : [`-S${content}`]),
    // Only one of them has paths: a history follows the renames of a single path.
    ...(file === undefined ? ["--no-follow"] : ["--follow", "--name-status"]),
    "--",
    ...(paths === undefined ? [] : [paths]),
  ];
}

/** Matches the paths of any case that contain a text. */
const pathPattern = (text: string): string => `:(icase)*${text.replace(/[\\*?[\]]/g, "\\$&")}*`;

/** A merge has no file of its own: the name is that of the commit before it in the list. */
function nameFiles(commits: readonly LogCommit[], { file }: LogQuery, prefix: string): readonly LogCommit[] {
  if (file === undefined) return commits;
  let path = file;
  const named: LogCommit[] = [];
  for (const commit of commits) {
    // Before, it was in another folder of the repository.
    if (commit.path?.startsWith(prefix) === false) break;
    path = commit.path?.slice(prefix.length) ?? path;
    named.push({ ...commit, path });
  }
  return named;
}

/** Returns the commits from which the log goes back; none = there is no commit. */
async function readTips(git: Git, query: LogQuery): Promise<Result<readonly string[]>> {
  if (query.all !== true && !isSearch(query)) return ok(["HEAD"]);
  const head = await readHead(git);
  if (!head.ok || query.all !== true) return head;
  const listed = await git.run(
    [
      ...["for-each-ref", "--sort=-committerdate", `--count=${maxTips - 1}`, "--format=%(objectname)"],
      ...["refs/heads", "refs/remotes", "refs/tags"],
    ],
    { maxBytes: 1_000_000 },
  );
  return listed.ok ? ok([...new Set([...head.value, ...splitLines(listed.value)])]) : listed;
}

/** Returns the checked-out commit; none = there is none yet. */
async function readHead(git: Git): Promise<Result<readonly string[]>> {
  const words = ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"];
  const output = await git.run(words, { maxBytes: 1_000, exits: [0, 1] });
  return output.ok ? ok(splitLines(output.value)) : output;
}

const splitLines = (output: Buffer): readonly string[] => output.toString("latin1").split("\n").filter(Boolean);
