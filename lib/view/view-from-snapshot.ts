/** The view that a client makes of a snapshot and of pages of older entries. */
import { indexOfSeq, iterate, toChunks } from "./chunks";
import type { SessionPage, SessionSnapshot } from "./snapshot";
import type { SessionView } from "./view";

export const viewFromSnapshot = (snapshot: SessionSnapshot): SessionView => ({
  ...snapshot,
  entries: toChunks(snapshot.entries),
  stale: false,
  windowed: true,
});

/** Adds an older page to a client's view, skipping entries it already has. */
export function addOlderPage(view: SessionView, page: SessionPage): SessionView {
  const older = page.entries.filter((entry) => indexOfSeq(view.entries, entry.seq) < 0);
  const entries = [...older, ...iterate(view.entries)].sort((a, b) => a.seq - b.seq);
  return { ...view, entries: toChunks(entries), heldFrom: page.heldFrom };
}
