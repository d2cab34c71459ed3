/** The part of the fold for compactions: one entry from its start to its end, however it ends. */
import { at, type Chunks, indexOfSeq, push, replace } from "./chunks";
import type { DurableEvent } from "./event";
import type { Entry, SessionView } from "./view";

type CompactionEvent = Extract<DurableEvent, { type: "compaction_start" | "compaction_end" | "compaction_update" }>;

export function foldCompaction(view: SessionView, event: CompactionEvent, seq: number, now: number): SessionView {
  switch (event.type) {
    case "compaction_start":
      return {
        ...view,
        openCompaction: seq,
        entries: push<Entry>(view.entries, {
          kind: "compaction",
          seq,
          at: now,
          state: "running",
          tokensBefore: event.tokensBefore,
          ...(event.why === undefined ? {} : { why: event.why }),
          ...(event.focus === undefined ? {} : { focus: event.focus }),
        }),
      };
    case "compaction_end": {
      const { type: _type, ...end } = event;
      return closeAs(view, { state: "done", ...end });
    }
    case "compaction_update": {
      const { type: _type, ...update } = event;
      return { ...view, entries: push<Entry>(view.entries, { kind: "compaction_update", seq, at: now, ...update }) };
    }
  }
}

type Compaction = Extract<Entry, { kind: "compaction" }>;

/** Closed is closed: error, the next turn_start and agent_end close an open compaction; a later end of it changes nothing. */
export const closeCompaction = (view: SessionView): SessionView => closeAs(view, { state: "failed" });

function closeAs(view: SessionView, end: Partial<Compaction> & Pick<Compaction, "state">): SessionView {
  if (view.openCompaction === null) return view;
  const index = indexOfSeq(view.entries, view.openCompaction);
  const entry = at(view.entries, index);
  const entries: Chunks<Entry> =
    entry?.kind === "compaction" ? replace<Entry>(view.entries, index, { ...entry, ...end }) : view.entries;
  return { ...view, openCompaction: null, entries };
}
