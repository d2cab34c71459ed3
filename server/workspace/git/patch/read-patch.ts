/** Reads git's patch of one path: what the user sees of it, and what commands about its lines apply. */
import { fail, ok, type Result } from "@/lib/events/error";
import { buildHunksSteps, splitIntoLinesSteps } from "@/lib/text/diff";
import type { SourceDiff, SourceSide } from "@/lib/workspace/source-control";
import { computeHash } from "@/server/base/id";
import { runStepsInSlices } from "@/server/base/steps";
import { decodeTextOrNull } from "../../encoding/text-encoding";
import type { Git } from "../git";
import { type FilePatch, parseFilePatch, patchRegions, patchSide } from "./file-patch";

/** Bytes of a patch, which contains both versions of the file. */
const maxPatchBytes = 2_000_000;
/** A line with more bytes is not shown. */
const maxLineBytes = 20_000;
/** Lines of the hunks of a diff. */
const maxHunkLines = 20_000;

/** The user's settings of git have no effect on the form. The context is the whole file. */
const diffWords = [
  ...["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--full-index", "--no-renames", "--patch"],
  ...["--src-prefix=a/", "--dst-prefix=b/", "--unified=1000000", "--submodule=short", "--ignore-submodules=dirty"],
];

/** A path of the repository. An untracked file differs from nothing. */
export interface PatchTarget {
  readonly path: string;
  readonly side: SourceSide;
  readonly isUntracked: boolean;
  /** The path that a renamed file had. */
  readonly from?: string;
}

/** Returns git's output, in which paths are relative to the top; empty = nothing differs. Fails like `Git.run`. */
export function readPatch(git: Git, { path, side, isUntracked, from }: PatchTarget): Promise<Result<Buffer>> {
  // Git compares with nothing only outside of the index, and exits with 1 for a difference.
  if (isUntracked) {
    const paths = ["/dev/null", `${git.prefix}${path}`];
    return git.whole.run([...diffWords, "--no-index", "--", ...paths], { maxBytes: maxPatchBytes, exits: [0, 1] });
  }
  const words = [...(side === "staged" ? ["--cached"] : []), ...(from === undefined ? [] : ["--find-renames"])];
  const paths = from === undefined ? [path] : [from, path];
  return git.run([...diffWords, ...words, "--", ...paths], { maxBytes: maxPatchBytes });
}

/** Returns the diff of a path. Fails like `Git.run`, except that a large one is a diff without lines. */
export async function readSourceDiff(git: Git, target: PatchTarget, signal: AbortSignal): Promise<Result<SourceDiff>> {
  return describePatch(await readPatch(git, target), signal);
}

/** A path, and the two commits or trees in which it is compared. */
export interface CommittedPatch {
  readonly from: string;
  readonly to: string;
  readonly path: string;
  /** Its name in `from`, if it was renamed. */
  readonly renamedFrom?: string;
}

/** Returns the diff of a path between two commits. Fails like `readSourceDiff`. */
export async function readCommittedDiff(
  git: Git,
  { from, to, path, renamedFrom }: CommittedPatch,
  signal: AbortSignal,
): Promise<Result<SourceDiff>> {
  const words = [...diffWords, ...(renamedFrom === undefined ? [] : ["--find-renames"]), from, to];
  const paths = renamedFrom === undefined ? [path] : [renamedFrom, path];
  return describePatch(await git.run([...words, "--", ...paths], { maxBytes: maxPatchBytes }), signal);
}

/** Returns the difference between two blobs. Fails like `readSourceDiff`. */
export async function readBlobDiff(
  git: Git,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<Result<SourceDiff>> {
  return describePatch(await git.run([...diffWords, from, to], { maxBytes: maxPatchBytes }), signal);
}

async function describePatch(output: Result<Buffer>, signal: AbortSignal): Promise<Result<SourceDiff>> {
  const none = { hash: computeHash(""), added: 0, removed: 0 };
  if (!output.ok) return output.error.code === "too_large" ? ok({ ...none, why: "too_large" }) : output;
  const patch = parseFilePatch(output.value);
  const base = { ...none, hash: computeHash(output.value), ...readModes(output.value) };
  if (patch === null) return ok({ ...base, ...explainNoLines(output.value) });
  if (patch.lines.some(({ bytes }) => bytes.length > maxLineBytes)) return ok({ ...base, why: "too_large" });
  return ok({ ...base, ...(await buildDiff(patch, signal)) });
}

async function buildDiff(patch: FilePatch, signal: AbortSignal): Promise<Omit<SourceDiff, "hash" | "mode">> {
  const [old, now] = [decodeTextOrNull(patchSide(patch, "old")), decodeTextOrNull(patchSide(patch, "new"))];
  if (old === null || now === null) return { added: 0, removed: 0, why: "binary" };
  const oldLines = await runStepsInSlices(splitIntoLinesSteps(old), signal);
  const newLines = await runStepsInSlices(splitIntoLinesSteps(now), signal);
  const steps = buildHunksSteps(oldLines, newLines, patchRegions(patch), { maxLines: maxHunkLines });
  const { hunks, added, removed } = await runStepsInSlices(steps, signal);
  return { added, removed, ...(hunks === null ? { why: "too_large" } : { hunks }) };
}

/** Returns why a patch has no lines. */
function explainNoLines(output: Buffer): Pick<SourceDiff, "why" | "hunks"> {
  const text = output.toString("latin1");
  return /^Binary files /m.test(text) ? { why: "binary" } : { hunks: [] };
}

function readModes(output: Buffer): Pick<SourceDiff, "mode"> {
  const head = output.toString("latin1", 0, maxHeaderBytes);
  const mode = (side: "old" | "new"): string | undefined => new RegExp(`^${side} mode (\\d+)$`, "m").exec(head)?.[1];
  const [old, now] = [mode("old"), mode("new")];
  return old === undefined || now === undefined ? {} : { mode: { old, new: now } };
}

/** The modes are in the first lines, after two names of at most 4,096 bytes, which may be quoted. */
const maxHeaderBytes = 40_000;

/**
 * Returns the patch whose hash the caller has seen. Fails with changed_meanwhile if the path differs in another way now, bad_input
 * if the patch has no lines, and like `Git.run`.
 */
export async function readSeenPatch(git: Git, target: PatchTarget, hash: string): Promise<Result<FilePatch>> {
  const output = await readPatch(git, target);
  if (!output.ok) return output;
  if (computeHash(output.value) !== hash) return fail("changed_meanwhile", undefined, { path: target.path });
  const patch = parseFilePatch(output.value);
  return patch === null ? fail("bad_input", undefined, { path: target.path }) : ok(patch);
}
