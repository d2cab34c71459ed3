/** Chooses how the files of a project are scanned: with the stored index, or above its limit with git. */
import { makeGitScans, type SnapshotGit } from "./git-scans";
import { makeSnapshotScans, type ScanContext, type ScanOutcome, type SnapshotScans } from "./snapshot-scans";
import type { ScanPace } from "./snapshot-scan";
import type { UndoGap } from "@/lib/events/tool-kind";

/** Time without a scan after which the files are counted again, ms. */
const idleMs = 600_000;

interface ProjectScans {
  /** Scans all files, up to the limit. */
  scanAll(pace: ScanPace): Promise<ScanOutcome>;
  /** Makes the state before a command correct. Returns what it lacks, and the scans that compare after the command. */
  before(pace: () => ScanPace): Promise<{ readonly gap: UndoGap | null; readonly scans: SnapshotScans }>;
  /** Returns whether the state before a command can be kept at all, as far as the last scan found out. */
  canUndo(): Promise<boolean>;
}

export function makeProjectScans(context: ScanContext, git: SnapshotGit | undefined): ProjectScans {
  const small = makeSnapshotScans(context);
  const large = makeGitScans(context, git);
  let isLarge = false;
  let timer: NodeJS.Timeout | undefined;
  const countAgainWhenIdle = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (context.journals.size > 0) return countAgainWhenIdle();
      isLarge = false;
      large.release();
    }, idleMs);
    timer.unref();
  };
  const note = <T extends UndoGap | null>(gap: T): T => {
    isLarge = gap === "too_many_files";
    if (isLarge) countAgainWhenIdle();
    return gap;
  };
  return {
    async scanAll(pace) {
      const outcome = await small.scanAll(pace);
      note(outcome.gap);
      return outcome;
    },
    async before(pace) {
      if (!isLarge) {
        const gap = note(await small.ensureCurrent(pace));
        if (!isLarge) return { gap, scans: small };
      }
      countAgainWhenIdle();
      return { gap: await large.ensureCurrent(pace), scans: large };
    },
    canUndo: async () => !isLarge || large.isPossible(),
  };
}
