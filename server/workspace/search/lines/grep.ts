/**
 * Content search for the model. The first matches in path order are returned; when time runs out, those found so far.
 * ripgrep walks in order with one thread only, so a folder is searched in parallel first and its lines are sorted here;
 * a pattern with very many matches is searched again in order, which ends after the first of them.
 */
import { ok, type Result } from "@/lib/events/error";
import { policyForRoot, type SafePath } from "@/server/security/paths/safe-path";
import { clipAroundMatch, type ClippedLine } from "../clip-line";
import type { ProjectPolicy } from "../ignore-rules";
import { type FoundLine, filterProjectLines } from "../project-lines";
import { type RecordDecision, type RipgrepResult, type runRipgrep, searchTimeoutMs } from "../ripgrep";
import { findPatternError, type LineEvent, newlineByte, parseLineEvent, toSearchError } from "../ripgrep-events";
import { buildSearchScope, shownPath } from "../search-scope";

/** Maximum length of a matching line, UTF-16 units. */
export const grepLineChars = 300;
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
  /** Files with matches that are left out because their paths are not UTF-8. */
  readonly unreadable: number;
  /** Whether there are, or may be, further matches. */
  readonly more: boolean;
  /** Whether the time limit ended the search. */
  readonly timedOut: boolean;
}
const maxEventBytes = 8_000_000;
/** Maximum lines that are sorted here, context included. */
const unsortedLines = 10_000;

/** Implements `grep` of Search. */
export async function grepProject(
  projectPolicy: ProjectPolicy,
  run: typeof runRipgrep,
  request: GrepRequest,
  signal: AbortSignal,
): Promise<Result<GrepResult>> {
  const policy = policyForRoot(projectPolicy, request.path.readRoot);
  const scope = await buildSearchScope(policy, request.path, request.glob);
  if (!scope.ok) return scope;
  const context = Math.max(0, Math.min(Math.trunc(request.context ?? 0), grepContextLines));
  const endsAt = performance.now() + searchTimeoutMs;
  const search = (options: readonly string[], isEnough: (lines: number, matches: number) => boolean) =>
    collectLines(
      run,
      {
        arguments: [
          "--json",
          ...options,
          // `$` also matches before the carriage return of a CRLF line.
          "--crlf",
          ...patternArguments(request),
          `--context=${context}`,
          ...scope.value.arguments,
        ],
        cwd: policy.root,
        timeoutMs: Math.max(1, Math.ceil(endsAt - performance.now())),
        shows: scope.value.shows,
        isEnough,
      },
      signal,
    );
  const inOrder = () => search(["--sort=path"], (_lines, matches) => matches > request.max);
  // In parallel, ripgrep holds the output of a file until its end: without a maximum it would be as large as the file.
  const inParallel = () => search([`--max-count=${request.max + 1}`], (lines) => lines > unsortedLines);
  const found = scope.value.isFolder ? await searchFolder(inParallel, inOrder) : await inOrder();
  const checked = await toSearchError(found.end, found.matches, () =>
    findPatternError(patternArguments(request), policy.root, signal),
  );
  if (!checked.ok) return checked;
  const { ended } = checked.value;
  const first = takeMatches(sortByPath(found.lines), request.max);
  const own = await filterProjectLines(policy, request.path.by, dropStrayContext(first, context));
  const matches = own.map(
    ({ position: _source, isPathUnreadable: _known, ...match }): GrepMatch => ({
      ...match,
      path: shownPath(request.path, match.path),
    }),
  );
  return ok({
    matches,
    files: new Set(matches.filter(({ isContext }) => !isContext).map(({ path }) => path)).size,
    unreadable: found.unreadable,
    more: found.matches > request.max || found.hasLongLines || ended !== null,
    timedOut: ended === "timeout",
  });
}

/** The ordered search replaces the parallel one that was stopped, unless time runs out. */
async function searchFolder(
  inParallel: () => Promise<CollectedLines>,
  inOrder: () => Promise<CollectedLines>,
): Promise<CollectedLines> {
  const unsorted = await inParallel();
  if (!unsorted.isEnough) return unsorted;
  const sorted = await inOrder();
  return sorted.end.ok && sorted.end.value.ended === "timeout" ? { ...unsorted, end: sorted.end } : sorted;
}

interface LineCollection {
  readonly arguments: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  shows(path: string): boolean;
  /** Returns whether ripgrep is stopped; called with the counts of all lines and of matches. */
  isEnough(lines: number, matches: number): boolean;
}

interface CollectedLines {
  readonly end: Result<RipgrepResult>;
  readonly lines: readonly FoundMatch[];
  /** Number of `lines` that match. */
  readonly matches: number;
  /** Whether a line was too long to hold; it may have matched. */
  readonly hasLongLines: boolean;
  /** Number of files whose paths are not UTF-8. */
  readonly unreadable: number;
  readonly isEnough: boolean;
}

async function collectLines(
  run: typeof runRipgrep,
  { arguments: list, cwd, timeoutMs, shows, isEnough }: LineCollection,
  signal: AbortSignal,
): Promise<CollectedLines> {
  const lines: FoundMatch[] = [];
  let matches = 0;
  let hasLongLines = false;
  const unreadable = new Set<string>();
  const record = (bytes: Buffer | null): RecordDecision => {
    hasLongLines ||= bytes === null;
    const line = bytes === null ? null : parseMatch(bytes);
    if (line === null || !shows(line.path)) return "more";
    if (line.isPathUnreadable) {
      unreadable.add(line.path);
      return "more";
    }
    lines.push(line);
    if (!line.isContext) matches += 1;
    return isEnough(lines.length, matches) ? "stop" : "more";
  };
  const end = await run(
    {
      arguments: list,
      cwd,
      separator: newlineByte,
      maxRecordBytes: maxEventBytes,
      timeoutMs,
      record,
    },
    signal,
  );
  return { end, lines, matches, hasLongLines, unreadable: unreadable.size, isEnough: isEnough(lines.length, matches) };
}

const patternArguments = (request: GrepRequest): readonly string[] => [
  ...(request.literal ? ["--fixed-strings"] : []),
  ...(request.ignoreCase ? ["--ignore-case"] : []),
  `--regexp=${request.pattern}`,
];

type FoundMatch = GrepMatch & FoundLine & Pick<LineEvent, "isPathUnreadable">;

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
    isPathUnreadable: event.isPathUnreadable,
    position: event.position,
  };
}

/**
 * Orders as `--sort=path` does: folder by folder, names by their bytes. ripgrep prints the lines of a file together and
 * in order.
 */
function sortByPath(lines: readonly FoundMatch[]): readonly FoundMatch[] {
  const files: { readonly key: string; readonly path: string; readonly lines: FoundMatch[] }[] = [];
  for (const line of lines) {
    const last = files.at(-1);
    if (last?.path === line.path) last.lines.push(line);
    else files.push({ key: toSortKey(line.path), path: line.path, lines: [line] });
  }
  return files.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).flatMap(({ lines: ofFile }) => ofFile);
}

/** Compares like the bytes of the path with a separator below every other one. */
const toSortKey = (path: string): string => Buffer.from(path.replaceAll("/", "\0")).toString("latin1");

/** Returns the lines before the match after the first `max` ones. */
function takeMatches(lines: readonly FoundMatch[], max: number): readonly FoundMatch[] {
  let matches = 0;
  const end = lines.findIndex(({ isContext }) => !isContext && ++matches > max);
  return end === -1 ? lines : lines.slice(0, end);
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
