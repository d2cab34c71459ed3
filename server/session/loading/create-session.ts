/** Writes a new session with its first events. */
import type { DurableEvent, ParentCall } from "@/lib/events/event";
import type { ProjectId, SessionId } from "@/lib/events/id";
import type { Mode } from "@/lib/permissions/policy";
import type { ModelState, SessionView } from "@/lib/view/view";
import type { SessionServices } from "../core/services";
import { viewOfEvents } from "./load";

interface NewSession {
  readonly id: SessionId;
  readonly projectId: ProjectId;
  readonly cwd: string;
  readonly mode: Mode;
  /** Null = the first message chooses one. */
  readonly model: ModelState | null;
  /** The call that starts a subagent. */
  readonly parent?: ParentCall;
}

/** Throws StoreError. */
export function createSession(
  { store, now }: SessionServices,
  { id, projectId, cwd, mode, model, ...parent }: NewSession,
): SessionView {
  const at = now();
  const events: readonly DurableEvent[] = [
    { type: "session_start", projectId, cwd, ...parent },
    { type: "session_update", mode },
    ...(model === null ? [] : [{ type: "model_change" as const, ...model }]),
  ];
  store.events.create({
    session: {
      id,
      projectId,
      cwd,
      title: "",
      status: "idle",
      mode,
      model: model?.model ?? "",
      createdAt: at,
      updatedAt: at,
      added: 0,
      removed: 0,
      ...parent,
    },
    rows: events.map((event, index) => ({ seq: index + 1, at, event })),
  });
  return viewOfEvents(id, at, events);
}
