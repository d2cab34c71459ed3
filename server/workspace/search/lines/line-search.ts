/** Search for lines in the files of a project whose results are delivered while it runs. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { CodeSearchQuery } from "@/lib/workspace/code-search";
import { ownerPath } from "@/server/security/paths/safe-path";
import { type CodePattern, groupsOf, patternArguments } from "../code-pattern";
import type { ProjectPolicy } from "../ignore-rules";
import { makePathFilter } from "../path-filter";
import type { RecordDecision, runRipgrep } from "../ripgrep";
import {
  findPatternError,
  type LineEvent,
  newlineByte,
  parseFileEnd,
  parseLineEvent,
  toSearchError,
} from "../ripgrep-events";
import { buildSearchScope } from "../search-scope";
import { type LineReceiver, makeDelivery, makeLineHolder, type WaitingLine } from "./line-delivery";

const timeoutMs = 60_000;
/** Maximum size of ripgrep's record of one line, bytes; a longer line is not delivered. */
const maxRecordBytes = 1_000_000;

export interface LineSearchRequest extends CodeSearchQuery {
  /** Maximum matching lines. */
  readonly maxLines: number;
  /** Maximum lines of context in all. */
  readonly maxContextLines: number;
}

export interface LineSearchEnd {
  /** Whether there are more than `maxLines`. */
  readonly isLimited: boolean;
  readonly isTimeout: boolean;
  /** Whether lines longer than 1 MB, which may match, were left out. */
  readonly hasLongLines: boolean;
  /** Whether there are more than `maxContextLines`. */
  readonly isContextCut: boolean;
  /** Files with matches that were left out because their paths are not UTF-8. */
  readonly unreadable: number;
}

/**
 * Searches for the owner, in no particular order of files. Leaves out ignored and binary files. Resolves after the last
 * delivery; after an abort nothing more is delivered. Fails with bad_regex, not_found, timeout (nothing found in time),
 * search_failed, aborted.
 */
export async function searchLines(
  policy: ProjectPolicy,
  run: typeof runRipgrep,
  request: LineSearchRequest,
  receive: LineReceiver,
  signal: AbortSignal,
): Promise<Result<LineSearchEnd>> {
  const place = ownerPath(request.file ?? ".", "read", policy);
  if (!place.ok) return place;
  const scope = await buildSearchScope(policy, place.value, undefined);
  if (!scope.ok) return scope;
  const collector = makeCollector(request);
  const delivery = makeDelivery(policy, hasGroups(request), receive, signal);
  const record = (bytes: Buffer | null): RecordDecision => {
    const { complete, decision } = collector.add(bytes);
    delivery.add(complete);
    return decision;
  };
  const pattern = patternArguments(request);
  const end = await run(
    {
      arguments: [
        "--json",
        "--crlf",
        // ripgrep holds the output of a file until its end: without a maximum it would be as large as the file.
        `--max-count=${request.maxLines + 1}`,
        ...contextArguments(request),
        ...pattern,
        ...scope.value.arguments,
      ],
      cwd: policy.root,
      separator: newlineByte,
      maxRecordBytes,
      timeoutMs,
      record,
      whenReady: delivery.whenReady,
    },
    signal,
  );
  delivery.add(collector.rest());
  await delivery.finish();
  if (signal.aborted) return fail("aborted");
  const { count, ...facts } = collector.facts();
  const checked = await toSearchError(end, count, () => findPatternError(pattern, policy.root, signal));
  return checked.ok ? ok({ ...facts, isTimeout: checked.value.ended === "timeout" }) : checked;
}

const hasGroups = (pattern: CodePattern): boolean => (groupsOf(pattern)?.length ?? 0) > 0;

const contextArguments = ({ context }: LineSearchRequest): readonly string[] =>
  context > 0 ? [`--context=${context}`] : [];

/** Files that ripgrep gets as arguments in one run. */
const filesPerRun = 100;

/**
 * Passes the lines of files that match to `record`, file by file. Paths are relative to the project and already checked
 * for the owner; the caller compares each line with what it reads itself. Fails with bad_regex, search_failed, aborted,
 * and timeout.
 */
export async function matchFiles(
  policy: ProjectPolicy,
  run: typeof runRipgrep,
  request: CodePattern & { readonly paths: readonly string[] },
  record: (event: LineEvent) => void,
  signal: AbortSignal,
): Promise<Result<null>> {
  const pattern = patternArguments(request);
  for (let from = 0; from < request.paths.length; from += filesPerRun) {
    const end = await run(
      {
        arguments: [
          ...["--json", "--crlf", "--no-messages", "--no-ignore", "--hidden", ...pattern, "--"],
          ...request.paths.slice(from, from + filesPerRun).map((path) => `./${path}`),
        ],
        cwd: policy.root,
        separator: newlineByte,
        maxRecordBytes,
        timeoutMs,
        record(bytes) {
          const event = bytes === null ? null : parseLineEvent(bytes);
          if (event !== null) record(event);
          return "more";
        },
      },
      signal,
    );
    const checked = await toSearchError(end, 0, () => findPatternError(pattern, policy.root, signal));
    if (!checked.ok) return checked;
    if (checked.value.ended !== null) return fail("aborted");
  }
  return ok(null);
}

/** Collects the lines of a file until its end, where ripgrep reports whether the file is binary. */
function makeCollector({ file: only, include, exclude, maxLines, maxContextLines, ...query }: LineSearchRequest) {
  const isWanted = only === null ? makePathFilter(include, exclude) : () => true;
  const toWaiting = makeLineHolder(hasGroups(query));
  let file: { readonly path: string; readonly isWanted: boolean } | null = null;
  let lines: WaitingLine[] = [];
  let count = 0;
  let contextCount = 0;
  let isLimited = false;
  let hasLongLines = false;
  let isContextCut = false;
  const unreadable = new Set<string>();
  /** The notes before the current file: a binary one has none. */
  let before = { hasLongLines, isContextCut };
  const take = (): readonly WaitingLine[] => {
    const complete = lines;
    lines = [];
    toWaiting.reset();
    return complete;
  };
  const dropBinary = (): void => {
    ({ hasLongLines, isContextCut } = before);
    for (const { text } of take()) {
      if (text.match === undefined) contextCount -= 1;
      else count -= 1;
    }
  };
  const add = (
    bytes: Buffer | null,
  ): { readonly complete: readonly WaitingLine[]; readonly decision: RecordDecision } => {
    hasLongLines ||= bytes === null;
    const end = bytes === null ? null : parseFileEnd(bytes);
    if (end?.isBinary === true) dropBinary();
    if (end !== null) before = { hasLongLines, isContextCut };
    const event = bytes === null || end !== null ? null : parseLineEvent(bytes);
    if (event === null) return { complete: end === null ? [] : take(), decision: "more" };
    if (file?.path !== event.path) file = { path: event.path, isWanted: isWanted(event.path) };
    if (!file.isWanted) return { complete: [], decision: "more" };
    if (event.isPathUnreadable) {
      unreadable.add(event.path);
      return { complete: [], decision: "more" };
    }
    if (event.isContext) {
      isContextCut ||= contextCount === maxContextLines;
      if (isContextCut) return { complete: [], decision: "more" };
      contextCount += 1;
    } else {
      isLimited ||= count === maxLines;
      if (isLimited) return { complete: take(), decision: "stop" };
      count += 1;
    }
    lines.push(toWaiting.hold(event));
    return { complete: [], decision: "more" };
  };
  return {
    add,
    rest: take,
    facts: () => ({ count, isLimited, hasLongLines, isContextCut, unreadable: unreadable.size }),
  };
}
