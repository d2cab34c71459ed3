/**
 * Makes the messages about a session: a snapshot with state and newest path entries, then pages of older entries. Used
 * alike for join, reload and reconnect; `view-from-snapshot.ts` makes a view of it again.
 */
import { at, iterateBackward, indexOfSeq } from "./chunks";
import { type Block, joinTextBlocks } from "../events/content";
import { isCommandKind } from "../events/tool-presentations";
import { pickFailureLines, shownFailureLines } from "../text/failure-lines";
import type { WorkflowEntry } from "../workflows/workflow-events";
import {
  type CallView,
  type Entry,
  type MessageEntry,
  pathEntriesBackward,
  isOnCurrentPath,
  type SessionView,
} from "./view";

/** Entries of a view that is opened. */
const openEntries = 200;
/** Entries of a page of earlier entries. */
const pageEntries = 200;
/** Output of a call that is sent with its entry, UTF-16 units. */
export const inlineOutputChars = 2_048;

/** JSON form of a view: entries as an array, outputs truncated to `inlineOutputChars`. */
export type SessionSnapshot = Omit<SessionView, "entries" | "stale" | "windowed"> & {
  readonly entries: readonly Entry[];
};

export interface SessionPage {
  readonly entries: readonly Entry[];
  /** New value of `holdOffset`; 0 = no older entries. */
  readonly heldFrom: number;
}

/** Returns the newest entries of the path, the open entries however old, and the effective compaction. */
export function createSessionSnapshot(view: SessionView, maxEntries: number = openEntries): SessionSnapshot {
  const { entries: _entries, stale: _stale, windowed: _windowed, ...state } = view;
  const { newestEntries, heldFrom } = takeNewest(pathEntriesBackward(view), maxEntries);
  const open = openSeqs(view);
  const head = activeCompaction(view);
  if (head !== null) open.add(head.seq);
  for (const entry of newestEntries) open.delete(entry.seq);
  const older = [...open]
    .toSorted((a, b) => a - b)
    .flatMap((seq) => at(view.entries, indexOfSeq(view.entries, seq)) ?? []);
  return {
    ...state,
    workflow: state.workflow.map(truncateStepOutput),
    heldFrom,
    entries: [...older, ...newestEntries].map(truncateOutputs),
  };
}

/**
 * Returns ancestors of the entry at `before`, independent of `newest`. Open entries are omitted, since every client
 * already has them.
 */
export function pageBefore(view: SessionView, before: number, maxEntries: number = pageEntries): SessionPage {
  const { newestEntries, heldFrom } = takeNewest(ancestors(view, before), maxEntries);
  const open = openSeqs(view);
  return { heldFrom, entries: newestEntries.filter((entry) => !open.has(entry.seq)).map(truncateOutputs) };
}

function* ancestors(view: SessionView, before: number): Generator<Entry> {
  for (const entry of pathEntriesBackward(view, before)) if (entry.seq < before) yield entry;
}

const openSeqs = (view: SessionView): Set<number> =>
  new Set([
    ...Object.values(view.openMessages),
    ...Object.values(view.openCalls),
    ...(view.openCompaction === null ? [] : [view.openCompaction]),
  ]);

function takeNewest(
  back: Iterable<Entry>,
  max: number,
): { readonly newestEntries: readonly Entry[]; readonly heldFrom: number } {
  const newestEntries: Entry[] = [];
  let more = false;
  for (const entry of back) {
    if (newestEntries.length === max) {
      more = true;
      break;
    }
    newestEntries.push(entry);
  }
  newestEntries.reverse();
  return { newestEntries, heldFrom: more ? (newestEntries[0]?.seq ?? 0) : 0 };
}

type ContextStart = Extract<Entry, { kind: "compaction" | "compaction_update" }>;

const isContextStart = (entry: Entry): entry is ContextStart =>
  entry.kind === "compaction_update" || (entry.kind === "compaction" && entry.state === "done");

/** Returns the compaction entry at which the model's context starts; null = at the beginning. */
export function activeCompaction(view: SessionView): ContextStart | null {
  for (const entry of iterateBackward(view.entries))
    if (isContextStart(entry) && isOnCurrentPath(view, entry.seq)) return entry;
  return null;
}

const truncateStepOutput = (entry: WorkflowEntry): WorkflowEntry =>
  entry.type === "step_end" && entry.output.length > inlineOutputChars
    ? { ...entry, output: entry.output.slice(0, inlineOutputChars) }
    : entry;

const truncateOutputs = (entry: Entry): Entry =>
  entry.kind === "message" && entry.calls.length > 0 ? truncateCallOutputs(entry) : entry;

const truncateCallOutputs = (entry: MessageEntry): Entry => ({ ...entry, calls: entry.calls.map(truncateCallOutput) });

/** Truncates long outputs; `outputChars` and `failureLines` are then set. */
function truncateCallOutput(call: CallView): CallView {
  const length = call.output === undefined ? 0 : textLength(call.output);
  if (call.output === undefined || length <= inlineOutputChars) return call;
  let charsLeft: number = inlineOutputChars;
  const output = call.output.flatMap((block): readonly Block[] => {
    if (block.type !== "text") return [block];
    const text = block.text.slice(0, charsLeft);
    charsLeft -= text.length;
    return text === "" ? [] : [{ type: "text", text }];
  });
  const isFailure = isCommandKind(call.kind) && call.facts.exit !== 0;
  const lines = isFailure ? pickFailureLines(joinTextBlocks(call.output), shownFailureLines) : "";
  return {
    ...call,
    output,
    outputChars: length,
    ...(isFailure ? { failureLines: lines.slice(0, inlineOutputChars) } : {}),
  };
}

const textLength = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, block) => sum + (block.type === "text" ? block.text.length : 0), 0);
