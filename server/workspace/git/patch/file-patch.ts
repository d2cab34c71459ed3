/**
 * The patch of one file as `git diff` prints it with the whole file as context, and the part of it that applies some of
 * its lines only. Works on bytes, so that any encoding and line end stays as it is. Pure.
 *
 * A patch has context everywhere: git applies one without context wherever its line numbers point to. Format: git-diff(1),
 * "Generating patch text with -p".
 */
import type { DiffRegion } from "@/lib/text/myers";
import type { SourceLines } from "@/lib/workspace/source-control";

export interface PatchLine {
  readonly kind: "same" | "add" | "remove";
  /** With its line end; the last line of a side may have none. */
  readonly bytes: Buffer;
}

export interface FilePatch {
  /** The lines before the first hunk, each with its line end. */
  readonly header: Buffer;
  readonly lines: readonly PatchLine[];
}

/** A part of a patch, and the content of the file after it. */
export interface PartialPatch {
  readonly patch: Buffer;
  /** null = the file is gone. */
  readonly content: Buffer | null;
}

const lineFeed = 0x0a;
const kinds: { readonly [mark: number]: PatchLine["kind"] | undefined } = { 0x20: "same", 0x2b: "add", 0x2d: "remove" };
const marks: Readonly<Record<PatchLine["kind"], Buffer>> = {
  same: Buffer.from(" "),
  add: Buffer.from("+"),
  remove: Buffer.from("-"),
};
const backslash = 0x5c;
const noNewline = Buffer.from("\n\\ No newline at end of file\n");

/**
 * Parses the output of `git diff` for one file. Returns null for output without lines: nothing differs, the file is
 * binary, only its mode differs, or it is a submodule.
 */
export function parseFilePatch(output: Buffer): FilePatch | null {
  const first = output.indexOf("\n@@ ");
  if (first === -1) return null;
  const lines: PatchLine[] = [];
  const body = output.indexOf(lineFeed, first + 1) + 1;
  for (let at = body; at < output.length; ) {
    const found = output.indexOf(lineFeed, at);
    const end = found === -1 ? output.length : found + 1;
    const mark = output[at] ?? 0;
    const last = lines.at(-1);
    if (mark === backslash && last !== undefined)
      lines[lines.length - 1] = { kind: last.kind, bytes: last.bytes.subarray(0, -1) };
    // `diff.suppressBlankEmpty` leaves the space of an empty context line out.
    else if (mark === lineFeed) lines.push({ kind: "same", bytes: output.subarray(at, end) });
    else lines.push({ kind: kinds[mark] ?? "same", bytes: output.subarray(at + 1, end) });
    at = end;
  }
  return { header: output.subarray(0, first + 1), lines };
}

/** Returns the content of one side. */
export const patchSide = ({ lines }: FilePatch, side: "old" | "new"): Buffer =>
  Buffer.concat(lines.filter(({ kind }) => kind !== (side === "old" ? "add" : "remove")).map(({ bytes }) => bytes));

/** Returns the changed regions in lines from 0, as `diffRegionsOf` does for two texts. */
export function patchRegions({ lines }: FilePatch): readonly DiffRegion[] {
  const regions: DiffRegion[] = [];
  let [old, now] = [0, 0];
  let start: { readonly old: number; readonly now: number } | null = null;
  const close = (): void => {
    if (start !== null) regions.push({ oldStart: start.old, oldEnd: old, newStart: start.now, newEnd: now });
    start = null;
  };
  for (const { kind } of lines) {
    if (kind === "same") close();
    else start ??= { old, now };
    if (kind !== "add") old += 1;
    if (kind !== "remove") now += 1;
  }
  close();
  return regions;
}

/**
 * Returns the patch of the chosen lines. `base` = the side that the file has now: "old" = the chosen lines are applied,
 * "new" = they are taken back, by a patch that is applied in reverse. Where a side ends without a line end, the lines of
 * that change are one choice: a line cannot follow one without an end. null = no changed line is chosen.
 */
export function choosePatchLines(patch: FilePatch, chosen: SourceLines, base: "old" | "new"): PartialPatch | null {
  const isChosen = markChosenLines(patch.lines, chosen);
  if (!isChosen.includes(true)) return null;
  const basis = base === "old" ? "remove" : "add";
  const lines: PatchLine[] = [];
  const content: Buffer[] = [];
  let isWhole = true;
  for (const [index, line] of patch.lines.entries()) {
    const isChange = line.kind !== "same" && isChosen[index] === true;
    if (line.kind !== "same" && !isChange) isWhole = false;
    if (isChange || line.kind === "same") lines.push(line);
    else if (line.kind === basis) lines.push({ kind: "same", bytes: line.bytes });
    const isInResult = line.kind === "same" || (line.kind === basis) !== isChange;
    if (isInResult) content.push(line.bytes);
  }
  const header = isWhole ? patch.header : changeHeader(patch.header, base);
  const isGone = isWhole && goneMode(base).test(header.toString("latin1"));
  return { patch: formatPatch(header, lines), content: isGone ? null : Buffer.concat(content) };
}

function markChosenLines(lines: readonly PatchLine[], chosen: SourceLines): boolean[] {
  const [olds, news] = [new Set(chosen.old), new Set(chosen.new)];
  const isChosen: boolean[] = [];
  let [old, now, blockStart] = [0, 0, 0];
  const closeBlock = (end: number): void => {
    const isAtEnd = lines.slice(blockStart, end).some(({ bytes }) => bytes.at(-1) !== lineFeed);
    if (isAtEnd && isChosen.slice(blockStart, end).includes(true)) isChosen.fill(true, blockStart, end);
  };
  for (const [index, { kind }] of lines.entries()) {
    if (kind !== "add") old += 1;
    if (kind !== "remove") now += 1;
    if (kind === "same") {
      closeBlock(index);
      blockStart = index + 1;
    }
    isChosen.push(kind === "remove" ? olds.has(old) : kind === "add" && news.has(now));
  }
  closeBlock(lines.length);
  return isChosen;
}

/**
 * Returns the header of a part of the patch: the mode stays, and a file that the patch deletes, or in reverse creates,
 * remains with the other lines.
 */
function changeHeader(header: Buffer, base: "old" | "new"): Buffer {
  const text = header.toString("latin1");
  const isGone = goneMode(base).test(text);
  const lines = text.split("\n").filter((line) => !goneMode(base).test(line) && !/^(?:old|new) mode /.test(line));
  const changed = isGone ? renameMissingSide(lines) : lines;
  return Buffer.from(changed.join("\n"), "latin1");
}

/** Matches the line of a header by which the file is gone on the side other than `base`. */
const goneMode = (base: "old" | "new"): RegExp => (base === "old" ? /^deleted file mode /m : /^new file mode /m);

/** Replaces `/dev/null` by the name of the other side. Names with special characters are quoted, the prefix too. */
function renameMissingSide(lines: readonly string[]): readonly string[] {
  const named = (sign: string): string => lines.find((line) => line.startsWith(sign))?.slice(sign.length) ?? "";
  const [old, now] = [named("--- "), named("+++ ")];
  const withPrefix = (name: string, prefix: string): string => name.replace(/^("?)[ab]\//, `$1${prefix}/`);
  return lines.map((line) => {
    if (line === "--- /dev/null") return `--- ${withPrefix(now, "a")}`;
    return line === "+++ /dev/null" ? `+++ ${withPrefix(old, "b")}` : line;
  });
}

function formatPatch(header: Buffer, lines: readonly PatchLine[]): Buffer {
  const count = (without: PatchLine["kind"]): number => lines.filter(({ kind }) => kind !== without).length;
  const range = (total: number): string => (total === 0 ? "0,0" : `1,${total}`);
  const parts = [header, Buffer.from(`@@ -${range(count("add"))} +${range(count("remove"))} @@\n`)];
  for (const { kind, bytes } of lines) {
    parts.push(marks[kind], bytes);
    if (bytes.at(-1) !== lineFeed) parts.push(noNewline);
  }
  return Buffer.concat(parts);
}
