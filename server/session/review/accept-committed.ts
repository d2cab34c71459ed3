/** Decides about files of which a commit has some or all of the agent's changes. */
import { acceptCommittedSteps } from "@/lib/review/committed-lines";
import { isSameContent } from "@/lib/review/baseline";
import { findReviewSteps } from "@/lib/review/review-hunks";
import { neverAborted } from "@/server/base/abort";
import { computeHash } from "@/server/base/id";
import { runStepsInSlices } from "@/server/base/steps";
import type { DecidedFile } from "./decide-file";
import { type ReadFile, toContent } from "./read-review";

/** The files of a commit. */
export interface CommittedContents {
  readonly paths: ReadonlySet<string>;
  /** Returns the content; null = the commit has no such file, undefined = it could not be read. */
  read(path: string): Promise<Uint8Array | null | undefined>;
}

/** Returns null when the commit contains no change that is to be decided. */
export async function decideCommitted(file: ReadFile, files: CommittedContents): Promise<DecidedFile | null> {
  const { baseline: before, now, found, path } = file;
  const bytes = found === null ? undefined : await files.read(path);
  if (found === null || bytes === undefined) return null;
  const committed = bytes === null ? null : toContent(computeHash(bytes), bytes);
  const baseline = await runStepsInSlices(acceptCommittedSteps(before, now, committed), neverAborted);
  if (isSameContent(baseline.content, before.content)) return null;
  const left = await runStepsInSlices(findReviewSteps(baseline, now), neverAborted);
  const accepted = Math.max(1, found.hunks.length - (left?.hunks.length ?? 0));
  return { file, baseline, now, accepted, rejected: 0 };
}
