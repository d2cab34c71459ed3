/** The read tool: a range of numbered lines of a text file, or an image for models that can see. */
import { posix } from "node:path";
import * as z from "zod/mini";
import type { AgentError } from "@/lib/error";
import { limits } from "@/lib/settings";
import type { Facts } from "@/lib/tool-kind";
import type { SafePath } from "../security/paths";
import { splitWords, likeness } from "@/lib/text/word-marks";
import { defineTool } from "./define-tool";
import { explain, sizeText } from "./explain";
import { imageType } from "./image-type";
import { type Tool, type ToolContext, ToolError, type ToolResult, type ToolSettings } from "./tool";

const schema = z.object({
  path: z.string().check(z.minLength(1)),
  offset: z.optional(z.int()),
  limit: z.optional(z.int()),
});
type Input = z.infer<typeof schema>;

/** Names offered when a file does not exist. */
const namesOffered = 5;
const namesCompared = 2_000;

const firstLine = (input: Input): number => Math.max(1, input.offset ?? 1);
const lineCount = (input: Input, most: number): number => Math.max(1, Math.min(input.limit ?? most, most));

/** Long lines are generated code or data: their start says enough. */
function clipped(line: string): string {
  if (line.length <= limits.readLineChars) return line;
  const end = limits.readLineChars - (/[\uD800-\uDBFF]/.test(line.charAt(limits.readLineChars - 1)) ? 1 : 0);
  return `${line.slice(0, end)}… [line cut: ${line.length} characters]`;
}

function linesOf(text: string): string[] {
  const lines = text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function textResult(
  text: string,
  bytes: number,
  path: SafePath,
  input: Input,
  { readLines }: ToolSettings,
): ToolResult {
  if (text === "")
    return { output: [{ type: "text", text: `(${path.relative} is empty)` }], facts: { totalLines: 0, bytes } };
  const lines = linesOf(text);
  const from = firstLine(input);
  if (from > lines.length) {
    const size = `${lines.length} ${lines.length === 1 ? "line" : "lines"}`;
    throw new ToolError("bad_input", `offset ${from} is past the end: ${path.relative} has ${size}.`, {
      totalLines: lines.length,
    });
  }
  const shown = lines.slice(from - 1, from - 1 + lineCount(input, readLines));
  const to = from + shown.length - 1;
  const numbered = shown.map((line, index) => `${from + index}\t${clipped(line)}`).join("\n");
  const rest = to < lines.length ? `\n[lines ${from}-${to} of ${lines.length}; go on with offset ${to + 1}]` : "";
  return {
    output: [{ type: "text", text: numbered + rest }],
    facts: { fromLine: from, toLine: to, totalLines: lines.length, bytes },
  };
}

/** Of lines that were cut: what is told ends with the last whole one; a first line that is too long counts as told. */
function shortened(facts: Facts, kept: string): ReturnType<NonNullable<Tool["shortened"]>> {
  const { fromLine: from, toLine: to, ...rest } = facts;
  if (from === undefined || to === undefined) return null;
  if (kept === "") return { facts: rest, next: `read fewer lines, with offset ${from}` };
  const whole = Math.min(kept.split("\n").length - 1, to - from + 1);
  const last = from + Math.max(whole, 1) - 1;
  const next = whole === 0 ? `line ${from} is cut; read on with offset` : "the rest: read with offset";
  return { facts: { ...facts, toLine: last }, next: `${next} ${last + 1}` };
}

/** What is no text may be an image; everything else is refused with its size and type. */
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

/** The names in the same folder that are most like a missing one. */
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
  limits: () => ({ bytes: limits.readBytes, keep: "head" }),
  target: (input) => input.path,
  facts: (input) => (input.offset === undefined && input.limit === undefined ? {} : { fromLine: firstLine(input) }),
  // The folder as well: a missing file is answered with the names beside it.
  access: (input) => [
    { kind: "read", target: input.path },
    { kind: "read", target: posix.dirname(input.path) },
  ],
  locks: () => ({ paths: [], shell: false }),
  shortened,
  async run(input, context) {
    const path = context.path(input.path, "read");
    const file = await context.files.readText(path, limits.readMaxBytes);
    if (file.ok) return textResult(file.value.text, file.value.size, path, input, context.settings);
    const { error } = file;
    if (error.code === "not_found") throw explain(error, input.path, await nearestNames(input, context));
    if (error.code === "binary" || error.code === "bad_encoding" || error.code === "too_large")
      return imageResult(error, path, context);
    throw explain(error, path.relative);
  },
});
