/** The read tool: returns a range of numbered lines of a text file, or an image for models with vision. */
import { posix } from "node:path";
import * as z from "zod/mini";
import type { AgentError } from "@/lib/events/error";
import { detectImageType } from "@/lib/workspace/detect-image-type";
import { serverLimits } from "@/lib/settings/server-limits";
import { limits } from "@/lib/settings/settings";
import type { CallFacts } from "@/lib/events/tool-kind";
import type { SafePath } from "@/server/security/paths/safe-path";
import { splitWords, lineSimilarity } from "@/lib/text/word-marks";
import { templateMarkNotes } from "../toolbox/foreign-text";
import { joinResultLines, type ResultLine } from "../core/cut-positions";
import { defineTool } from "../core/define-tool";
import { toToolError, formatDecimalSize, unwrapOrThrow } from "../core/to-tool-error";
import { type Tool, type ToolCall, type ToolDependencies, ToolError, type ToolResult } from "../core/tool";

/** Maximum length of a line, UTF-16 units; the rest is cut. */
export const readLineChars = 2_000;

const readSchema = z.object({
  path: z.string().check(z.minLength(1)),
  offset: z.optional(z.int()),
  limit: z.optional(z.int()),
});
type ReadInput = z.infer<typeof readSchema>;

type ReadDependencies = Pick<ToolDependencies, "files" | "settings" | "storeBlob" | "vision">;

/** Does not limit the requested lines; only the context window decides how many of them are sent. */
const resultMaxBytes = 40_000_000;

/** Names suggested if a file does not exist. */
const maxSuggestedNames = 5;
const maxComparedNames = 2_000;

const firstRequestedLine = (input: ReadInput): number => Math.max(1, input.offset ?? 1);
const requestedLineCount = (input: ReadInput, most: number): number => Math.max(1, Math.min(input.limit ?? most, most));

/** Returns a numbered line; of a long one only the start: such lines are generated code or data. */
function formatLine({ text, size }: ReadLine, line: number): ResultLine {
  if (size === null && text.length <= readLineChars) return { text: `${line}\t${text}`, cuts: [] };
  const end = readLineChars - (/[\uD800-\uDBFF]/.test(text.charAt(readLineChars - 1)) ? 1 : 0);
  const start = `${line}\t${text.slice(0, end)}`;
  const note = `… [line cut: ${size ?? `${text.length} characters`}]`;
  return { text: start + note, cuts: [{ at: start.length, lost: "after" }] };
}

/** `size`: formatted size of the line if `text` is only its start, otherwise null. */
interface ReadLine {
  readonly text: string;
  readonly size: string | null;
}

/** The requested range of lines. */
interface ReadPart {
  readonly lines: readonly ReadLine[];
  /** Number of lines of the file; null if it is too long to count. */
  readonly total: number | null;
  readonly bytes: number;
}

function splitFileLines(text: string): string[] {
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function selectLines(text: string, bytes: number, from: number, count: number): ReadPart {
  const lines = splitFileLines(text);
  const shown = lines.slice(from - 1, from - 1 + count);
  return { lines: shown.map((line) => ({ text: line, size: null })), total: lines.length, bytes };
}

function toTextResult({ lines, total, bytes }: ReadPart, path: SafePath, from: number): ToolResult {
  if (bytes === 0)
    return { output: [{ type: "text", text: `(${path.shown} is empty)` }], facts: { totalLines: 0, bytes } };
  const totals = total === null ? {} : { totalLines: total };
  if (lines.length === 0) {
    const size = total === null ? "fewer lines" : `${total} ${total === 1 ? "line" : "lines"}`;
    throw new ToolError("bad_input", `offset ${from} is past the end: ${path.shown} has ${size}.`, totals);
  }
  const to = from + lines.length - 1;
  const numbered = joinResultLines(lines.map((line, index) => formatLine(line, from + index)));
  const all = total ?? `a file of ${formatDecimalSize(bytes)}`;
  const rest = total === null || to < total ? `\n[lines ${from}-${to} of ${all}; go on with offset ${to + 1}]` : "";
  // The file's bytes stay as they are, because an edit must match them.
  const marks = templateMarkNotes(numbered.text).map((note) => `\n[${note}]`);
  return {
    output: [{ type: "text", text: numbered.text + marks.join("") + rest }],
    facts: { fromLine: from, toLine: to, ...totals, bytes },
    cutPositions: { lines: numbered.cuts },
  };
}

/** Reads a range of a file that is too large for memory. */
async function readLargeFile(
  path: SafePath<"model">,
  range: { readonly from: number; readonly count: number },
  { files }: ReadDependencies,
  signal: AbortSignal,
): Promise<ToolResult> {
  const maxLineBytes = readLineChars * maxCharBytes;
  const read = unwrapOrThrow(await files.readLines(path, { ...range, maxLineBytes }, signal), path.shown);
  const lines = read.lines.map(({ text, bytes, isCut }) => ({ text, size: isCut ? formatDecimalSize(bytes) : null }));
  return toTextResult({ lines, total: read.total, bytes: read.size }, path, range.from);
}

const maxCharBytes = 4;

/**
 * Returns the facts of a shortened result: the range ends with the last complete line; a first line that is cut
 * counts as sent.
 */
function shortenReadFacts(facts: CallFacts, shownText: string): ReturnType<NonNullable<Tool["shortenFacts"]>> {
  const { fromLine: from, toLine: to, ...rest } = facts;
  if (from === undefined || to === undefined) return null;
  if (shownText === "") return { facts: rest, next: `read fewer lines, with offset ${from}` };
  const whole = Math.min(shownText.split("\n").length - 1, to - from + 1);
  const last = from + Math.max(whole, 1) - 1;
  const next =
    whole === 0 ? `line ${from} is cut; read on with offset` : "the window has no room; the rest: read with offset";
  const notes = [`${next} ${last + 1}`, ...templateMarkNotes(shownText)];
  return { facts: { ...facts, toLine: last }, next: notes.join("; ") };
}

/** Returns the result for a file that is not text: an image, or a refusal with its size and type. */
async function readImage(error: AgentError, path: SafePath<"model">, project: ReadDependencies): Promise<ToolResult> {
  const bytes = await project.files.readBytes(path, limits.imageMaxBytes);
  const mime = bytes.ok ? detectImageType(bytes.value) : null;
  if (!bytes.ok || mime === null) throw toToolError(error, path.shown, binaryHint(error));
  const size = bytes.value.length;
  const description = `${path.shown}: ${mime}, ${formatDecimalSize(size)}`;
  if (!project.vision) {
    return {
      output: [{ type: "text", text: `${description}. This model cannot see images.` }],
      facts: { bytes: size },
    };
  }
  const blob = await project.storeBlob(bytes.value);
  return {
    output: [
      { type: "text", text: description },
      { type: "image", mime, blob },
    ],
    facts: { bytes: size },
  };
}

const binaryHint = (error: AgentError): string =>
  error.code === "binary" ? "Use bash if a program can make text of it." : "";

/** Suggests names in the same folder that are similar to a missing one. */
async function suggestNames(input: ReadInput, { files }: ReadDependencies, call: ToolCall): Promise<string> {
  const wanted = posix.basename(input.path).toLowerCase();
  const folder = posix.dirname(input.path);
  const place = call.path(folder, "read");
  const listed = await files.list(place, maxComparedNames);
  if (!listed.ok)
    return listed.error.code === "not_found" ? `The folder ${folder} does not exist either; use find.` : "";
  const words = (name: string): readonly string[] => splitWords(name.toLowerCase().replaceAll(/[_.-]/g, " "));
  const score = (name: string): number => {
    const lower = name.toLowerCase();
    const contained = lower.includes(wanted) || wanted.includes(lower) ? 0.6 : 0;
    return Math.max(
      contained,
      lineSimilarity(words(wanted), words(name)),
      lineSimilarity([...wanted], [...lower]) - 0.2,
    );
  };
  const names = listed.value.entries
    .map((entry) => ({ name: entry.name, score: score(entry.name) }))
    .filter((one) => one.score >= 0.5)
    .sort((one, other) => other.score - one.score)
    .slice(0, maxSuggestedNames)
    .map((one) => (folder === "." ? one.name : posix.join(folder, one.name)));
  return names.length === 0 ? "Use find or ls to see what is there." : `Did you mean ${names.join(", ")}?`;
}

export const readTool = defineTool<ReadInput>({
  name: "read",
  kind: "read",
  schema: readSchema,
  example: { path: "src/main.ts", offset: 1, limit: 200 },
  limits: () => ({ bytes: resultMaxBytes, keep: "head" }),
  target: (input) => input.path,
  facts: (input) =>
    input.offset === undefined && input.limit === undefined ? {} : { fromLine: firstRequestedLine(input) },
  // The folder as well: a missing file is answered with similar names in it.
  access: (input) => [
    { kind: "read", target: input.path },
    { kind: "read", target: posix.dirname(input.path) },
  ],
  locks: () => ({ paths: [], shell: false }),
  shortenFacts: shortenReadFacts,
  create: (project: ReadDependencies) => ({
    async run(input, call, signal) {
      const path = call.path(input.path, "read");
      const range = { from: firstRequestedLine(input), count: requestedLineCount(input, project.settings.readLines) };
      const file = await project.files.readText(path, serverLimits.readMaxBytes);
      if (file.ok)
        return toTextResult(selectLines(file.value.text, file.value.size, range.from, range.count), path, range.from);
      const { error } = file;
      if (error.code === "too_large" && error.facts?.type?.startsWith("image/") !== true)
        return readLargeFile(path, range, project, signal);
      if (error.code === "not_found") throw toToolError(error, input.path, await suggestNames(input, project, call));
      if (error.code === "binary" || error.code === "bad_encoding" || error.code === "too_large")
        return readImage(error, path, project);
      throw toToolError(error, path.shown);
    },
  }),
});
