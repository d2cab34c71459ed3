/** Content and name search of the project by ripgrep. Links are never followed. */
import { fail, ok, type Result } from "@/lib/events/error";
import { ownerPath, policyForRoot, type SafePath } from "@/server/security/paths/safe-path";
import { clipAroundMatch, type ClippedLine } from "./clip-line";
import type { CodePattern } from "./code-pattern";
import type { ProjectPolicy } from "./ignore-rules";
import type { LineReceiver } from "./lines/line-delivery";
import { type LineSearchEnd, type LineSearchRequest, matchFiles, searchLines } from "./lines/line-search";
import { type FoundLine, filterProjectLines } from "./project-lines";
import { runRipgrep, type RecordDecision } from "./ripgrep";
import {
  findPatternError,
  type LineEvent,
  newlineByte,
  parseLineEvent,
  toSearchError,
  withoutDotSlash,
} from "./ripgrep-events";
import { buildSearchScope } from "./search-scope";

/** Maximum length of a matching line, UTF-16 units. */
export const grepLineChars = 300;
/** Timeout of a search, ms. */
const grepTimeoutMs = 10_000;
/** Maximum lines of context around a match. */
const grepContextLines = 20;

export interface GrepRequest {
  readonly pattern: string;
  /** A file or folder. */
  readonly path: SafePath;
  /** Only files whose path matches: `*.ts`, `src/**`. Relative to `path`. */
  readonly glob?: string;
  /** Whether the pattern is plain text. */
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
  /** Lines around each match, at most grepContextLines. */
  readonly context?: number;
  /** Maximum matching lines, context not counted. */
  readonly max: number;
}

/** A found line without its line end; long lines are cut around the match. */
export interface GrepMatch extends ClippedLine {
  /** Relative to the project, forward slashes; absolute in a read root. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  readonly isContext: boolean;
}

export interface GrepResult {
  readonly matches: readonly GrepMatch[];
  /** Number of files with a match among `matches`. */
  readonly files: number;
  /** Whether there are, or may be, further matches. */
  readonly more: boolean;
  /** Whether the time limit ended the search. */
  readonly timedOut: boolean;
}

interface FindRequest {
  /** Glob on paths below `path`; without a slash it matches at any depth. */
  readonly pattern: string;
  readonly path: SafePath;
  readonly max: number;
}

interface FindResult {
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
const maxEventBytes = 8_000_000;
const maxPathBytes = 16_384;

/** Creates the search of a project; `policy.root` must be a real path. `run` executes ripgrep. */
export function makeSearch(policy: ProjectPolicy, run: typeof runRipgrep = runRipgrep): Search {
  return {
    grep: (request, signal) => grepProject(policyForRoot(policy, request.path.readRoot), run, request, signal),
    list: (record, signal) => listProject(policy, run, record, signal),
    find: (request, signal) => findInProject(policyForRoot(policy, request.path.readRoot), run, request, signal),
    lines: (request, receive, signal) => searchLines(policy, run, request, receive, signal),
    matches: (request, record, signal) => matchFiles(policy, run, request, record, signal),
  };
}

async function grepProject(
  policy: ProjectPolicy,
  run: typeof runRipgrep,
  request: GrepRequest,
  signal: AbortSignal,
): Promise<Result<GrepResult>> {
  const scope = await buildSearchScope(policy, request.path, request.glob);
  if (!scope.ok) return scope;
  const context = Math.max(0, Math.min(Math.trunc(request.context ?? 0), grepContextLines));
  const lines: FoundMatch[] = [];
  let found = 0;
  let more = false;
  const record = (bytes: Buffer | null): RecordDecision => {
    // A line too long to hold may have matched.
    more ||= bytes === null;
    const line = bytes === null ? null : parseMatch(bytes);
    if (line === null || !scope.value.shows(line.path)) return "more";
    if (!line.isContext) {
      more ||= found === request.max;
      if (found === request.max) return "stop";
      found += 1;
    }
    lines.push(line);
    return "more";
  };
  const end = await run(
    {
      arguments: [
        "--json",
        "--sort=path",
        // `$` also matches before the carriage return of a CRLF line.
        "--crlf",
        ...patternArguments(request),
        `--context=${context}`,
        ...scope.value.arguments,
      ],
      cwd: policy.root,
      separator: newlineByte,
      maxRecordBytes: maxEventBytes,
      timeoutMs: grepTimeoutMs,
      record,
    },
    signal,
  );
  const checked = await toSearchError(end, found, () =>
    findPatternError(patternArguments(request), policy.root, signal),
  );
  if (!checked.ok) return checked;
  const { ended } = checked.value;
  const own = await filterProjectLines(policy, request.path.by, dropStrayContext(lines, context));
  const matches = own.map(
    ({ position: _source, ...match }): GrepMatch => ({ ...match, path: shownPath(request.path, match.path) }),
  );
  return ok({
    matches,
    files: new Set(matches.filter(({ isContext }) => !isContext).map(({ path }) => path)).size,
    more: more || ended !== null,
    timedOut: ended === "timeout",
  });
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
  const record = (bytes: Buffer | null): RecordDecision => {
    const path = bytes === null ? null : withoutDotSlash(bytes.toString("utf8"));
    if (path === null || !scope.value.shows(path)) return "more";
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
      timeoutMs: grepTimeoutMs,
      record,
    },
    signal,
  );
  const checked = await toSearchError(end, paths.length, async () => null);
  if (!checked.ok) return checked;
  const { ended } = checked.value;
  return ok({ paths, more: ended !== null, timedOut: ended === "timeout" });
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
      record: (bytes) => (bytes === null ? "more" : record(withoutDotSlash(bytes.toString("utf8")))),
    },
    signal,
  );
  return end.ok ? ok(null) : end;
}

/** Returns a found path as it is shown. `found` is relative to the root that contains `path`. */
const shownPath = ({ readRoot }: SafePath, found: string): string =>
  readRoot === null ? found : `${readRoot}/${found}`;

const patternArguments = (request: GrepRequest): readonly string[] => [
  ...(request.literal ? ["--fixed-strings"] : []),
  ...(request.ignoreCase ? ["--ignore-case"] : []),
  `--regexp=${request.pattern}`,
];

type FoundMatch = GrepMatch & FoundLine;

/** Parses a match or context line; null for ripgrep's other events. */
function parseMatch(record: Buffer): FoundMatch | null {
  const event = parseLineEvent(record);
  if (event === null) return null;
  const { bytes, submatches } = event;
  const [first] = submatches;
  const text = bytes.toString("utf8").replace(/\r?\n$/, "");
  const start = first === undefined ? 0 : bytes.subarray(0, first.start).toString("utf8").length;
  const end = first === undefined ? 0 : bytes.subarray(0, first.end).toString("utf8").length;
  return {
    path: event.path,
    line: event.line,
    ...clipAroundMatch(text, start, end, grepLineChars),
    isContext: event.isContext,
    position: event.position,
  };
}

/** Drops context lines of a match beyond the limit. */
function dropStrayContext(matches: readonly FoundMatch[], context: number): readonly FoundMatch[] {
  const last = matches.findLastIndex((match) => !match.isContext);
  const end = matches[last];
  if (end === undefined) return [];
  return matches.filter(
    (match, index) => index <= last || (match.path === end.path && match.line <= end.line + context),
  );
}
