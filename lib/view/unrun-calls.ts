/** Calls in the newest answer's text that were not run, and about which the user can decide. */
import type { UnrunCall } from "../events/content";
import { isOutsideContext } from "../events/user-command";
import { type Entry, type MessageEntry, pathEntriesBackward, type SessionView } from "./view";

/** Returns the newest message of the conversation with the model; commands of the user and calls of a workflow do not count. */
export function findNewestMessage(newestFirst: Iterable<Entry>): MessageEntry | undefined {
  for (const entry of newestFirst) if (entry.kind === "message" && !isOutsideContext(entry)) return entry;
  return undefined;
}

/** Returns by the seq of their answers the calls that the user ran: the next answer of the path is such a call. */
export function findCallsRunByUser(entries: readonly Entry[]): ReadonlyMap<number, number> {
  const run = new Map<number, number>();
  let before: MessageEntry | undefined;
  for (const entry of entries) {
    if (entry.kind !== "message" || isOutsideContext(entry)) continue;
    const [block] = entry.blocks;
    if (before?.unrun !== undefined && block?.type === "call" && block.raw === "") {
      const text = JSON.stringify(block.input);
      const index = before.unrun.findIndex(({ name, input }) => name === block.name && JSON.stringify(input) === text);
      if (index >= 0) run.set(before.seq, index);
    }
    before = entry;
  }
  return run;
}

/**
 * Returns call `index` of the message at seq `messageSeq`; null = there is none, the user dismissed it, or the message is not
 * the newest one of the path, as after a decision to run a call of it.
 */
export function findUndecidedCall(view: SessionView, messageSeq: number, index: number): UnrunCall | null {
  const message = findNewestMessage(pathEntriesBackward(view));
  const call = message?.seq === messageSeq ? message.unrun?.[index] : undefined;
  return call === undefined || view.dismissedCalls[messageSeq]?.includes(index) === true ? null : call;
}
