/** Creates a session that starts as another one was at a border. Copies its rows with their seqs (invariant I5). */
import type { DurableEvent } from "@/lib/events/event";
import { foldLog } from "@/lib/view/fold";
import type { SessionId } from "@/lib/events/id";
import { emptyView, type SessionView } from "@/lib/view/view";
import { closeCompactionOutsideRun, closeRun } from "@/server/agent/loop/close-run";
import { appendToView } from "../loading/load";
import { planProgress, sessionStatus } from "../core/session-row";
import type { SessionServices } from "../core/services";

/**
 * Log of the fork: rows 1 to `atSeq` of the parent, the fork's origin, events that end its open runs and calls, an
 * empty queue, mode Ask. At 0 only the project, the folder and the model are copied. `atSeq` is a border. Throws StoreError.
 */
export function forkSession(
  { store, now }: SessionServices,
  parent: SessionView,
  atSeq: number,
  id: SessionId,
): SessionView {
  const at = now();
  const copied = foldLog(
    emptyView(id),
    (atSeq === 0 ? [] : store.events.read(parent.sessionId, { limit: atSeq })).map((row) => ({
      v: 1,
      sessionId: id,
      seq: row.seq,
      at: row.at,
      event: row.event,
    })),
  );
  const { begun, ends, reset } = buildForkEvents(copied, parent, atSeq);
  // Open entries ended at the border, not at the time of the copy: the parent's run did not continue until now.
  const endedAt = copied.seq === 0 ? at : copied.updatedAt;
  const stamped = [
    ...begun.map((event) => ({ at, event })),
    ...ends.map((event) => ({ at: endedAt, event })),
    ...reset.map((event) => ({ at, event })),
  ];
  const view = stamped.reduce((now, row) => appendToView(now, row.at, [row.event]), copied);
  const { title, mode, added, removed, projectId, cwd } = view;
  const plan = planProgress(view);
  store.events.fork({
    from: parent.sessionId,
    upTo: atSeq,
    session: {
      id,
      projectId,
      cwd,
      title,
      status: sessionStatus(view),
      mode,
      model: view.model?.model ?? "",
      createdAt: at,
      updatedAt: at,
      added,
      removed,
      ...(plan !== null && { plan }),
    },
    rows: stamped.map((row, index) => ({ seq: atSeq + 1 + index, ...row })),
  });
  return view;
}

interface ForkEvents {
  readonly begun: readonly DurableEvent[];
  /** Ends of entries that were open at the border. */
  readonly ends: readonly DurableEvent[];
  readonly reset: readonly DurableEvent[];
}

function buildForkEvents(copied: SessionView, parent: SessionView, atSeq: number): ForkEvents {
  const interruption = { reason: "interrupted" as const };
  const { title } = parent;
  return {
    begun: [...(atSeq === 0 ? initialEvents(parent) : []), { type: "session_fork", parentId: parent.sessionId, atSeq }],
    ends: [...closeRun(copied, interruption), ...closeCompactionOutsideRun(copied, interruption)],
    reset: [
      { type: "queue_change", queued: [] },
      { type: "session_update", mode: "ask", ...(title === "" ? {} : { title }) },
    ],
  };
}

function initialEvents({ projectId, cwd, model }: SessionView): readonly DurableEvent[] {
  return [
    { type: "session_start", projectId, cwd },
    ...(model === null ? [] : [{ type: "model_change" as const, ...model }]),
  ];
}
