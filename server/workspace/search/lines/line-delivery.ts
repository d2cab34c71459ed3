/** Delivers the lines that ripgrep found: verified, by file, and with the text as the editor shows it. */
import { isUtf8 } from "node:buffer";
import type { CodeSearchFile, CodeSearchLine, ContextLine } from "@/lib/workspace/code-search";
import { beginTimeSlice } from "@/server/base/steps";
import type { ProjectPolicy } from "../ignore-rules";
import { type FoundLine, filterProjectLines } from "../project-lines";
import type { LineEvent } from "../ripgrep-events";
import { type FoundText, toFoundText } from "./found-text";
import { makeEncodingLookup } from "./line-encoding";

/** Lines that are verified and delivered together. */
const deliveredLines = 200;
/** Lines, and bytes of those that are not UTF-8, that may wait to be delivered; beyond it ripgrep's output is not read. */
const waitingLimits = { lines: 2_000, bytes: 10_000_000 };
/**
 * Lines that are not UTF-8 and wait for the encoding of their file; beyond a limit they are shown as UTF-8. `bytes` is a
 * sum over the file, in which a match counts as `matchBytes`.
 */
const rawLimits = { lineBytes: 20_000, lineMatches: 200, bytes: 5_000_000, matchBytes: 100 };

/**
 * Receives files with their matching lines; the lines of a file may be in several calls that follow each other. The search
 * waits for the promise.
 */
export type LineReceiver = (files: readonly CodeSearchFile[]) => Promise<void>;

export interface WaitingLine extends FoundLine {
  /** Read as UTF-8. */
  readonly text: FoundText;
  /** The line, if it is not UTF-8; null = it is, or it is too long to wait. */
  readonly raw: LineEvent | null;
}

/** Converts the lines of a file, and holds those that are not UTF-8 as they are, up to a limit. */
export function makeLineHolder(withGroups: boolean) {
  let held = 0;
  return {
    hold(event: LineEvent): WaitingLine {
      const { path, position, bytes, submatches } = event;
      const text = toFoundText(event, withGroups, null) ?? {};
      const size = rawSize(event);
      const isHeld =
        !isUtf8(bytes) &&
        bytes.length <= rawLimits.lineBytes &&
        submatches.length <= rawLimits.lineMatches &&
        held + size <= rawLimits.bytes;
      if (isHeld) held += size;
      return { path, position, text, raw: isHeld ? event : null };
    },
    reset(): void {
      held = 0;
    },
  };
}

const rawSize = ({ bytes, submatches }: LineEvent): number => bytes.length + submatches.length * rawLimits.matchBytes;

/** Verifies and delivers lines in their order, a part at a time. */
export function makeDelivery(policy: ProjectPolicy, withGroups: boolean, receive: LineReceiver, signal: AbortSignal) {
  const waiting: WaitingLine[] = [];
  let waitingBytes = 0;
  let running: Promise<void> | null = null;
  const failures: unknown[] = [];
  const encodingOf = makeEncodingLookup(policy);
  /** Returns the text in the encoding of the file; null = nothing in it matches. */
  const rereadText = async (path: string, raw: LineEvent): Promise<FoundText | null> =>
    toFoundText(raw, withGroups, await encodingOf(path, signal));
  const deliver = async (): Promise<void> => {
    while (waiting.length > 0 && !signal.aborted) {
      const next = waiting.splice(0, deliveredLines);
      const own = await filterProjectLines(policy, "owner", next);
      const groups = makeFileGroups();
      const slice = beginTimeSlice();
      for (const line of own) {
        if (slice.isOver()) await slice.next();
        if (signal.aborted) break;
        const text = line.raw === null ? line.text : await rereadText(line.path, line.raw);
        if (text !== null) groups.add(line.path, text);
      }
      waitingBytes -= sumRawSizes(next);
      const files = groups.list();
      if (files.length > 0 && !signal.aborted) await receive(files);
    }
    running = null;
  };
  return {
    add(lines: readonly WaitingLine[]): void {
      for (const line of lines) waiting.push(line);
      waitingBytes += sumRawSizes(lines);
      if (waiting.length > 0)
        running ??= deliver().catch((error: unknown) => {
          if (!signal.aborted) failures.push(error);
        });
    },
    /** Resolves when more lines may be added; null = now. */
    whenReady: (): Promise<void> | null =>
      waiting.length > waitingLimits.lines || waitingBytes > waitingLimits.bytes ? running : null,
    async finish(): Promise<void> {
      await running;
      if (failures.length > 0) throw failures[0];
    },
  };
}

const sumRawSizes = (lines: readonly WaitingLine[]): number =>
  lines.reduce((sum, { raw }) => (raw === null ? sum : sum + rawSize(raw)), 0);

/** Collects lines by file, in their order. */
function makeFileGroups() {
  const groups: { readonly path: string; readonly lines: CodeSearchLine[]; readonly context: ContextLine[] }[] = [];
  return {
    add(path: string, { match, context }: FoundText): void {
      const last = groups.at(-1);
      const file = last?.path === path ? last : { path, lines: [], context: [] };
      if (file !== last) groups.push(file);
      if (match !== undefined) file.lines.push(match);
      if (context !== undefined) file.context.push(context);
    },
    list: (): readonly CodeSearchFile[] =>
      groups.map(({ path, lines, context }) => ({ path, lines, ...(context.length > 0 && { context }) })),
  };
}
