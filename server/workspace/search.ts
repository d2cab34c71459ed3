/** Content and name search of the project by ripgrep. Links are never followed. */
import { existsSync } from "node:fs";
import * as z from "zod/mini";
import { fail, ok, type Result } from "@/lib/error";
import { limits } from "@/lib/settings";
import { isProtectedPath, type SafePath } from "../security/paths";
import { kindOf } from "./file-handle";
import { makeGlob } from "./glob";
import { ignoredFolders, isIgnored, type ProjectPolicy } from "./ignore-rules";
import { digestOf, type FoundLine, ownLines } from "./own-lines";
import { type RipgrepEnd, runRipgrep, type Take } from "./ripgrep";

export interface GrepRequest {
  readonly pattern: string;
  /** A file or folder. */
  readonly path: SafePath;
  /** Only files whose path matches: `*.ts`, `src/**`. Relative to `path`. */
  readonly glob?: string;
  /** Whether the pattern is plain text. */
  readonly literal?: boolean;
  readonly ignoreCase?: boolean;
  /** Lines around each match, at most limits.grepContextLines. */
  readonly context?: number;
  /** Maximum matching lines, context not counted. */
  readonly max: number;
}

export interface GrepMatch {
  /** Relative to the project, forward slashes. */
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

export interface FindRequest {
  /** Glob on paths below `path`; without a slash it matches at any depth. */
  readonly pattern: string;
  readonly path: SafePath;
  readonly max: number;
}

export interface FindResult {
  /** Relative to the project, newest first. */
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

const newline = 0x0a;
const nul = 0x00;
const maxEventBytes = 8_000_000;
const maxPathBytes = 16_384;

/** Creates the search of a project; `policy.root` must be a real path. */
export function makeSearch(policy: ProjectPolicy): Search {
  return {
    grep: (request, signal) => grep(policy, request, signal),
    find: (request, signal) => find(policy, request, signal),
  };
}

async function grep(policy: ProjectPolicy, request: GrepRequest, signal: AbortSignal): Promise<Result<GrepResult>> {
  const scope = await scopeOf(policy, request.path, request.glob);
  if (!scope.ok) return scope;
  const context = Math.max(0, Math.min(Math.trunc(request.context ?? 0), limits.grepContextLines));
  const lines: Line[] = [];
  let found = 0;
  let more = false;
  const record = (bytes: Buffer | null): Take => {
    // A line too long to hold may have matched.
    more ||= bytes === null;
    const line = bytes === null ? null : matchOf(bytes);
    if (line === null || !scope.value.shows(line.path)) return "more";
    if (!line.isContext) {
      more ||= found === request.max;
      if (found === request.max) return "stop";
      found += 1;
    }
    lines.push(line);
    return "more";
  };
  const end = await runRipgrep(
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
      separator: newline,
      maxRecordBytes: maxEventBytes,
      timeoutMs: limits.grepTimeoutMs,
      record,
    },
    signal,
  );
  const checked = await checkEnd(end, found, () => refusedPattern(request, policy.root, signal));
  if (!checked.ok) return checked;
  const { stoppedBy } = checked.value;
  const own = await ownLines(policy, request.path.by, withoutStrayContext(lines, context));
  const matches = own.map(({ source: _source, ...match }): GrepMatch => match);
  return ok({
    matches,
    files: new Set(matches.filter(({ isContext }) => !isContext).map(({ path }) => path)).size,
    more: more || stoppedBy !== null,
    timedOut: stoppedBy === "timeout",
  });
}

async function find(policy: ProjectPolicy, request: FindRequest, signal: AbortSignal): Promise<Result<FindResult>> {
  const scope = await scopeOf(policy, request.path, request.pattern);
  if (!scope.ok) return scope;
  if (!scope.value.isFolder) return fail("not_folder", undefined, { path: request.path.relative });
  const paths: string[] = [];
  const record = (bytes: Buffer | null): Take => {
    const path = bytes === null ? null : plainPath(bytes.toString("utf8"));
    if (path === null || !scope.value.shows(path)) return "more";
    if (paths.length === request.max) return "stop";
    paths.push(path);
    return "more";
  };
  const end = await runRipgrep(
    {
      arguments: ["--files", "--null", "--sortr=modified", ...scope.value.arguments],
      cwd: policy.root,
      separator: nul,
      maxRecordBytes: maxPathBytes,
      timeoutMs: limits.grepTimeoutMs,
      record,
    },
    signal,
  );
  const checked = await checkEnd(end, paths.length, async () => null);
  if (!checked.ok) return checked;
  const { stoppedBy } = checked.value;
  return ok({ paths, more: stoppedBy !== null, timedOut: stoppedBy === "timeout" });
}

interface Scope {
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
async function scopeOf(policy: ProjectPolicy, path: SafePath, glob: string | undefined): Promise<Result<Scope>> {
  const facts = { path: path.relative };
  const kind = await kindOf(path);
  if (!kind.ok) return kind;
  if (kind.value === "link") return fail("broken_link", undefined, facts);
  if (kind.value === "other") return fail("not_a_file", undefined, facts);
  const isFolder = kind.value === "folder";
  const prefix = path.relative === "." ? "" : `${path.relative}/`;
  const isPathIgnored = prefix !== "" && (await isIgnored(policy, path.relative, isFolder));
  const wanted = isFolder && glob !== undefined && glob !== "" ? makeGlob(withoutRoot(glob, policy.root)) : null;
  return ok({
    isFolder,
    arguments: [
      ...["--no-messages", "--no-follow", "--hidden", "--no-require-git", "--glob=!.git"],
      ...["--no-ignore-global", "--no-ignore-dot", "--no-ignore-exclude"],
      ...(existsSync(`${policy.root}/.git`) ? [] : ["--no-ignore-parent", `--ignore-file=${policy.root}/.gitignore`]),
      ...(isPathIgnored ? ["--no-ignore"] : (await ignoredFolders(policy)).map((name) => `--glob=!${name}/`)),
      ...(isFolder ? typeArguments(glob) : []),
      ...["--", prefix === "" ? "./" : `./${path.relative}`],
    ],
    shows: (found) =>
      (wanted === null || wanted(found.slice(prefix.length))) &&
      !(path.by === "model" && isProtectedPath(found, policy)),
  });
}

const withoutRoot = (glob: string, root: string): string =>
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

const bytesOf = (text: z.infer<typeof textSchema>): Buffer =>
  "text" in text ? Buffer.from(text.text) : Buffer.from(text.bytes, "base64");

const plainPath = (path: string): string => path.replace(/^\.\//, "");

type Line = GrepMatch & FoundLine;

/** Parses a match or context line; null for ripgrep's other events. */
function matchOf(record: Buffer): Line | null {
  if (!record.includes('"type":"match"') && !record.includes('"type":"context"')) return null;
  const event = eventSchema.safeParse(JSON.parse(record.toString("utf8")));
  if (!event.success) return null;
  const { path, lines, line_number, absolute_offset, submatches } = event.data.data;
  const bytes = bytesOf(lines);
  const [first] = submatches;
  const text = bytes.toString("utf8").replace(/\r?\n$/, "");
  const start = first === undefined ? 0 : bytes.subarray(0, first.start).toString("utf8").length;
  const end = first === undefined ? 0 : bytes.subarray(0, first.end).toString("utf8").length;
  return {
    path: plainPath(bytesOf(path).toString("utf8")),
    line: line_number ?? 0,
    text: clipped(text, start, end, limits.grepLineChars),
    isContext: event.data.type === "context",
    source: { offset: absolute_offset, length: bytes.length, digest: digestOf(bytes) },
  };
}

/** Cuts a line to `max` characters around the match; marks each cut with `…`. */
export function clipped(text: string, start: number, end: number, max: number): string {
  if (text.length <= max) return text;
  const middle = (start + Math.min(end, start + max)) / 2;
  const from = Math.max(0, Math.min(Math.floor(middle - max / 2), text.length - max));
  const piece = text.slice(from, from + max);
  const whole = piece.replace(/^[\uDC00-\uDFFF]/, "").replace(/[\uD800-\uDBFF]$/, "");
  return `${from > 0 ? "…" : ""}${whole}${from + max < text.length ? "…" : ""}`;
}

/** Drops context lines of a match beyond the limit. */
function withoutStrayContext(matches: readonly Line[], context: number): readonly Line[] {
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
async function checkEnd(
  end: Result<RipgrepEnd>,
  found: number,
  refused: () => Promise<string | null>,
): Promise<Result<RipgrepEnd>> {
  if (!end.ok) return end;
  const { exit, stoppedBy, stderr } = end.value;
  if (stoppedBy === "timeout" && found === 0) return fail("timeout");
  if (exit !== 2 || found > 0) return end;
  const reason = await refused();
  if (reason !== null) return fail("bad_regex", reason);
  return stderr === "" ? end : fail("search_failed", stderr.trim());
}

/** Returns ripgrep's error if it rejects the pattern itself: run on an empty input, so that nothing else can fail. */
async function refusedPattern(request: GrepRequest, cwd: string, signal: AbortSignal): Promise<string | null> {
  const probe = await runRipgrep(
    {
      arguments: [...patternArguments(request), "--", "/dev/null"],
      cwd,
      separator: newline,
      maxRecordBytes: 0,
      timeoutMs: limits.grepTimeoutMs,
      record: () => "more",
    },
    signal,
  );
  return probe.ok && probe.value.exit === 2 ? probe.value.stderr.trim().replace(/^rg: /, "") : null;
}
