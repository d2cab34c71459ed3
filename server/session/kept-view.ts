/**
 * The folded view of a long log, kept beside it, so that opening a session of any length folds only what is newer. Derived from the
 * log: it is used only when it was made by this very program, fits the log and every hash in it; otherwise the log is folded.
 * Used by load.ts (reading) and the registry (writing).
 */
import { chunksOf, each } from "@/lib/chunks";
import type { SessionId } from "@/lib/id";
import type { Entry, SessionView } from "@/lib/view";
import { hashOf } from "../base/id";
import type { EventStore } from "../store/events";
import type { ViewPartStore } from "../store/view-parts";

interface Parts {
  readonly events: Pick<EventStore, "read">;
  readonly viewParts: ViewPartStore;
}

/** Part 0. */
interface Head {
  /** The program that folded it: another one may fold otherwise. */
  readonly code: string;
  /** Of the event at `state.seq`, as the log has it. */
  readonly tip: string;
  /** Of the parts of the entries, in order. */
  readonly hashes: readonly string[];
  readonly state: Omit<SessionView, "entries">;
}

/** Entries and UTF-16 code units of one part at most: read, parsed and written in one step of the event loop. */
const partEntries = 512;
const partChars = 256_000;

/** Nothing is open that lives in memory alone. */
export const canBeKept = (view: SessionView): boolean =>
  view.run === null &&
  view.openCompaction === null &&
  view.phase === null &&
  !view.stale &&
  Object.keys(view.openMessages).length === 0 &&
  Object.keys(view.openCalls).length === 0;

/** Writes the view a part a step, the head last: a kill between leaves a head whose hashes do not fit. Throws StoreError. */
export function* keeping(view: SessionView, { events, viewParts }: Parts, code: string): Generator<undefined, void> {
  const { entries, ...state } = view;
  const { sessionId } = view;
  const hashes: string[] = [];
  for (const body of partsOf(entries)) {
    const hash = hashOf(body);
    hashes.push(hash);
    // Most of a conversation never changes again.
    if (viewParts.hash(sessionId, hashes.length) !== hash) viewParts.write(sessionId, hashes.length, { hash, body });
    yield;
  }
  const tip = tipOf(events, sessionId, view.seq);
  if (tip === null) return;
  const head: Head = { code, tip, hashes, state };
  const body = JSON.stringify(head);
  viewParts.write(sessionId, 0, { hash: hashOf(body), body });
}

/** One line of JSON an entry, in parts within both bounds; a line that is longer than a part is spread over several. */
function* partsOf(entries: SessionView["entries"]): Generator<string, void> {
  let part = "";
  let count = 0;
  for (const entry of each(entries)) {
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

/** The store keeps no half of a surrogate pair. */
const wholeCharacterEnd = (text: string, end: number): number =>
  /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;

/** The kept view, a part a step; null = there is none that fits. Throws StoreError. */
export function* keptView(
  id: SessionId,
  { events, viewParts }: Parts,
  code: string,
): Generator<undefined, SessionView | null> {
  const head = headOf({ viewParts }, id);
  if (head === null || head.code !== code || tipOf(events, id, head.state.seq) !== head.tip) return null;
  const entries: Entry[] = [];
  /** The beginning of a line that continues in the next part. */
  let begun = "";
  for (const [index, hash] of head.hashes.entries()) {
    yield;
    const part = viewParts.read(id, index + 1);
    if (part === undefined || hashOf(part.body) !== hash) return null;
    const lines = (begun + part.body).split("\n");
    begun = lines.pop() ?? "";
    for (const line of lines) {
      const entry: Entry = JSON.parse(line);
      entries.push(entry);
    }
  }
  return begun === "" ? { ...head.state, entries: chunksOf(entries) } : null;
}

/** The last event in the kept view; 0 = there is none. Throws StoreError. */
export const keptSeq = (id: SessionId, store: Parts, code: string): number => {
  const head = headOf(store, id);
  return head === null || head.code !== code ? 0 : head.state.seq;
};

function headOf({ viewParts }: Pick<Parts, "viewParts">, id: SessionId): Head | null {
  const part = viewParts.read(id, 0);
  if (part === undefined || hashOf(part.body) !== part.hash) return null;
  const head: Head = JSON.parse(part.body);
  return head;
}

function tipOf(events: Parts["events"], id: SessionId, seq: number): string | null {
  const [row] = events.read(id, { afterSeq: seq - 1, limit: 1 });
  return row?.seq === seq ? hashOf(JSON.stringify([row.at, row.event])) : null;
}
