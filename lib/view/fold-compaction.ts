/** Fold of the events of a compaction: one entry per compaction, and one per edited summary. */
import { at, type Chunks, indexOfSeq, push, replace } from "./chunks";
import type { DurableEvent } from "../events/event";
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
          why: event.why,
          focus: event.focus,
        }),
      };
    case "compaction_end": {
      const { type: _type, ...end } = event;
      return closeCompactionAs(view, { state: "done", ...end });
    }
    case "compaction_update": {
      const { type: _type, ...update } = event;
      return { ...view, entries: push<Entry>(view.entries, { kind: "compaction_update", seq, at: now, ...update }) };
    }
  }
}

type Compaction = Extract<Entry, { kind: "compaction" }>;

/** Marks the open compaction as failed (on error, turn_start and agent_end); a later compaction_end is ignored. */
export const closeCompaction = (view: SessionView): SessionView => closeCompactionAs(view, { state: "failed" });

function closeCompactionAs(view: SessionView, end: Partial<Compaction> & Pick<Compaction, "state">): SessionView {
  if (view.openCompaction === null) return view;
  const index = indexOfSeq(view.entries, view.openCompaction);
  const entry = at(view.entries, index);
  const entries: Chunks<Entry> =
    entry?.kind === "compaction" ? replace<Entry>(view.entries, index, { ...entry, ...end }) : view.entries;
  return { ...view, openCompaction: null, entries };
}
