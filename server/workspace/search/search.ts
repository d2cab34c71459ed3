/** Content and name search of the project by ripgrep. Links are never followed. */
import { existsSync } from "node:fs";
import * as z from "zod/mini";
import { fail, ok, type Result } from "@/lib/events/error";
import { isProtectedPath, policyForRoot, type SafePath } from "@/server/security/paths/safe-path";
import { entryKind } from "../files/file-handle";
import { makeGlob } from "./glob";
import { effectiveIgnoredFolders, isIgnored, type ProjectPolicy } from "./ignore-rules";
import { digestBytes, type FoundLine, filterProjectLines } from "./project-lines";
import { type RipgrepResult, runRipgrep, type RecordDecision } from "./ripgrep";

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

export interface GrepMatch {
  /** Relative to the project, forward slashes; absolute in a read root. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** Without its line end; long lines are cut around the match and marked with `…`. */
  readonly text: string;
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
  /** Files only. Fails with not_folder, not_found, timeout, search_failed. */
  find(request: FindRequest, signal: AbortSignal): Promise<Result<FindResult>>;
}

const newlineByte = 0x0a;
const nulByte = 0x00;
const maxEventBytes = 8_000_000;
const maxPathBytes = 16_384;

/** Creates the search of a project; `policy.root` must be a real path. `run` executes ripgrep. */
export function makeSearch(policy: ProjectPolicy, run: typeof runRipgrep = runRipgrep): Search {
  return {
    grep: (request, signal) => grepProject(policyForRoot(policy, request.path.readRoot), run, request, signal),
    find: (request, signal) => findInProject(policyForRoot(policy, request.path.readRoot), run, request, signal),
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
  const checked = await toSearchError(end, found, () => patternError(request, policy.root, signal));
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

/** Returns a found path as it is shown. `found` is relative to the root that contains `path`. */
const shownPath = ({ readRoot }: SafePath, found: string): string =>
  readRoot === null ? found : `${readRoot}/${found}`;

interface SearchScope {
  readonly isFolder: boolean;
  readonly arguments: readonly string[];
  /** Returns whether the glob matches the file and the requester may see it. */
  shows(path: string): boolean;
}

/**
 * Builds ripgrep's scope and the filter of its results. Globs are matched here because ripgrep's own override
 * .gitignore. Ignore files above the project apply only if the project is a git top folder, where ripgrep stops by
 * itself.
 */
async function buildSearchScope(
  policy: ProjectPolicy,
  path: SafePath,
  glob: string | undefined,
): Promise<Result<SearchScope>> {
  const facts = { path: path.relative };
  const kind = await entryKind(path);
  if (!kind.ok) return kind;
  if (kind.value === "link") return fail("broken_link", undefined, facts);
  if (kind.value === "other") return fail("not_a_file", undefined, facts);
  const isFolder = kind.value === "folder";
  const prefix = path.relative === "." ? "" : `${path.relative}/`;
  const isPathIgnored = prefix !== "" && (await isIgnored(policy, path.relative, isFolder));
  const wanted = isFolder && glob !== undefined && glob !== "" ? makeGlob(withoutRootPrefix(glob, policy.root)) : null;
  return ok({
    isFolder,
    arguments: [
      ...["--no-messages", "--no-follow", "--hidden", "--no-require-git", "--glob=!.git"],
      ...["--no-ignore-global", "--no-ignore-dot", "--no-ignore-exclude"],
      ...(existsSync(`${policy.root}/.git`) ? [] : ["--no-ignore-parent", `--ignore-file=${policy.root}/.gitignore`]),
      ...(isPathIgnored ? ["--no-ignore"] : (await effectiveIgnoredFolders(policy)).map((name) => `--glob=!${name}/`)),
      ...(isFolder ? typeArguments(glob) : []),
      ...["--", prefix === "" ? "./" : `./${path.relative}`],
    ],
    shows: (found) =>
      (wanted === null || wanted(found.slice(prefix.length))) &&
      !(path.by === "model" && isProtectedPath(found, policy)),
  });
}

const withoutRootPrefix = (glob: string, root: string): string =>
  glob.startsWith(`${root}/`) ? glob.slice(root.length) : glob;

/**
 * Returns a type filter for a plain last component, so that ripgrep skips other files; unlike its globs, its types
 * respect .gitignore.
 */
function typeArguments(glob = ""): readonly string[] {
  const last = glob.split("/").at(-1) ?? "";
  return !glob.startsWith("!") && last !== "**" && /^[\w.*?-]+$/.test(last) && /[\w.]/.test(last)
    ? [`--type-add=wanted:${last}`, "--type=wanted"]
    : [];
}

const patternArguments = (request: GrepRequest): readonly string[] => [
  ...(request.literal ? ["--fixed-strings"] : []),
  ...(request.ignoreCase ? ["--ignore-case"] : []),
  `--regexp=${request.pattern}`,
];

const textSchema = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]);
const eventSchema = z.object({
  type: z.enum(["match", "context"]),
  data: z.object({
    path: textSchema,
    lines: textSchema,
    line_number: z.nullable(z.number()),
    absolute_offset: z.number(),
    submatches: z.array(z.object({ start: z.number(), end: z.number() })),
  }),
});

const decodeTextField = (text: z.infer<typeof textSchema>): Buffer =>
  "text" in text ? Buffer.from(text.text) : Buffer.from(text.bytes, "base64");

const withoutDotSlash = (path: string): string => path.replace(/^\.\//, "");

type FoundMatch = GrepMatch & FoundLine;

/** Parses a match or context line; null for ripgrep's other events. */
function parseMatch(record: Buffer): FoundMatch | null {
  if (!record.includes('"type":"match"') && !record.includes('"type":"context"')) return null;
  const event = eventSchema.safeParse(JSON.parse(record.toString("utf8")));
  if (!event.success) return null;
  const { path, lines, line_number, absolute_offset, submatches } = event.data.data;
  const bytes = decodeTextField(lines);
  const [first] = submatches;
  const text = bytes.toString("utf8").replace(/\r?\n$/, "");
  const start = first === undefined ? 0 : bytes.subarray(0, first.start).toString("utf8").length;
  const end = first === undefined ? 0 : bytes.subarray(0, first.end).toString("utf8").length;
  return {
    path: withoutDotSlash(decodeTextField(path).toString("utf8")),
    line: line_number ?? 0,
    text: clipAroundMatch(text, start, end, grepLineChars),
    isContext: event.data.type === "context",
    position: { offset: absolute_offset, length: bytes.length, digest: digestBytes(bytes) },
  };
}

/** Cuts a line to `max` characters around the match; marks each cut with `…`. */
export function clipAroundMatch(text: string, start: number, end: number, max: number): string {
  if (text.length <= max) return text;
  const middle = (start + Math.min(end, start + max)) / 2;
  const from = Math.max(0, Math.min(Math.floor(middle - max / 2), text.length - max));
  const piece = text.slice(from, from + max);
  const whole = piece.replace(/^[\uDC00-\uDFFF]/, "").replace(/[\uD800-\uDBFF]$/, "");
  return `${from > 0 ? "…" : ""}${whole}${from + max < text.length ? "…" : ""}`;
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

/**
 * Maps a failed run to an error. Exit code 2 with matches, or without error output, means that some file could not be
 * read.
 */
async function toSearchError(
  end: Result<RipgrepResult>,
  found: number,
  refused: () => Promise<string | null>,
): Promise<Result<RipgrepResult>> {
  if (!end.ok) return end;
  const { exitCode, ended, stderr } = end.value;
  if (ended === "timeout" && found === 0) return fail("timeout");
  if (exitCode !== 2 || found > 0) return end;
  const reason = await refused();
  if (reason !== null) return fail("bad_regex", reason);
  return stderr === "" ? end : fail("search_failed", stderr.trim());
}

/** Returns ripgrep's error if it rejects the pattern itself: run on an empty input, so that nothing else can fail. */
async function patternError(request: GrepRequest, cwd: string, signal: AbortSignal): Promise<string | null> {
  const probe = await runRipgrep(
    {
      arguments: [...patternArguments(request), "--", "/dev/null"],
      cwd,
      separator: newlineByte,
      maxRecordBytes: 0,
      timeoutMs: grepTimeoutMs,
      record: () => "more",
    },
    signal,
  );
  return probe.ok && probe.value.exitCode === 2 ? probe.value.stderr.trim().replace(/^rg: /, "") : null;
}
