/** Decides about one file: the baseline and the content that follow, and how they are stored. */
import type { ErrorCode } from "@/lib/events/error";
import { asId, type BlobId } from "@/lib/events/id";
import type { ReviewedFile, StoredBaseline, WaitingReview } from "@/lib/events/review-events";
import {
  type Baseline,
  isOpaque,
  isSameContent,
  plainBaseline,
  repeatChangeSteps,
  type ReviewContent,
} from "@/lib/review/baseline";
import type { ReviewDecision } from "@/lib/review/review-files";
import { acceptHunksSteps, type ChosenHunk, moveBaselineSteps, rejectHunksSteps } from "@/lib/review/review-hunks";
import { neverAborted } from "@/server/base/abort";
import { runStepsInSlices } from "@/server/base/steps";
import type { SessionServices } from "../core/services";
import { encodeLike } from "./encode-like";
import { loadBaseline, type ReadFile, storedContent } from "./read-review";
import { listPlaces } from "./rejected-places";

/** A decision about one file: the baseline and the content that follow. */
export interface DecidedFile {
  readonly file: ReadFile;
  readonly baseline: Baseline;
  readonly now: ReviewContent;
  readonly accepted: number;
  readonly rejected: number;
}

/** A file for the log; `write` = the bytes to write, null = none. */
export type StoredDecision = ReviewedFile & { readonly write: Uint8Array | null; readonly disk: ReadFile["disk"] };

/** Returns the effect of a decision, or the error for which it cannot be made. */
export async function decideFile(file: ReadFile, decision: ReviewDecision): Promise<DecidedFile | ErrorCode> {
  const { baseline, now, found } = file;
  if (found === null || file.hash !== decision.hash) return "changed_meanwhile";
  const { verdict, hunks: named } = decision;
  const isAccepted = verdict === "accept";
  const count = (hunks: number) => ({ accepted: isAccepted ? hunks : 0, rejected: isAccepted ? 0 : hunks });
  // An empty file that was created or deleted has no hunks.
  const isWhole = found.whole !== undefined || found.hunks.length === 0;
  if (isWhole || (named === undefined && isAccepted)) {
    if (!isAccepted && found.collides === true) return "conflict";
    const hunks = Math.max(1, found.hunks.length);
    return isAccepted
      ? { file, baseline: plainBaseline(now), now, ...count(hunks) }
      : { file, baseline, now: baseline.content, ...count(hunks) };
  }
  const collides = ({ hunk, lines }: ChosenHunk): boolean =>
    !isAccepted && lines === undefined && found.hunks[hunk]?.collides === true;
  const chosen = (named ?? found.hunks.map((_hunk, hunk) => ({ hunk }))).filter(
    (one) => named !== undefined || !collides(one),
  );
  if (chosen.length === 0 || chosen.some(collides)) return "conflict";
  return isAccepted
    ? {
        file,
        baseline: await runStepsInSlices(acceptHunksSteps(baseline, now, found.hunks, chosen), neverAborted),
        now,
        ...count(chosen.length),
      }
    : {
        file,
        baseline,
        now: await runStepsInSlices(rejectHunksSteps(baseline, now, found.hunks, chosen), neverAborted),
        ...count(chosen.length),
      };
}

/** Returns null when the file has other changes in the same lines. */
export async function undoFile(
  file: ReadFile,
  undone: ReviewedFile,
  { store }: SessionServices,
): Promise<DecidedFile | null> {
  const content = (blob: BlobId | null): ReviewContent => storedContent(blob, store.blobs);
  const before = loadBaseline(undone.baseline.before, store.blobs);
  const repeat = (from: ReviewContent, to: ReviewContent, current: ReviewContent) =>
    runStepsInSlices(repeatChangeSteps(from, to, current), neverAborted);
  const baseline = await repeat(content(undone.baseline.after.blob), before.content, file.baseline.content);
  const now = await repeat(content(undone.after), content(undone.before), file.now);
  if (baseline === undefined || now === undefined) return null;
  return {
    file,
    baseline: isSameContent(baseline, before.content)
      ? before
      : await runStepsInSlices(moveBaselineSteps(file.baseline, baseline), neverAborted),
    now,
    accepted: 0,
    rejected: 0,
  };
}

/** Stores a content; null = no file, undefined = its bytes are not there. */
async function storeContent(
  content: ReviewContent,
  file: ReadFile,
  { store }: SessionServices,
): Promise<BlobId | null | undefined> {
  if (content === null) return null;
  if (typeof content === "string") return store.blobs.putAsync(Buffer.from(content));
  const { disk } = file;
  if (disk.kind === "file" && disk.hash === content.id && disk.bytes !== null) return store.blobs.putAsync(disk.bytes);
  const id = asId<BlobId>(content.id);
  return store.blobs.has(id) ? id : undefined;
}

async function storeBaseline(
  baseline: Baseline,
  file: ReadFile,
  services: SessionServices,
): Promise<StoredBaseline | ErrorCode> {
  const blob = await storeContent(baseline.content, file, services);
  if (blob === undefined)
    return isOpaque(baseline.content) ? (baseline.content.why === "too_large" ? "too_large" : "not_kept") : "not_kept";
  return {
    blob,
    ...(baseline.marks.length === 0 ? {} : { marks: baseline.marks }),
    ...(baseline.otherLines.length === 0 ? {} : { otherLines: baseline.otherLines }),
  };
}

/** Returns the file for the log, and the bytes to write; an error code if it cannot be done. */
export async function storeDecision(
  decided: DecidedFile,
  services: SessionServices,
): Promise<StoredDecision | ErrorCode> {
  const { file, now, accepted, rejected } = decided;
  const { path, disk, steps } = file;
  const before = await storeBaseline(file.baseline, file, services);
  const after = await storeBaseline(decided.baseline, file, services);
  // A baseline that was not stored cannot be brought back; accepting replaces it.
  if (typeof after === "string") return after;
  const { blobs } = services.store;
  const onDisk = disk.kind === "file" ? (disk.bytes === null ? undefined : await blobs.putAsync(disk.bytes)) : null;
  if (onDisk === undefined) return "too_large";
  const mode = disk.kind === "file" ? disk.mode : (steps.find((step) => step.before.mode !== 0)?.before.mode ?? 0o644);
  const reviewed = {
    path,
    baseline: { before: typeof before === "string" ? after : before, after },
    before: onDisk,
    mode: mode & permissionBits,
    accepted,
    rejected,
    disk,
  };
  if (isSameContent(now, file.now)) return { ...reviewed, after: onDisk, write: null };
  const places = await listPlaces(file.now, now);
  if (now === null) return { ...reviewed, after: null, write: null, places };
  const bytes = encodeLike(now, disk, steps, blobs);
  if (!bytes.ok) return bytes.error.code;
  return { ...reviewed, after: await blobs.putAsync(bytes.value), write: bytes.value, places };
}

/** Mode bits a written file gets: no set-id bits. */
const permissionBits = 0o777;

export async function toWaiting(
  { file, baseline, now, accepted, rejected }: DecidedFile,
  services: SessionServices,
): Promise<WaitingReview> {
  const verdict = accepted > 0 ? "accept" : "reject";
  const [from, to] = accepted > 0 ? [file.baseline.content, baseline.content] : [file.now, now];
  return {
    path: file.path,
    verdict,
    from: (await storeContent(from, file, services)) ?? null,
    to: (await storeContent(to, file, services)) ?? null,
    hunks: accepted + rejected,
  };
}
