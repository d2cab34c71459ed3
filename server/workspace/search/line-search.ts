/** Search for lines in the files of a project whose results are delivered while it runs. */
import { fail, ok, type Result } from "@/lib/events/error";
import { type CodeSearchFile, type CodeSearchLine, type CodeSearchQuery } from "@/lib/workspace/code-search";
import { ownerPath } from "@/server/security/paths/safe-path";
import { rangeAroundMatch } from "./clip-line";
import type { ProjectPolicy } from "./ignore-rules";
import { makePathFilter } from "./path-filter";
import { type FoundLine, filterProjectLines } from "./project-lines";
import type { RecordDecision, runRipgrep } from "./ripgrep";
import {
  findPatternError,
  type LineEvent,
  newlineByte,
  parseFileEnd,
  parseLineEvent,
  toSearchError,
} from "./ripgrep-events";
import { captureTexts, type CodePattern, groupsOf, lineDigest, patternArguments } from "./code-pattern";
import { buildSearchScope } from "./search-scope";

/** Maximum length of a delivered line, UTF-16 units. */
const maxLineChars = 300;
const timeoutMs = 60_000;
/** Maximum size of ripgrep's record of one line, bytes; a longer line is not delivered. */
const maxRecordBytes = 1_000_000;
/** Lines that are verified and delivered together. */
const deliveredLines = 200;
/** Lines that may wait to be delivered; beyond it ripgrep's output is not read. */
const maxWaitingLines = 2_000;

export interface LineSearchRequest extends CodeSearchQuery {
  /** Maximum matching lines. */
  readonly maxLines: number;
}

export interface LineSearchEnd {
  /** Whether there are more than `maxLines`. */
  readonly isLimited: boolean;
  readonly isTimeout: boolean;
  /** Whether lines longer than 1 MB, which may match, were left out. */
  readonly hasLongLines: boolean;
}

/**
 * Receives files with their matching lines; the lines of a file may be in several calls that follow each other. The search
 * waits for the promise.
 */
export type LineReceiver = (files: readonly CodeSearchFile[]) => Promise<void>;

interface WaitingLine extends FoundLine {
  readonly found: CodeSearchLine;
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
  const root = ownerPath(".", "read", policy);
  if (!root.ok) return root;
  const scope = await buildSearchScope(policy, root.value, undefined);
  if (!scope.ok) return scope;
  const collector = makeCollector(request);
  const delivery = makeDelivery(policy, receive, signal);
  const record = (bytes: Buffer | null): RecordDecision => {
    const { complete, decision } = collector.add(bytes);
    delivery.add(complete);
    return decision;
  };
  const pattern = patternArguments(request);
  const end = await run(
    {
      arguments: ["--json", "--crlf", ...pattern, ...scope.value.arguments],
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
function makeCollector({ include, exclude, maxLines, ...query }: LineSearchRequest) {
  const groupCount = groupsOf(query)?.length ?? 0;
  const isWanted = makePathFilter(include, exclude);
  let file: { readonly path: string; readonly isWanted: boolean } | null = null;
  let lines: WaitingLine[] = [];
  let count = 0;
  let isLimited = false;
  let hasLongLines = false;
  const take = (): readonly WaitingLine[] => {
    const complete = lines;
    lines = [];
    return complete;
  };
  const add = (
    bytes: Buffer | null,
  ): { readonly complete: readonly WaitingLine[]; readonly decision: RecordDecision } => {
    hasLongLines ||= bytes === null;
    const end = bytes === null ? null : parseFileEnd(bytes);
    if (end?.isBinary === true) count -= take().length;
    const event = bytes === null || end !== null ? null : parseLineEvent(bytes);
    if (event === null) return { complete: end === null ? [] : take(), decision: "more" };
    if (file?.path !== event.path) file = { path: event.path, isWanted: isWanted(event.path) };
    if (!file.isWanted) return { complete: [], decision: "more" };
    isLimited ||= count === maxLines;
    if (isLimited) return { complete: take(), decision: "stop" };
    count += 1;
    lines.push({ path: event.path, position: event.position, found: toFoundLine(event, groupCount > 0) });
    return { complete: [], decision: "more" };
  };
  return { add, rest: take, facts: () => ({ count, isLimited, hasLongLines }) };
}

/** Returns the line with its matches as UTF-16 ranges; a long line is cut around the first one. */
function toFoundLine({ line, bytes, submatches, position }: LineEvent, hasGroups: boolean): CodeSearchLine {
  const text = bytes.toString("utf8").replace(/\r?\n$/, "");
  const marks: (readonly [number, number])[] = [];
  let byteAt = 0;
  let unitAt = 0;
  const unitsTo = (byte: number): number => {
    unitAt += bytes.subarray(byteAt, byte).toString("utf8").length;
    byteAt = byte;
    return unitAt;
  };
  const captures: (readonly string[])[] = [];
  for (const submatch of submatches) {
    marks.push([unitsTo(submatch.start), Math.min(text.length, unitsTo(submatch.end))]);
    if (hasGroups) captures.push(captureTexts(submatch).map((capture) => capture.toString("utf8", 0, maxLineChars)));
  }
  const [first, last] = marks[0] ?? [0, 0];
  const { from, to } = rangeAroundMatch(text, first, last, maxLineChars);
  const isShown = ([start, end]: readonly [number, number]): boolean => start <= to && end >= from;
  return {
    line,
    offset: from,
    text: text.slice(from, to),
    isCut: to < text.length,
    marks: marks.filter(isShown).map(([start, end]) => [Math.max(0, start - from), Math.min(to, end) - from]),
    ...(hasGroups && { captures: captures.filter((_, index) => isShown(marks[index] ?? [0, -1])) }),
    digest: lineDigest(position),
  };
}

/** Verifies and delivers lines in their order, a part at a time. */
function makeDelivery(policy: ProjectPolicy, receive: LineReceiver, signal: AbortSignal) {
  const waiting: WaitingLine[] = [];
  let running: Promise<void> | null = null;
  const failures: unknown[] = [];
  const deliver = async (): Promise<void> => {
    while (waiting.length > 0 && !signal.aborted) {
      const own = await filterProjectLines(policy, "owner", waiting.splice(0, deliveredLines));
      if (own.length > 0 && !signal.aborted) await receive(groupByFile(own));
    }
    running = null;
  };
  return {
    add(lines: readonly WaitingLine[]): void {
      for (const line of lines) waiting.push(line);
      if (waiting.length > 0) running ??= deliver().catch((error: unknown) => void failures.push(error));
    },
    /** Resolves when more lines may be added; null = now. */
    whenReady: (): Promise<void> | null => (waiting.length > maxWaitingLines ? running : null),
    async finish(): Promise<void> {
      await running;
      if (failures.length > 0) throw failures[0];
    },
  };
}

function groupByFile(lines: readonly WaitingLine[]): readonly CodeSearchFile[] {
  const files: { readonly path: string; readonly lines: CodeSearchLine[] }[] = [];
  for (const { path, found } of lines) {
    const last = files.at(-1);
    if (last?.path === path) last.lines.push(found);
    else files.push({ path, lines: [found] });
  }
  return files;
}
