/**
 * Cache of the folded view of a long log, so that opening a session of any length folds only newer events. Used only
 * when it was written by the same program and matches the log and all hashes; otherwise the log is folded.
 */
import { toChunks, iterate } from "@/lib/view/chunks";
import type { SessionId } from "@/lib/events/id";
import type { Entry, SessionView } from "@/lib/view/view";
import { computeHash } from "@/server/base/id";
import type { EventStore } from "@/server/store/sessions/events";
import type { ViewPartStore } from "@/server/store/sessions/view-parts";

interface CachedViewStores {
  readonly events: Pick<EventStore, "read">;
  readonly viewParts: ViewPartStore;
}

/** Part 0. */
interface CacheHead {
  /** Hash of the program that folded it: another one may fold differently. */
  readonly code: string;
  /** Hash of the event at `state.seq` in the log. */
  readonly tip: string;
  /** Hashes of the parts of the entries, in order. */
  readonly hashes: readonly string[];
  readonly state: Omit<SessionView, "entries">;
}

/** Most entries and UTF-16 code units of a part: it is read, parsed and written in one step of the event loop. */
const partEntries = 512;
const partChars = 256_000;

/** True when nothing open exists only in memory. */
export const isCacheable = (view: SessionView): boolean =>
  view.run === null &&
  view.openCompaction === null &&
  view.phase === null &&
  !view.stale &&
  Object.keys(view.openMessages).length === 0 &&
  Object.keys(view.openCalls).length === 0;

/**
 * Writes the view one part per step, the head last: after a kill in between, the hashes of the old head do not match.
 * Throws StoreError.
 */
export function* cacheViewSteps(
  view: SessionView,
  { events, viewParts }: CachedViewStores,
  code: string,
): Generator<undefined, void> {
  const { entries, ...state } = view;
  const { sessionId } = view;
  const hashes: string[] = [];
  for (const body of splitIntoParts(entries)) {
    const hash = computeHash(body);
    hashes.push(hash);
    // Most of a conversation never changes again.
    if (viewParts.hash(sessionId, hashes.length) !== hash) viewParts.write(sessionId, hashes.length, { hash, body });
    yield;
  }
  const tip = hashEventAt(events, sessionId, view.seq);
  if (tip === null) return;
  const head: CacheHead = { code, tip, hashes, state };
  const body = JSON.stringify(head);
  viewParts.write(sessionId, 0, { hash: computeHash(body), body });
}

/** One line of JSON per entry, in parts within both limits; a line longer than a part spans several. */
function* splitIntoParts(entries: SessionView["entries"]): Generator<string, void> {
  let part = "";
  let count = 0;
  for (const entry of iterate(entries)) {
    const line = `${JSON.stringify(entry)}\n`;
    if (count === partEntries || (part !== "" && part.length + line.length > partChars)) {
      yield part;
      part = "";
      count = 0;
    }
    let from = 0;
    while (line.length - from > partChars) {
      const end = wholeCharacterEnd(line, from + partChars);
      yield line.slice(from, end);
      from = end;
    }
    part += line.slice(from);
    count += 1;
  }
  if (part !== "") yield part;
}

/** The store cannot hold half of a surrogate pair. */
const wholeCharacterEnd = (text: string, end: number): number =>
  /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;

/** Reads the cached view one part per step; null = none matches. Throws StoreError. */
export function* readCachedView(
  id: SessionId,
  { events, viewParts }: CachedViewStores,
  code: string,
): Generator<undefined, SessionView | null> {
  const head = readCacheHead({ viewParts }, id);
  if (head === null || head.code !== code || hashEventAt(events, id, head.state.seq) !== head.tip) return null;
  const entries: Entry[] = [];
  /** Beginning of a line that continues in the next part. */
  let begun = "";
  for (const [index, hash] of head.hashes.entries()) {
    yield;
    const part = viewParts.read(id, index + 1);
    if (part === undefined || computeHash(part.body) !== hash) return null;
    const lines = (begun + part.body).split("\n");
    begun = lines.pop() ?? "";
    for (const line of lines) {
      const entry: Entry = JSON.parse(line);
      entries.push(entry);
    }
  }
  return begun === "" ? { ...head.state, entries: toChunks(entries) } : null;
}

/** Seq of the last event in the cached view; 0 = none. Throws StoreError. */
export const cachedSeq = (id: SessionId, store: CachedViewStores, code: string): number => {
  const head = readCacheHead(store, id);
  return head === null || head.code !== code ? 0 : head.state.seq;
};

function readCacheHead({ viewParts }: Pick<CachedViewStores, "viewParts">, id: SessionId): CacheHead | null {
  const part = viewParts.read(id, 0);
  if (part === undefined || computeHash(part.body) !== part.hash) return null;
  const head: CacheHead = JSON.parse(part.body);
  return head;
}

function hashEventAt(events: CachedViewStores["events"], id: SessionId, seq: number): string | null {
  const [row] = events.read(id, { afterSeq: seq - 1, limit: 1 });
  return row?.seq === seq ? computeHash(JSON.stringify([row.at, row.event])) : null;
}
