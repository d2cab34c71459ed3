/** Content and name search of the project by ripgrep. Links are never followed. */
import { isUtf8 } from "node:buffer";
import { fail, ok, type Result } from "@/lib/events/error";
import { ownerPath, policyForRoot, type SafePath } from "@/server/security/paths/safe-path";
import type { CodePattern } from "./code-pattern";
import type { ProjectPolicy } from "./ignore-rules";
import { type GrepRequest, type GrepResult, grepProject } from "./lines/grep";
import type { LineReceiver } from "./lines/line-delivery";
import { type LineSearchEnd, type LineSearchRequest, matchFiles, searchLines } from "./lines/line-search";
import { runRipgrep, type RecordDecision, searchTimeoutMs } from "./ripgrep";
import { type LineEvent, toSearchError, withoutDotSlash } from "./ripgrep-events";
import { buildSearchScope, shownPath } from "./search-scope";

interface FindRequest {
  /** Glob on paths below `path`; without a slash it matches at any depth. */
  readonly pattern: string;
  readonly path: SafePath;
  readonly max: number;
}

interface FindResult {
  /** Files that are left out because their paths are not UTF-8. */
  readonly unreadable: number;
  /** Relative to the project, absolute in a read root; newest first. */
  readonly paths: readonly string[];
  readonly more: boolean;
  readonly timedOut: boolean;
}

export interface Search {
  /**
   * Searches file contents; matches are in path order. Leaves out ignored (.gitignore), protected and binary files;
   * an ignored `path` itself is searched. `glob` does not apply to a single file. Fails with bad_regex, not_found,
   * timeout (nothing found in time), search_failed. An abort returns the matches so far with `more`. Only lines that
   * exist in the project's own files are returned.
   */
  grep(request: GrepRequest, signal: AbortSignal): Promise<Result<GrepResult>>;
  /**
   * Passes every file of the project that is not ignored or protected to `record`, relative to the project, in no
   * order. Links are left out. An abort, `stop` and the time limit end it. Fails with search_failed.
   */
  list(record: (path: string) => RecordDecision, signal: AbortSignal): Promise<Result<null>>;
  /** Files only. Fails with not_folder, not_found, timeout, search_failed. */
  find(request: FindRequest, signal: AbortSignal): Promise<Result<FindResult>>;
  /** Searches file contents for the owner and delivers the lines while it runs; see `searchLines`. */
  lines(request: LineSearchRequest, receive: LineReceiver, signal: AbortSignal): Promise<Result<LineSearchEnd>>;
  /** Finds the matches in single files; see `matchFiles`. */
  matches(
    request: CodePattern & { readonly paths: readonly string[] },
    record: (event: LineEvent) => void,
    signal: AbortSignal,
  ): Promise<Result<null>>;
}

const nulByte = 0x00;
const maxPathBytes = 16_384;

/** Creates the search of a project; `policy.root` must be a real path. `run` executes ripgrep. */
export function makeSearch(policy: ProjectPolicy, run: typeof runRipgrep = runRipgrep): Search {
  return {
    grep: (request, signal) => grepProject(policy, run, request, signal),
    list: (record, signal) => listProject(policy, run, record, signal),
    find: (request, signal) => findInProject(policyForRoot(policy, request.path.readRoot), run, request, signal),
    lines: (request, receive, signal) => searchLines(policy, run, request, receive, signal),
    matches: (request, record, signal) => matchFiles(policy, run, request, record, signal),
  };
}

async function findInProject(
  policy: ProjectPolicy,
  run: typeof runRipgrep,
  request: FindRequest,
  signal: AbortSignal,
): Promise<Result<FindResult>> {
  const scope = await buildSearchScope(policy, request.path, request.pattern);
  if (!scope.ok) return scope;
  if (!scope.value.isFolder) return fail("not_folder", undefined, { path: request.path.relative });
  const paths: string[] = [];
  let unreadable = 0;
  const record = (bytes: Buffer | null): RecordDecision => {
    const path = bytes === null ? null : withoutDotSlash(bytes.toString("utf8"));
    if (bytes === null || path === null || !scope.value.shows(path)) return "more";
    if (!isUtf8(bytes)) {
      unreadable += 1;
      return "more";
    }
    if (paths.length === request.max) return "stop";
    paths.push(shownPath(request.path, path));
    return "more";
  };
  const end = await run(
    {
      arguments: ["--files", "--null", "--sortr=modified", ...scope.value.arguments],
      cwd: policy.root,
      separator: nulByte,
      maxRecordBytes: maxPathBytes,
      timeoutMs: searchTimeoutMs,
      record,
    },
    signal,
  );
  const checked = await toSearchError(end, paths.length, async () => null);
  if (!checked.ok) return checked;
  const { ended } = checked.value;
  return ok({ paths, unreadable, more: ended !== null, timedOut: ended === "timeout" });
}

/** Time limit of a list of all files, ms. */
const listTimeoutMs = 60_000;

async function listProject(
  policy: ProjectPolicy,
  run: typeof runRipgrep,
  record: (path: string) => RecordDecision,
  signal: AbortSignal,
): Promise<Result<null>> {
  const root = ownerPath(".", "read", policy);
  if (!root.ok) return root;
  const scope = await buildSearchScope(policy, root.value, undefined);
  if (!scope.ok) return scope;
  const end = await run(
    {
      arguments: ["--files", "--null", ...scope.value.arguments],
      cwd: policy.root,
      separator: nulByte,
      maxRecordBytes: maxPathBytes,
      timeoutMs: listTimeoutMs,
      record: (bytes) => (bytes === null || !isUtf8(bytes) ? "more" : record(withoutDotSlash(bytes.toString("utf8")))),
    },
    signal,
  );
  return end.ok ? ok(null) : end;
}
