/**
 * How envelopes and snapshots become the view of one open session. Pure. Whatever the order in which they arrive,
 * the view is the fold of the durable log. Used by session-store.ts.
 */
import { each } from "@/lib/chunks";
import type { Envelope } from "@/lib/event";
import { fold } from "@/lib/fold";
import { type SessionSnapshot, viewOf, withPage } from "@/lib/snapshot";
import type { Entry, SessionView } from "@/lib/view";

export interface Intake {
  readonly view: SessionView | null;
  /** A snapshot is asked for: what arrives meanwhile waits for it. */
  readonly opening: boolean;
  readonly waiting: readonly Envelope[];
}

export const emptyIntake: Intake = { view: null, opening: false, waiting: [] };

/** A snapshot was asked for. Envelopes that wait from an earlier try stay: the fold drops what is old. */
export const beginOpening = (intake: Intake): Intake => ({ ...intake, opening: true });

/** Envelopes in the order they came. */
export function receive(intake: Intake, envelopes: readonly Envelope[]): Intake {
  if (intake.opening || intake.view === null) return { ...intake, waiting: [...intake.waiting, ...envelopes] };
  const view = envelopes.reduce(fold, intake.view);
  return view === intake.view ? intake : { ...intake, view };
}

/** The snapshot is here. The view may be stale at once, when something between it and what waited is missing. */
export function takeSnapshot(intake: Intake, snapshot: SessionSnapshot): Intake {
  const opened = keepOlder(intake.view, viewOf(snapshot));
  return { view: intake.waiting.reduce(fold, opened), opening: false, waiting: [] };
}

/** Opening failed. What waited would only grow. */
export const failOpening = (intake: Intake): Intake => ({ ...intake, opening: false, waiting: [] });

/**
 * A reader who has scrolled back keeps the pages already loaded when the session is opened anew. Only on the same
 * path, without a hole, and only what was closed: the rest comes from the snapshot.
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
