/**
 * Reads folders for one judgement, off the event loop and within one budget: a decision requests what it has to
 * know about the disk and is repeated when the survey has it.
 */
import type { Dirent } from "node:fs";
import { opendir } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";

/** The budget of one judgement. It has no time: a decision does not depend on the load of the machine. */
interface SurveyLimits {
  /** Entries of folders that are read. */
  readonly maxEntries: number;
  /** Entries that are compared or resolved, those of a folder once for each pattern. */
  readonly maxSteps: number;
}

export const surveyLimits: SurveyLimits = { maxEntries: 20_000, maxSteps: 100_000 };

/** Steps between two turns of the event loop. */
const stepsPerTurn = 500;

/** Reading budget of one judgement. */
export interface FolderSurvey {
  /** The number of entries read so far. */
  readonly entriesRead: number;
  /** The budget is used up: what was requested after that is not cached. */
  readonly isExhausted: boolean;
  /**
   * Returns the entries of a folder, read once; null when it cannot be read, has more than `maxCount`, or the budget is used
   * up.
   */
  list(folder: string, maxCount?: number): Promise<readonly Dirent[] | null>;
  /** Counts one step; false = the budget is used up. */
  spend(): boolean;
  /** Counts one step and gives way to others from time to time; false = the budget is used up. */
  step(): Promise<boolean>;
}

export function makeFolderSurvey({ maxEntries, maxSteps }: SurveyLimits = surveyLimits): FolderSurvey {
  const listings = new Map<string, readonly Dirent[] | null>();
  let entriesRead = 0;
  let steps = 0;
  let isExhausted = false;
  const isWithinBudget = (): boolean => {
    isExhausted ||= entriesRead > maxEntries || steps > maxSteps;
    return !isExhausted;
  };
  const read = async (folder: string, maxCount: number): Promise<readonly Dirent[] | null> => {
    const entries: Dirent[] = [];
    try {
      for await (const entry of await opendir(folder)) {
        entriesRead += 1;
        if (!isWithinBudget() || entries.length === maxCount) return null;
        entries.push(entry);
      }
    } catch {
      return null;
    }
    return entries;
  };
  const spend = (): boolean => {
    steps += 1;
    return isWithinBudget();
  };
  return {
    get entriesRead() {
      return entriesRead;
    },
    get isExhausted() {
      return isExhausted;
    },
    async list(folder, maxCount = Number.POSITIVE_INFINITY) {
      const cached = listings.get(folder);
      if (cached !== undefined) return cached;
      const entries = isWithinBudget() ? await read(folder, maxCount) : null;
      if (entries !== null || maxCount === Number.POSITIVE_INFINITY) listings.set(folder, entries);
      return entries;
    },
    spend,
    async step() {
      if (steps % stepsPerTurn === 0) await nextTurn();
      return spend();
    },
  };
}
