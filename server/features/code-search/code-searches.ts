/** The searches of the clients: one each, whose results are published in batches and retained for subscribers. */
import type { Result } from "@/lib/events/error";
import type { ClientId, CodeSearchId } from "@/lib/events/id";
import {
  type CodeSearchEnd,
  type CodeSearchFile,
  type CodeSearchQuery,
  type CodeSearchResults,
  codeSearchMaxContextLines,
  codeSearchMaxLines,
  countLines,
} from "@/lib/workspace/code-search";
import { randomId } from "@/server/base/id";
import type { LineSearchEnd } from "@/server/workspace/search/lines/line-search";
import type { Search } from "@/server/workspace/search/search";

/** Shortest time between two batches, ms. */
const batchMs = 50;
/** Lines that may wait for the next batch. */
const maxBatchLines = 1_000;

interface CodeSearchesOptions {
  publish(searchId: CodeSearchId, results: CodeSearchResults): void;
  /** Reports an unexpected error of a search. */
  reportBug(error: unknown): void;
}

/** A client; its search ends when it disconnects. */
interface SearchingClient {
  readonly id: ClientId;
  readonly disconnected?: AbortSignal;
}

interface CodeSearches {
  /** Starts a search, which replaces the one of this client. */
  start(client: SearchingClient, search: Pick<Search, "lines">, query: CodeSearchQuery): CodeSearchId;
  /** Ends a search of the client and drops its results; without effect for an id that is not its own. */
  cancel(client: ClientId, searchId: CodeSearchId): void;
  /** Ends all; resolves when their programs have exited, also of those that were cancelled before. */
  close(): Promise<void>;
  /** Returns everything published about a search; null = it was replaced or cancelled. */
  results(searchId: CodeSearchId): CodeSearchResults | null;
  /** Stops and continues a search whose subscribers are behind. */
  setPaused(searchId: CodeSearchId, isPaused: boolean): void;
}

export function makeCodeSearches({ publish, reportBug }: CodeSearchesOptions): CodeSearches {
  const byClient = new Map<ClientId, RunningSearch>();
  /** Also those that were cancelled, until their program has exited. */
  const running = new Set<Promise<void>>();
  const find = (id: CodeSearchId) => [...byClient.values()].find((search) => search.id === id);
  const drop = (client: ClientId): void => {
    byClient.get(client)?.cancel();
    byClient.delete(client);
  };
  return {
    start(client, search, query) {
      drop(client.id);
      const id = randomId<CodeSearchId>("q");
      const batches = makeBatches((results) => publish(id, results));
      const stop = new AbortController();
      const disconnect = (): void => drop(client.id);
      client.disconnected?.addEventListener("abort", disconnect, { once: true });
      byClient.set(client.id, {
        id,
        batches,
        cancel() {
          client.disconnected?.removeEventListener("abort", disconnect);
          batches.close();
          stop.abort();
        },
      });
      const work = search
        .lines(
          { ...query, maxLines: codeSearchMaxLines, maxContextLines: codeSearchMaxContextLines },
          batches.add,
          stop.signal,
        )
        .then((end) => batches.end(describeEnd(end)))
        .catch((error: unknown) => {
          batches.end({ ...failedEnd, error: { code: "internal" } });
          reportBug(error);
        })
        .finally(() => running.delete(work));
      running.add(work);
      return id;
    },
    cancel(client, searchId) {
      if (byClient.get(client)?.id === searchId) drop(client);
    },
    async close() {
      [...byClient.keys()].forEach(drop);
      await Promise.all(running);
    },
    results: (searchId) => find(searchId)?.batches.published() ?? null,
    setPaused: (searchId, isPaused) => find(searchId)?.batches.setPaused(isPaused),
  };
}

interface RunningSearch {
  readonly id: CodeSearchId;
  readonly batches: ReturnType<typeof makeBatches>;
  cancel(): void;
}

const failedEnd = { reason: "failed", hasLongLines: false, isContextCut: false, unreadable: 0 } as const;

const describeEnd = (end: Result<LineSearchEnd>): CodeSearchEnd => {
  if (!end.ok) return { ...failedEnd, error: end.error };
  const { isTimeout, isLimited, ...notes } = end.value;
  return { reason: isTimeout ? "timeout" : isLimited ? "limit" : "done", ...notes };
};

/** Lines that match and lines of context. */
const countAllLines = (files: readonly CodeSearchFile[]): number =>
  files.reduce((sum, { lines, context = [] }) => sum + lines.length + context.length, 0);

/** Publishes the first files at once, later ones together. Publishes nothing while it is paused or after `close`. */
function makeBatches(publish: (results: CodeSearchResults) => void) {
  let all: readonly CodeSearchFile[] = [];
  let waiting: CodeSearchFile[] = [];
  let end: CodeSearchEnd | null = null;
  let ended: CodeSearchEnd | null = null;
  let isPaused = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  /** Called when what waits was published. */
  let whenPublished: (() => void)[] = [];
  const continueSearch = (): void => {
    for (const call of whenPublished) call();
    whenPublished = [];
  };
  const flush = (): void => {
    timer = undefined;
    if (isPaused || isClosed || (waiting.length === 0 && end === ended)) return;
    const from = countLines(all);
    const files = waiting;
    all = [...all, ...files];
    waiting = [];
    ended = end;
    continueSearch();
    timer = setTimeout(flush, batchMs);
    publish({ from, files, end });
  };
  return {
    async add(files: readonly CodeSearchFile[]): Promise<void> {
      waiting.push(...files);
      if (timer === undefined) flush();
      if (!isClosed && countAllLines(waiting) > maxBatchLines)
        await new Promise<void>((resolve) => whenPublished.push(resolve));
    },
    /** Publishes how the search ended. */
    end(result: CodeSearchEnd): void {
      end = result;
      flush();
    },
    published: (): CodeSearchResults => ({ from: 0, files: all, end: ended }),
    setPaused(paused: boolean): void {
      isPaused = paused;
      if (!paused && timer === undefined) flush();
    },
    close(): void {
      isClosed = true;
      clearTimeout(timer);
      continueSearch();
    },
  };
}
