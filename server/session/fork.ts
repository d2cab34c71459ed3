/** A new session that begins as another one was at a border. Copies its rows, with their seqs; used by the registry. */
import type { DurableEvent } from "@/lib/event";
import { foldLog } from "@/lib/fold";
import type { SessionId } from "@/lib/id";
import { emptyView, type SessionView } from "@/lib/view";
import { closeOutside, closeRun } from "../agent/ends";
import { viewWith } from "./load";
import { statusOf } from "./row";
import type { SessionServices } from "./services";

/**
 * Its log: rows 1 to `atSeq` of the parent, where it comes from, the ends of what was open there, an empty queue, mode Ask.
 * At 0 nothing is copied but the project, the folder and the model. `atSeq` is a border. Throws StoreError.
 */
export function forked(
  { store, now }: Pick<SessionServices, "store" | "now">,
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
  const events = beginning(copied, parent, atSeq);
  const view = viewWith(copied, at, events);
  const { title, mode, added, removed, projectId, cwd } = view;
  store.events.fork({
    from: parent.sessionId,
    upTo: atSeq,
    session: {
      id,
      projectId,
      cwd,
      title,
      status: statusOf(view),
      mode,
      model: view.model?.model ?? "",
      createdAt: at,
      updatedAt: at,
      added,
      removed,
    },
    rows: events.map((event, index) => ({ seq: atSeq + 1 + index, at, event })),
  });
  return view;
}

function beginning(copied: SessionView, parent: SessionView, atSeq: number): readonly DurableEvent[] {
  const how = { reason: "interrupted" as const };
  const { title } = parent;
  return [
    ...(atSeq === 0 ? fromNothing(parent) : []),
    { type: "session_fork", parentId: parent.sessionId, atSeq },
    ...closeRun(copied, how),
    ...closeOutside(copied, how),
    { type: "queue_change", queued: [] },
    { type: "session_update", mode: "ask", ...(title === "" ? {} : { title }) },
  ];
}

function fromNothing({ projectId, cwd, model }: SessionView): readonly DurableEvent[] {
  return [
    { type: "session_start", projectId, cwd },
    ...(model === null ? [] : [{ type: "model_change" as const, ...model }]),
  ];
}
