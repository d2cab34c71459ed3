/**
 * Merges envelopes and snapshots into the view of one open session. Pure. In any order of arrival, the view equals
 * the fold of the durable log.
 */
import { iterate } from "@/lib/view/chunks";
import type { Envelope } from "@/lib/events/event";
import { fold } from "@/lib/view/fold";
import type { SessionSnapshot } from "@/lib/view/snapshot";
import { addOlderPage, viewFromSnapshot } from "@/lib/view/view-from-snapshot";
import type { Entry, SessionView } from "@/lib/view/view";

export interface SessionIntake {
  readonly view: SessionView | null;
  /** A snapshot is pending: envelopes are buffered meanwhile. */
  readonly opening: boolean;
  readonly waiting: readonly Envelope[];
}

export const emptyIntake: SessionIntake = { view: null, opening: false, waiting: [] };

/** Starts waiting for a snapshot. Buffered envelopes of an earlier attempt stay: the fold ignores old ones. */
export const beginOpening = (intake: SessionIntake): SessionIntake => ({ ...intake, opening: true });

/** Takes envelopes in order of arrival. */
export function receiveEnvelopes(intake: SessionIntake, envelopes: readonly Envelope[]): SessionIntake {
  if (intake.opening || intake.view === null) return { ...intake, waiting: [...intake.waiting, ...envelopes] };
  const view = envelopes.reduce(fold, intake.view);
  return view === intake.view ? intake : { ...intake, view };
}

/** Takes the snapshot. The view may be stale at once if envelopes between it and the buffered ones are missing. */
export function takeSnapshot(intake: SessionIntake, snapshot: SessionSnapshot): SessionIntake {
  const opened = keepLoadedPages(intake.view, viewFromSnapshot(snapshot));
  return { view: intake.waiting.reduce(fold, opened), opening: false, waiting: [] };
}

/** Ends a failed attempt and clears the buffer, which would otherwise grow. */
export const failOpening = (intake: SessionIntake): SessionIntake => ({ ...intake, opening: false, waiting: [] });

/**
 * Keeps the pages that a reader had loaded before the session was reopened: only on the same path, without a gap, and
 * only ended entries; the rest comes from the snapshot.
 */
function keepLoadedPages(before: SessionView | null, next: SessionView): SessionView {
  if (before === null || next.heldFrom === 0 || before.heldFrom >= next.heldFrom) return next;
  if (before.seq < next.heldFrom || before.rewound || next.rewound) return next;
  if (JSON.stringify(before.segments) !== JSON.stringify(next.segments)) return next;
  const older = [...iterate(before.entries)].filter((entry) => entry.seq < next.heldFrom);
  if (!older.every(isClosed)) return next;
  return addOlderPage(next, { entries: older, heldFrom: before.heldFrom });
}

function isClosed(entry: Entry): boolean {
  if (entry.kind === "compaction") return entry.state !== "running";
  if (entry.kind !== "message") return true;
  return (
    entry.stop !== undefined &&
    entry.calls.every((call) => call.state !== "queued" && call.state !== "waiting" && call.state !== "running")
  );
}
