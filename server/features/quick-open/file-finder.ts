/** Finds files of one project by name, over a list that is made on first use and on request. */
import { setTimeout as sleep } from "node:timers/promises";
import { type AgentError, ok, type Result } from "@/lib/events/error";
import type { FoundFiles } from "@/lib/workspace/project-files";
import type { Search } from "@/server/workspace/search/search";
import { createFileIndex, type FileIndex } from "./file-index";

export interface FileFinder {
  /**
   * Returns the best matches of a text. Waits at most `waitMs` for an unfinished list; the answer is from the files
   * listed so far then. `refresh` makes the list again. Fails with search_failed.
   */
  find(request: {
    readonly typed: string;
    readonly max: number;
    readonly refresh: boolean;
  }): Promise<Result<FoundFiles>>;
  /** Time of the last use, ms epoch. */
  usedAt(): number;
}

interface FileFinderOptions {
  readonly search: Pick<Search, "list">;
  /** ms epoch */
  now(): number;
  /** Ends a running list. */
  readonly signal: AbortSignal;
}

/** Maximum number of indexed files; further files are not found. */
const filesMax = 500_000;
/** Maximum wait of a query for an unfinished list, ms. */
const waitMs = 150;

export function createFileFinder({ search, now, signal }: FileFinderOptions): FileFinder {
  /** The last complete list; the unfinished one before there is one. */
  let index: FileIndex = createFileIndex();
  let isListed = false;
  let usedAt = now();
  let listing: Promise<void> | null = null;
  let error: AgentError | null = null;

  const list = async (): Promise<void> => {
    const next = createFileIndex();
    if (!isListed) index = next;
    const end = await search.list((path) => {
      next.add(path);
      return next.size() < filesMax ? "more" : "stop";
    }, signal);
    error = end.ok ? null : end.error;
    if (!end.ok) return;
    index = next;
    isListed = true;
  };
  return {
    usedAt: () => usedAt,
    async find({ typed, max, refresh }) {
      usedAt = now();
      if (!isListed || refresh)
        listing ??= list().finally(() => {
          listing = null;
        });
      if (listing !== null) await waitFor(listing);
      if (error !== null && !isListed) return { ok: false, error };
      return ok({ paths: index.find(typed, max), files: index.size(), isComplete: listing === null });
    },
  };
}

async function waitFor(listing: Promise<void>): Promise<void> {
  const done = new AbortController();
  await Promise.race([listing, sleep(waitMs, undefined, { signal: done.signal }).catch(() => {})]);
  done.abort();
}
