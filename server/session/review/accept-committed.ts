/** Decides about files of which a commit has some or all of the agent's changes. */
import type { SessionRow } from "@/lib/protocol/session-row";
import { acceptCommittedSteps } from "@/lib/review/committed-lines";
import { isSameContent } from "@/lib/review/baseline";
import { findReviewSteps } from "@/lib/review/review-hunks";
import { neverAborted } from "@/server/base/abort";
import { computeHash } from "@/server/base/id";
import { runStepsInSlices } from "@/server/base/steps";
import type { SessionServices } from "../core/services";
import type { DecidedFile } from "./decide-file";
import { makeReviewReader } from "./read-files";
import { makeLogReader } from "./read-logs";
import { type ReadFile, toContent } from "./read-review";
import { buildReviewHistory } from "./review-history";

/** The files of a commit. */
export interface CommittedContents {
  readonly paths: ReadonlySet<string>;
  /** Returns the content; null = the commit has no such file, undefined = it could not be read. */
  read(path: string): Promise<Uint8Array | null | undefined>;
}

/** Whether a session, which need not be loaded, has changes to decide in one of the files. */
export async function hasToDecide(
  { store, projectFiles }: Pick<SessionServices, "store" | "projectFiles">,
  { id, projectId }: Pick<SessionRow, "id" | "projectId">,
  { paths }: CommittedContents,
): Promise<boolean> {
  const found = await projectFiles(projectId, id);
  if (!found.ok) return false;
  const { files, waiting } = buildReviewHistory(makeLogReader(id, store, () => 0)());
  const reader = makeReviewReader(store.blobs);
  for (const [path, steps] of files) {
    const look = paths.has(path) ? await reader.look({ projectFiles: found.value, path, steps, waiting }) : null;
    if (look !== null && look.found !== null) return true;
  }
  return false;
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
