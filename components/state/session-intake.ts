/**
 * Merges envelopes and snapshots into the view of one open session. Pure. In any order of arrival, the view equals
 * the fold of the durable log.
 */
import { each } from "@/lib/chunks";
import type { Envelope } from "@/lib/event";
import { fold } from "@/lib/fold";
import { type SessionSnapshot, viewOf, withPage } from "@/lib/snapshot";
import type { Entry, SessionView } from "@/lib/view";

export interface Intake {
  readonly view: SessionView | null;
  /** A snapshot is pending: envelopes are buffered meanwhile. */
  readonly opening: boolean;
  readonly waiting: readonly Envelope[];
}

export const emptyIntake: Intake = { view: null, opening: false, waiting: [] };

/** Starts waiting for a snapshot. Buffered envelopes of an earlier attempt stay: the fold ignores old ones. */
export const beginOpening = (intake: Intake): Intake => ({ ...intake, opening: true });

/** Takes envelopes in order of arrival. */
export function receive(intake: Intake, envelopes: readonly Envelope[]): Intake {
  if (intake.opening || intake.view === null) return { ...intake, waiting: [...intake.waiting, ...envelopes] };
  const view = envelopes.reduce(fold, intake.view);
  return view === intake.view ? intake : { ...intake, view };
}

/** Takes the snapshot. The view may be stale at once if envelopes between it and the buffered ones are missing. */
export function takeSnapshot(intake: Intake, snapshot: SessionSnapshot): Intake {
  const opened = keepOlder(intake.view, viewOf(snapshot));
  return { view: intake.waiting.reduce(fold, opened), opening: false, waiting: [] };
}

/** Ends a failed attempt and clears the buffer, which would otherwise grow. */
export const failOpening = (intake: Intake): Intake => ({ ...intake, opening: false, waiting: [] });

/**
 * Keeps the pages that a reader had loaded before the session was reopened: only on the same path, without a gap, and
 * only ended entries; the rest comes from the snapshot.
 */
function keepOlder(before: SessionView | null, next: SessionView): SessionView {
  if (before === null || next.heldFrom === 0 || before.heldFrom >= next.heldFrom) return next;
  if (before.seq < next.heldFrom || before.rewound || next.rewound) return next;
  if (JSON.stringify(before.segments) !== JSON.stringify(next.segments)) return next;
  const older = [...each(before.entries)].filter((entry) => entry.seq < next.heldFrom);
  if (!older.every(isClosed)) return next;
  return withPage(next, { entries: older, heldFrom: before.heldFrom });
}

function isClosed(entry: Entry): boolean {
  if (entry.kind === "compaction") return entry.state !== "running";
  if (entry.kind !== "message") return true;
  return (
    entry.stop !== undefined &&
    entry.calls.every((call) => call.state !== "queued" && call.state !== "waiting" && call.state !== "running")
  );
}
