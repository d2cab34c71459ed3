/** Shared steps of edit and write: reading the current file, the diff preview, and the write with its snapshot. */
import type { BlobId, Hash } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { diffLinesSteps, type Hunk } from "@/lib/text/diff";
import type { CallFileChange, CallFacts, CallPreview } from "@/lib/events/tool-kind";
import { computeHash } from "@/server/base/id";
import { runStepsInSlices } from "@/server/base/steps";
import type { SafePath } from "@/server/security/paths/safe-path";
import { encodeText } from "@/server/workspace/encoding/text-encoding";
import { isReadOnlyMode } from "@/server/workspace/files/write-file";
import type { TextFile } from "@/server/workspace/workspace";
import { toToolError, formatDecimalSize, unwrapOrThrow } from "../core/to-tool-error";
import { type ApprovedVersion, type ToolCall, type ToolDependencies, ToolError } from "../core/tool";
import { neverAborted } from "@/server/base/abort";

/** Maximum lines of a difference in a result. */
const diffMaxLines = 400;

export type ChangeDependencies = Pick<ToolDependencies, "files" | "storeBlob">;

/** A planned change that is not written yet. `file` is null if the file does not exist. */
export interface PlannedChange {
  readonly path: SafePath<"model">;
  readonly file: TextFile | null;
  readonly text: string;
}

/**
 * Reads the text file at a path; null if it does not exist. Throws ToolError for folders, binary and too large files.
 */
export async function readExistingText(
  path: SafePath<"model">,
  { files }: Pick<ChangeDependencies, "files">,
): Promise<TextFile | null> {
  const found = await files.readText(path, limits.writeMaxBytes);
  if (found.ok) return found.value;
  if (found.error.code === "not_found") return null;
  throw toToolError(found.error, path.relative);
}

/**
 * Throws ToolError for text the file cannot hold: too large, half a surrogate pair (no encoding has bytes for it), or
 * characters missing in the encoding of `file` (the current file).
 */
export function checkWritableText(text: string, path: SafePath<"model">, file: TextFile | null): void {
  const size = Buffer.byteLength(text);
  if (size > limits.writeMaxBytes) {
    const most = formatDecimalSize(limits.writeMaxBytes);
    throw new ToolError(
      "too_large",
      `${path.relative} would have ${formatDecimalSize(size)}; write takes at most ${most}. Generate large files with bash.`,
    );
  }
  if (/\p{Surrogate}/u.test(text)) {
    throw new ToolError(
      "bad_encoding",
      `The text for ${path.relative} has half a surrogate pair, which cannot be written. Write the whole character.`,
    );
  }
  if (file !== null) unwrapOrThrow(encodeText(text, file.encoding), path.relative);
}

/** Returns the first `max` lines of the hunks; the counts of the preview still cover all lines. */
function clipHunks(hunks: readonly Hunk[], max: number): readonly Hunk[] {
  const shown: Hunk[] = [];
  let left = max;
  for (const hunk of hunks) {
    if (left <= 0) break;
    const lines = hunk.lines.slice(0, left);
    left -= lines.length;
    const oldLines = lines.filter((line) => line.kind !== "add").length;
    const newLines = lines.filter((line) => line.kind !== "remove").length;
    shown.push({ ...hunk, oldLines, newLines, lines });
  }
  return shown;
}

/** Builds the diff preview, at most `previewMaxLines` lines, and the version it was computed from. */
export async function buildDiffPreview(
  planned: PlannedChange,
  loose: CallFacts["loose"],
  signal: AbortSignal,
): Promise<{ readonly preview: CallPreview; readonly seen: ApprovedVersion }> {
  const { path, file, text } = planned;
  const { added, removed, hunks } = await runStepsInSlices(diffLinesSteps(file?.text ?? "", text), signal);
  return {
    preview: {
      kind: "diff",
      path: path.relative,
      created: file === null,
      added,
      removed,
      hunks: clipHunks(hunks ?? [], limits.previewMaxLines),
      loose,
      ...(file !== null && isReadOnlyMode(file.mode) ? { readOnly: true } : {}),
    },
    seen: { hash: file?.hash ?? null },
  };
}

/**
 * Stores the snapshot of the file before the change. Throws changed_meanwhile if the bytes differ from those the
 * change was computed from.
 */
async function storeSnapshotBefore(
  { path, file }: PlannedChange,
  { files }: ChangeDependencies,
  call: ToolCall,
): Promise<BlobId | null> {
  if (file === null) return call.recordBeforeWrite(path, null);
  const bytes = unwrapOrThrow(await files.readBytes(path, limits.writeMaxBytes), path.relative);
  if (computeHash(bytes) !== file.hash) throw toToolError({ code: "changed_meanwhile" }, path.relative);
  return call.recordBeforeWrite(path, { bytes, mode: file.mode });
}

/** Stores the written content as well, so that the change can be shown after later writes by others. */
async function storeContentAfter(
  { text, file }: PlannedChange,
  hash: Hash,
  { storeBlob }: ChangeDependencies,
): Promise<void> {
  const bytes = encodeText(text, file?.encoding ?? "utf8");
  if (bytes.ok && computeHash(bytes.value) === hash) await storeBlob(bytes.value);
}

/** Throws changed_meanwhile if the file differs from the version the user approved. */
export function checkApprovedVersion(
  path: SafePath<"model">,
  file: TextFile | null,
  seen: ApprovedVersion | undefined,
): void {
  if (seen !== undefined && seen.hash !== (file?.hash ?? null))
    throw toToolError({ code: "changed_meanwhile" }, path.relative);
}

/** Applies the change: snapshot first, then the atomic write, which checks again that the file is unchanged. */
export async function applyFileChange(
  planned: PlannedChange,
  project: ChangeDependencies,
  call: ToolCall,
  signal: AbortSignal,
): Promise<CallFileChange> {
  const { path, file, text } = planned;
  signal.throwIfAborted();
  const before = await storeSnapshotBefore(planned, project, call);
  signal.throwIfAborted();
  const expect: Hash | null = file?.hash ?? null;
  const keep = file === null ? undefined : { encoding: file.encoding, mode: file.mode };
  const { hash } = unwrapOrThrow(await project.files.write(path, text, expect, keep), path.relative);
  await storeContentAfter(planned, hash, project);
  const steps = diffLinesSteps(file?.text ?? "", text, { maxLines: diffMaxLines });
  // The file is written, so its change is reported even after an abort.
  const { added, removed, hunks } = await runStepsInSlices(steps, neverAborted);
  return { path: path.relative, before, after: hash, added, removed, hunks: hunks ?? undefined };
}

/** `+3 -1` */
export const formatLineCounts = (change: Pick<CallFileChange, "added" | "removed">): string =>
  `+${change.added} -${change.removed}`;
