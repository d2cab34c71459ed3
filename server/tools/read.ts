/** The read tool: returns a range of numbered lines of a text file, or an image for models with vision. */
import { posix } from "node:path";
import * as z from "zod/mini";
import type { AgentError } from "@/lib/error";
import { imageType } from "@/lib/image-type";
import { limits } from "@/lib/settings";
import type { Facts } from "@/lib/tool-kind";
import type { SafePath } from "../security/paths";
import { splitWords, likeness } from "@/lib/text/word-marks";
import { defineTool } from "./define-tool";
import { explain, sizeText, unwrap } from "./explain";
import { type Tool, type ToolContext, ToolError, type ToolResult } from "./tool";

const schema = z.object({
  path: z.string().check(z.minLength(1)),
  offset: z.optional(z.int()),
  limit: z.optional(z.int()),
});
type Input = z.infer<typeof schema>;

/** Does not limit the requested lines; only the context window decides how many of them are sent. */
const resultMaxBytes = 40_000_000;

/** Names suggested if a file does not exist. */
const namesOffered = 5;
const namesCompared = 2_000;

const firstLine = (input: Input): number => Math.max(1, input.offset ?? 1);
const lineCount = (input: Input, most: number): number => Math.max(1, Math.min(input.limit ?? most, most));

/** Returns the start of a long line: such lines are generated code or data. */
function clipped({ text, size }: Line): string {
  if (size === null && text.length <= limits.readLineChars) return text;
  const end = limits.readLineChars - (/[\uD800-\uDBFF]/.test(text.charAt(limits.readLineChars - 1)) ? 1 : 0);
  return `${text.slice(0, end)}… [line cut: ${size ?? `${text.length} characters`}]`;
}

/** `size`: formatted size of the line if `text` is only its start, otherwise null. */
interface Line {
  readonly text: string;
  readonly size: string | null;
}

/** The requested range of lines. */
interface Part {
  readonly lines: readonly Line[];
  /** Number of lines of the file; null if it is too long to count. */
  readonly total: number | null;
  readonly bytes: number;
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function partOf(text: string, bytes: number, from: number, count: number): Part {
  const lines = linesOf(text);
  const shown = lines.slice(from - 1, from - 1 + count);
  return { lines: shown.map((line) => ({ text: line, size: null })), total: lines.length, bytes };
}

function textResult({ lines, total, bytes }: Part, path: SafePath, from: number): ToolResult {
  if (bytes === 0)
    return { output: [{ type: "text", text: `(${path.relative} is empty)` }], facts: { totalLines: 0, bytes } };
  const known = total === null ? {} : { totalLines: total };
  if (lines.length === 0) {
    const size = total === null ? "fewer lines" : `${total} ${total === 1 ? "line" : "lines"}`;
    throw new ToolError("bad_input", `offset ${from} is past the end: ${path.relative} has ${size}.`, known);
  }
  const to = from + lines.length - 1;
  const numbered = lines.map((line, index) => `${from + index}\t${clipped(line)}`).join("\n");
  const all = total ?? `a file of ${sizeText(bytes)}`;
  const rest = total === null || to < total ? `\n[lines ${from}-${to} of ${all}; go on with offset ${to + 1}]` : "";
  return {
    output: [{ type: "text", text: numbered + rest }],
    facts: { fromLine: from, toLine: to, ...known, bytes },
  };
}

/** Reads a range of a file that is too large for memory. */
async function largeResult(
  path: SafePath<"model">,
  range: { readonly from: number; readonly count: number },
  context: ToolContext,
  signal: AbortSignal,
): Promise<ToolResult> {
  const maxLineBytes = limits.readLineChars * maxCharBytes;
  const read = unwrap(await context.files.readLines(path, { ...range, maxLineBytes }, signal), path.relative);
  const lines = read.lines.map(({ text, bytes, isCut }) => ({ text, size: isCut ? sizeText(bytes) : null }));
  return textResult({ lines, total: read.total, bytes: read.size }, path, range.from);
}

const maxCharBytes = 4;

/**
 * Returns the facts of a shortened result: the range ends with the last complete line; a first line that is cut
 * counts as sent.
 */
function shortened(facts: Facts, kept: string): ReturnType<NonNullable<Tool["shortened"]>> {
  const { fromLine: from, toLine: to, ...rest } = facts;
  if (from === undefined || to === undefined) return null;
  if (kept === "") return { facts: rest, next: `read fewer lines, with offset ${from}` };
  const whole = Math.min(kept.split("\n").length - 1, to - from + 1);
  const last = from + Math.max(whole, 1) - 1;
  const next =
    whole === 0 ? `line ${from} is cut; read on with offset` : "the window has no room; the rest: read with offset";
  return { facts: { ...facts, toLine: last }, next: `${next} ${last + 1}` };
}

/** Returns the result for a file that is not text: an image, or a refusal with its size and type. */
async function imageResult(error: AgentError, path: SafePath<"model">, context: ToolContext): Promise<ToolResult> {
  const bytes = await context.files.readBytes(path, limits.imageMaxBytes);
  const mime = bytes.ok ? imageType(bytes.value) : null;
  if (!bytes.ok || mime === null) throw explain(error, path.relative, hintFor(error));
  const size = bytes.value.length;
  const what = `${path.relative}: ${mime}, ${sizeText(size)}`;
  if (!context.vision) {
    return { output: [{ type: "text", text: `${what}. This model cannot see images.` }], facts: { bytes: size } };
  }
  const blob = await context.keep(bytes.value);
  return {
    output: [
      { type: "text", text: what },
      { type: "image", mime, blob },
    ],
    facts: { bytes: size },
  };
}

const hintFor = (error: AgentError): string =>
  error.code === "binary" ? "Use bash if a program can make text of it." : "";

/** Suggests names in the same folder that are similar to a missing one. */
async function nearestNames(input: Input, context: ToolContext): Promise<string> {
  const wanted = posix.basename(input.path).toLowerCase();
  const folder = posix.dirname(input.path);
  const place = context.path(folder, "read");
  const listed = await context.files.list(place, namesCompared);
  if (!listed.ok)
    return listed.error.code === "not_found" ? `The folder ${folder} does not exist either; use find.` : "";
  const words = (name: string): readonly string[] => splitWords(name.toLowerCase().replaceAll(/[_.-]/g, " "));
  const score = (name: string): number => {
    const lower = name.toLowerCase();
    const contained = lower.includes(wanted) || wanted.includes(lower) ? 0.6 : 0;
    return Math.max(contained, likeness(words(wanted), words(name)), likeness([...wanted], [...lower]) - 0.2);
  };
  const names = listed.value.entries
    .map((entry) => ({ name: entry.name, score: score(entry.name) }))
    .filter((one) => one.score >= 0.5)
    .sort((one, other) => other.score - one.score)
    .slice(0, namesOffered)
    .map((one) => (folder === "." ? one.name : posix.join(folder, one.name)));
  return names.length === 0 ? "Use find or ls to see what is there." : `Did you mean ${names.join(", ")}?`;
}

export const read = defineTool<Input>({
  name: "read",
  kind: "read",
  schema,
  example: { path: "src/main.ts", offset: 1, limit: 200 },
  limits: () => ({ bytes: resultMaxBytes, keep: "head" }),
  target: (input) => input.path,
  facts: (input) => (input.offset === undefined && input.limit === undefined ? {} : { fromLine: firstLine(input) }),
  // The folder as well: a missing file is answered with similar names in it.
  access: (input) => [
    { kind: "read", target: input.path },
    { kind: "read", target: posix.dirname(input.path) },
  ],
  locks: () => ({ paths: [], shell: false }),
  shortened,
  async run(input, context, signal) {
    const path = context.path(input.path, "read");
    const range = { from: firstLine(input), count: lineCount(input, context.settings.readLines) };
    const file = await context.files.readText(path, limits.readMaxBytes);
    if (file.ok) return textResult(partOf(file.value.text, file.value.size, range.from, range.count), path, range.from);
    const { error } = file;
    if (error.code === "too_large" && !String(error.facts?.type).startsWith("image/"))
      return largeResult(path, range, context, signal);
    if (error.code === "not_found") throw explain(error, input.path, await nearestNames(input, context));
    if (error.code === "binary" || error.code === "bad_encoding" || error.code === "too_large")
      return imageResult(error, path, context);
    throw explain(error, path.relative);
  },
});
