/** Reads a file under review: its baseline, its content on the disk, and the hunks between them. */
import type { StoredBaseline, WaitingReview } from "@/lib/events/review-events";
import { asId, type BlobId, type Hash } from "@/lib/events/id";
import {
  type Baseline,
  computeBaselineSteps,
  isOpaque,
  type OpaqueContent,
  plainBaseline,
  repeatChangeSteps,
  type ReviewContent,
  type ReviewedStep,
} from "@/lib/review/baseline";
import { addLaterChangesSteps } from "@/lib/review/later-changes";
import { findReviewSteps, moveBaselineSteps, type ReviewDifference } from "@/lib/review/review-hunks";
import { limits } from "@/lib/settings/settings";
import { neverAborted } from "@/server/base/abort";
import { computeHash } from "@/server/base/id";
import { beginTimeSlice, runStepsInSlices } from "@/server/base/steps";
import type { BlobStore } from "@/server/store/files/blobs";
import { decodeTextOrNull } from "@/server/workspace/encoding/text-encoding";
import type { DiskState } from "@/server/workspace/files/project-files";
import type { StoredStep } from "./review-history";

/** A file as it is reviewed; `now` and `baseline` are those after the waiting decisions. */
export interface ReadFile {
  readonly path: string;
  readonly steps: readonly StoredStep[];
  readonly disk: Exclude<DiskState, { kind: "other" }>;
  readonly baseline: Baseline;
  readonly now: ReviewContent;
  /** null = nothing is to be decided. */
  readonly found: ReviewDifference | null;
  readonly hash: Hash;
}

/** Returns the file with the decisions about it that wait. */
export async function readReviewedFile(
  blobs: Pick<BlobStore, "get">,
  { path, steps, disk }: Pick<ReadFile, "path" | "steps" | "disk">,
  waiting: readonly WaitingReview[],
): Promise<ReadFile> {
  const onDisk = contentOnDisk(disk);
  const stored = await resolveSteps(steps, disk, blobs);
  let baseline = await runStepsInSlices(computeBaselineSteps(stored, onDisk), neverAborted);
  let now = onDisk;
  for (const { verdict, from, to } of waiting) {
    const change = [storedContent(from, blobs), storedContent(to, blobs)] as const;
    const current = verdict === "accept" ? baseline.content : now;
    const next = await runStepsInSlices(repeatChangeSteps(...change, current), neverAborted);
    if (next === undefined) continue;
    if (verdict === "reject") now = next;
    else baseline = await runStepsInSlices(moveBaselineSteps(baseline, next), neverAborted);
  }
  const compared = await runStepsInSlices(findReviewSteps(baseline, now), neverAborted);
  const found = compared && (await addLaterChanges(compared, stored.at(-1), now));
  const hash = computeHash(JSON.stringify([baseline.content, now]));
  return { path, steps, disk, baseline, now, found, hash };
}

async function addLaterChanges(
  found: ReviewDifference,
  newest: ReviewedStep | undefined,
  now: ReviewContent,
): Promise<ReviewDifference> {
  if (newest?.kind !== "write" || typeof newest.after !== "string" || typeof now !== "string") return found;
  return runStepsInSlices(addLaterChangesSteps(found, newest.after, now), neverAborted);
}

function contentOnDisk(disk: Exclude<DiskState, { kind: "other" }>): ReviewContent {
  if (disk.kind === "nothing") return null;
  return disk.bytes === null ? { id: disk.hash, why: "too_large" } : toContent(disk.hash, disk.bytes);
}

export function toContent(id: string, bytes: Uint8Array): ReviewContent {
  const opaque = (reason: OpaqueContent["why"]): OpaqueContent => ({ id, why: reason });
  return bytes.length > limits.writeMaxBytes ? opaque("too_large") : (decodeTextOrNull(bytes) ?? opaque("binary"));
}

/** Returns a stored content; null = no file. */
export function storedContent(blob: BlobId | null, blobs: Pick<BlobStore, "get">): ReviewContent {
  if (blob === null) return null;
  const bytes = blobs.get(blob);
  return bytes === undefined ? { id: blob, why: "not_kept" } : toContent(blob, bytes);
}

/** Leaves out the steps that the baseline does not depend on: their contents need not be read. */
function shortenSteps(steps: readonly StoredStep[]): readonly StoredStep[] {
  // A restore returns to any step before it.
  if (steps.some(({ kind }) => kind === "restore")) return steps;
  const short: StoredStep[] = [];
  for (const step of steps.slice(
    Math.max(
      0,
      steps.findLastIndex(({ kind }) => kind === "decision"),
    ),
  )) {
    const last = short.at(-1);
    const isNext = last?.after !== undefined && String(last.after) === String(step.before.blob);
    const isKept = step.before.blob !== null || step.before.mode === 0;
    if (last?.kind === "write" && step.kind === "write" && isNext && isKept)
      short[short.length - 1] = { ...last, after: step.after };
    else short.push(step);
  }
  return short;
}

async function resolveSteps(
  steps: readonly StoredStep[],
  disk: Exclude<DiskState, { kind: "other" }>,
  blobs: Pick<BlobStore, "get">,
): Promise<readonly ReviewedStep[]> {
  const slice = beginTimeSlice();
  const resolved: ReviewedStep[] = [];
  for (const [index, step] of shortenSteps(steps).entries()) {
    if (slice.isOver()) await slice.next();
    resolved.push(resolveStep(step, index, { steps, disk, blobs }));
  }
  return resolved;
}

function resolveStep(
  step: StoredStep,
  index: number,
  { steps, disk, blobs }: Pick<ReadFile, "steps" | "disk"> & { readonly blobs: Pick<BlobStore, "get"> },
): ReviewedStep {
  const { blob, mode } = step.before;
  const before: ReviewContent =
    blob === null && mode !== 0 ? { id: `step ${index}`, why: "not_kept" } : storedContent(blob, blobs);
  switch (step.kind) {
    case "write":
      return { kind: "write", before, after: resolveAfter(step.after, disk, blobs) };
    case "decision":
      return {
        kind: "decision",
        before,
        after: storedContent(step.after, blobs),
        baseline: loadBaseline(step.baseline, blobs),
      };
    case "restore": {
      const to = steps.findIndex(({ seq }) => seq > step.toSeq);
      return { kind: "restore", before, after: storedContent(step.after, blobs), to };
    }
  }
}

/** undefined = the content was not stored, and the file has another one by now. */
function resolveAfter(
  after: Hash | null | undefined,
  disk: Exclude<DiskState, { kind: "other" }>,
  blobs: Pick<BlobStore, "get">,
): ReviewContent | undefined {
  if (after === null || after === undefined) return after;
  const content = storedContent(asId<BlobId>(after), blobs);
  if (!isOpaque(content) || content.why !== "not_kept") return content;
  return disk.kind === "file" && disk.hash === after ? contentOnDisk(disk) : undefined;
}

/** Returns a baseline that a log has. */
export const loadBaseline = (stored: StoredBaseline, blobs: Pick<BlobStore, "get">): Baseline => ({
  ...plainBaseline(storedContent(stored.blob, blobs)),
  ...(stored.marks === undefined ? {} : { marks: stored.marks }),
  ...(stored.otherLines === undefined ? {} : { otherLines: stored.otherLines }),
});
