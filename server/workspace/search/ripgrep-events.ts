/** Parses the JSON output of ripgrep, and maps its failures to error codes. */
import * as z from "zod/mini";
import { fail, type Result } from "@/lib/events/error";
import { digestBytes, type FoundLine } from "./project-lines";
import { type RipgrepResult, runRipgrep } from "./ripgrep";

/** Separator of the records of ripgrep's JSON output. */
export const newlineByte = 0x0a;
/** Timeout of the test of a pattern, ms. */
const probeTimeoutMs = 10_000;

const textSchema = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]);
const lineSchema = z.object({
  type: z.enum(["match", "context"]),
  data: z.object({
    path: textSchema,
    lines: textSchema,
    line_number: z.nullable(z.number()),
    absolute_offset: z.number(),
    submatches: z.array(z.object({ start: z.number(), end: z.number(), replacement: z.optional(textSchema) })),
  }),
});
const endSchema = z.object({
  type: z.literal("end"),
  data: z.object({ binary_offset: z.nullable(z.number()) }),
});

const decodeTextField = (text: z.infer<typeof textSchema>): Buffer =>
  "text" in text ? Buffer.from(text.text) : Buffer.from(text.bytes, "base64");

export const withoutDotSlash = (path: string): string => path.replace(/^\.\//, "");

interface Submatch {
  /** Bytes from the start of the line; the end is not included. */
  readonly start: number;
  readonly end: number;
  /** Result of ripgrep's `--replace`; absent without it. */
  readonly replacement?: Buffer;
}

export interface LineEvent extends FoundLine {
  /** From 1. */
  readonly line: number;
  /** The line with its line end. */
  readonly bytes: Buffer;
  readonly submatches: readonly Submatch[];
  readonly isContext: boolean;
  /** The path is not UTF-8: `path` does not lead to the file. */
  readonly isPathUnreadable: boolean;
}

/** Parses a match or context line; null for ripgrep's other events. */
export function parseLineEvent(record: Buffer): LineEvent | null {
  if (!record.includes('"type":"match"') && !record.includes('"type":"context"')) return null;
  const event = lineSchema.safeParse(JSON.parse(record.toString("utf8")));
  if (!event.success) return null;
  const { path, lines, line_number, absolute_offset, submatches } = event.data.data;
  const bytes = decodeTextField(lines);
  return {
    path: withoutDotSlash(decodeTextField(path).toString("utf8")),
    line: line_number ?? 0,
    bytes,
    submatches: submatches.map(({ start, end, replacement }) =>
      replacement === undefined ? { start, end } : { start, end, replacement: decodeTextField(replacement) },
    ),
    isContext: event.data.type === "context",
    isPathUnreadable: "bytes" in path,
    position: { offset: absolute_offset, length: bytes.length, digest: digestBytes(bytes) },
  };
}

/** Parses the event after the last line of a file; null for ripgrep's other events. */
export function parseFileEnd(record: Buffer): { readonly isBinary: boolean } | null {
  if (!record.includes('"type":"end"')) return null;
  const event = endSchema.safeParse(JSON.parse(record.toString("utf8")));
  return event.success ? { isBinary: event.data.data.binary_offset !== null } : null;
}

/**
 * Maps a failed run to an error. Exit code 2 with matches, or without error output, means that some file could not be
 * read.
 */
export async function toSearchError(
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
export async function findPatternError(
  patternArguments: readonly string[],
  cwd: string,
  signal: AbortSignal,
): Promise<string | null> {
  const probe = await runRipgrep(
    {
      arguments: [...patternArguments, "--", "/dev/null"],
      cwd,
      separator: newlineByte,
      maxRecordBytes: 0,
      timeoutMs: probeTimeoutMs,
      record: () => "more",
    },
    signal,
  );
  return probe.ok && probe.value.exitCode === 2 ? toPatternReason(probe.value.stderr) : null;
}

/** Leaves out the pattern that ripgrep repeats: it is not the one that was typed, but what ripgrep was started with. */
const toPatternReason = (stderr: string): string => {
  const text = stderr.trim().replace(/^rg: /, "");
  return /^regex parse error:.*\nerror: ([^\n]+)/s.exec(text)?.[1] ?? text;
};
