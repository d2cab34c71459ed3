/** Reads what a user's reference names, with the rights of the model: the content is sent to it. */
import type { ReferencedLines } from "@/lib/events/content";
import { fail, ok, type Result } from "@/lib/events/error";
import { serverLimits } from "@/lib/settings/server-limits";
import type { Steps } from "@/lib/async/steps";
import { runStepsInSlices } from "@/server/base/steps";
import { modelPath } from "@/server/security/paths/safe-path";
import type { OpenProject } from "../projects/projects";

/** Most bytes of one UTF-16 unit in the encodings that are read. */
const unitMaxBytes = 3;
/** Lines between two places where the selection of lines may be suspended. */
const linesPerStep = 1_000;

/** Lines of a file as one text, without carriage returns at the line ends. */
interface SelectedLines {
  /** At most the first `maxChars` UTF-16 units. */
  readonly text: string;
  /** `text` is only the start. */
  readonly isCut: boolean;
  /** Length of the whole, UTF-16 units; of a file that is too large to be read whole an estimate. */
  readonly chars: number;
  /** Number of lines. */
  readonly count: number;
}

interface ReferencedFile extends SelectedLines {
  /** Resolved, relative to the project. */
  readonly path: string;
  /** Number of the first line. */
  readonly first: number;
}

type ReferencedProject = Pick<OpenProject, "files" | "policy" | "tree">;
interface RequestedLines {
  readonly from: number;
  readonly count: number;
  readonly maxChars: number;
}

/** Whether the model may read the file. */
export const mayModelRead = ({ policy }: Pick<OpenProject, "policy">, path: string): boolean =>
  modelPath(path, "read", policy()).ok;

/**
 * Reads a file or a range of its lines, at most `maxChars` UTF-16 units. Fails with the codes of a path and of reading,
 * and with bad_input for a range behind the end (facts: `totalLines`, null = unknown).
 */
export async function readFileReference(
  project: ReferencedProject,
  path: string,
  range: ReferencedLines | undefined,
  maxChars: number,
  signal: AbortSignal,
): Promise<Result<ReferencedFile>> {
  const safe = modelPath(path, "read", project.policy());
  if (!safe.ok) return safe;
  const first = range?.first ?? 1;
  const read = await readLinesFrom(project, safe.value, { from: first, count: lineCount(range), maxChars }, signal);
  if (!read.ok) return read;
  const { total, ...selected } = read.value;
  if (selected.count === 0 && range !== undefined) return fail("bad_input", undefined, { path, totalLines: total });
  return ok({ path: safe.value.shown, first, ...selected });
}

const lineCount = (range: ReferencedLines | undefined): number =>
  range === undefined ? Number.POSITIVE_INFINITY : range.last - range.first + 1;

async function readLinesFrom(
  { files }: Pick<ReferencedProject, "files">,
  path: Parameters<ReferencedProject["files"]["readText"]>[0],
  requested: RequestedLines,
  signal: AbortSignal,
): Promise<Result<SelectedLines & { readonly total: number | null }>> {
  const whole = await files.readText(path, serverLimits.readMaxBytes);
  if (whole.ok) return ok(await runStepsInSlices(selectLines(whole.value.text, requested), signal));
  if (whole.error.code !== "too_large") return whole;
  const { from, count, maxChars } = requested;
  // A line that is cut here exceeds `maxChars`, so no message gets a part of a line.
  const maxBytes = unitMaxBytes * (maxChars + 2);
  const part = await files.readLines(path, { from, count, maxLineBytes: maxBytes, maxBytes }, signal);
  if (!part.ok) return part;
  const { lines, total, size } = part.value;
  const text = lines.map((line) => line.text).join("\n");
  const isCut = text.length > maxChars;
  const chars = isCut && count === Number.POSITIVE_INFINITY ? Math.max(size, text.length) : text.length;
  return ok({ text: text.slice(0, maxChars), isCut, chars, count: lines.length, total });
}

function* selectLines(
  text: string,
  { from, count, maxChars }: RequestedLines,
): Steps<SelectedLines & { readonly total: number }> {
  let start = 0;
  let end = 0;
  let number = 1;
  for (; end < text.length && number < from + count; number += 1) {
    if (number === from) start = end;
    const feed = text.indexOf("\n", end);
    end = feed === -1 ? text.length : feed + 1;
    if (number % linesPerStep === 0) yield;
  }
  const total = number - 1;
  if (total < from) return { text: "", isCut: false, chars: 0, count: 0, total };
  if (text[end - 1] === "\n") end -= 1;
  const chars = end - start;
  const shown = text.slice(start, Math.min(end, start + maxChars)).replace(/\r(?=\n|$)/g, "");
  return { text: shown, isCut: chars > maxChars, chars, count: number - from, total };
}

/** Returns the tree of a folder. Fails with the codes of a path and of `drawTree`. */
export async function readFolderReference(
  project: ReferencedProject,
  path: string,
  signal: AbortSignal,
): Promise<Result<{ readonly path: string; readonly text: string }>> {
  const safe = modelPath(path === "" ? "." : path, "read", project.policy());
  if (!safe.ok) return safe;
  const tree = await project.tree(safe.value, signal);
  return tree.ok ? ok({ path: safe.value.shown, text: tree.value.text }) : tree;
}
