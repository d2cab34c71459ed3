/** What edit and write share: the file as it stands, the diff the user is shown, and the write with its before-image. */
import type { BlobId, Hash } from "@/lib/id";
import { limits } from "@/lib/settings";
import { diffLinesSteps, type Hunk } from "@/lib/text/diff";
import type { Change, Facts, Preview } from "@/lib/tool-kind";
import { hashOf } from "../base/id";
import { finishInTurns } from "../base/steps";
import type { SafePath } from "../security/paths";
import { encodeText } from "../workspace/text-encoding";
import type { TextFile } from "../workspace/workspace";
import { explain, sizeText, unwrap } from "./explain";
import { type Seen, type ToolContext, ToolError } from "./tool";

/** A change that is worked out and not yet made. `file` null = there is none yet. */
export interface Planned {
  readonly path: SafePath<"model">;
  readonly file: TextFile | null;
  readonly text: string;
}

/** The text file at a path; null when nothing stands there. Throws ToolError for folders, binary and huge files. */
export async function existingText(path: SafePath<"model">, context: ToolContext): Promise<TextFile | null> {
  const found = await context.files.readText(path, limits.writeMaxBytes);
  if (found.ok) return found.value;
  if (found.error.code === "not_found") return null;
  throw explain(found.error, path.relative);
}

/**
 * Refuses what the file may not hold: too much, half a surrogate pair, which no encoding has bytes for, and characters that the
 * encoding of `file` (what stands there now) has not.
 */
export function checkText(text: string, path: SafePath<"model">, file: TextFile | null): void {
  const size = Buffer.byteLength(text);
  if (size > limits.writeMaxBytes) {
    const most = sizeText(limits.writeMaxBytes);
    throw new ToolError(
      "too_large",
      `${path.relative} would have ${sizeText(size)}; write takes at most ${most}. Generate large files with bash.`,
    );
  }
  if (/\p{Surrogate}/u.test(text)) {
    throw new ToolError(
      "bad_encoding",
      `The text for ${path.relative} has half a surrogate pair, which cannot be written. Write the whole character.`,
    );
  }
  if (file !== null) unwrap(encodeText(text, file.encoding), path.relative);
}

/** The first lines of hunks that are too long to be shown; the counts tell of the rest. */
function clippedHunks(hunks: readonly Hunk[], max: number): readonly Hunk[] {
  const kept: Hunk[] = [];
  let left = max;
  for (const hunk of hunks) {
    if (left <= 0) break;
    const lines = hunk.lines.slice(0, left);
    left -= lines.length;
    const oldLines = lines.filter((line) => line.kind !== "add").length;
    const newLines = lines.filter((line) => line.kind !== "remove").length;
    kept.push({ ...hunk, oldLines, newLines, lines });
  }
  return kept;
}

/** The card's diff, at most `previewMaxLines` lines of it, and the state it was made from. */
export async function previewOf(
  planned: Planned,
  loose: Facts["loose"],
  signal: AbortSignal,
): Promise<{ readonly preview: Preview; readonly seen: Seen }> {
  const { path, file, text } = planned;
  const { added, removed, hunks } = await finishInTurns(diffLinesSteps(file?.text ?? "", text), signal);
  return {
    preview: {
      kind: "diff",
      path: path.relative,
      created: file === null,
      added,
      removed,
      hunks: clippedHunks(hunks ?? [], limits.previewMaxLines),
      ...(loose === undefined ? {} : { loose }),
    },
    seen: { hash: file?.hash ?? null },
  };
}

/** Commits the before-image. Throws changed_meanwhile when the bytes are not those the change was worked out from. */
async function keepBefore({ path, file }: Planned, context: ToolContext): Promise<BlobId | null> {
  if (file === null) return context.willChange(path, null);
  const bytes = unwrap(await context.files.readBytes(path, limits.writeMaxBytes), path.relative);
  if (hashOf(bytes) !== file.hash) throw explain({ code: "changed_meanwhile" }, path.relative);
  return context.willChange(path, { bytes, mode: file.mode });
}

/** What was written is kept too, so that the change can still be shown when somebody else has written the file since. */
async function keepAfter({ text, file }: Planned, hash: Hash, context: ToolContext): Promise<void> {
  const bytes = encodeText(text, file?.encoding ?? "utf8");
  if (bytes.ok && hashOf(bytes.value) === hash) await context.keep(bytes.value);
}

/** Throws changed_meanwhile when the file is not what the user was shown. */
export function checkSeen(path: SafePath<"model">, file: TextFile | null, seen: Seen | undefined): void {
  if (seen !== undefined && seen.hash !== (file?.hash ?? null))
    throw explain({ code: "changed_meanwhile" }, path.relative);
}

/** Makes the change: before-image first, then the atomic write, which checks once more that nobody wrote in between. */
export async function makeChange(planned: Planned, context: ToolContext, signal: AbortSignal): Promise<Change> {
  const { path, file, text } = planned;
  signal.throwIfAborted();
  const before = await keepBefore(planned, context);
  signal.throwIfAborted();
  const expect: Hash | null = file?.hash ?? null;
  const keep = file === null ? undefined : { encoding: file.encoding, mode: file.mode };
  const { hash } = unwrap(await context.files.write(path, text, expect, keep), path.relative);
  await keepAfter(planned, hash, context);
  const steps = diffLinesSteps(file?.text ?? "", text, { maxLines: limits.diffMaxLines });
  // The file is written, so its change is always reported.
  const { added, removed, hunks } = await finishInTurns(steps, new AbortController().signal);
  return { path: path.relative, before, after: hash, added, removed, ...(hunks === null ? {} : { hunks }) };
}

/** `+3 -1` */
export const countsText = (change: Pick<Change, "added" | "removed">): string => `+${change.added} -${change.removed}`;
