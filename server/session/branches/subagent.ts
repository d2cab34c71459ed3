/** Creates the session of a subagent: the parent's project, folder, model and stored prompt, and no messages. */
import type { DurableEvent, ParentCall } from "@/lib/events/event";
import type { SessionId } from "@/lib/events/id";
import type { Mode } from "@/lib/permissions/policy";
import type { SessionView } from "@/lib/view/view";
import type { ContextBlock } from "@/server/agent/context/context-source";
import { cachedHeadInForce, contextEntries } from "@/server/agent/context/compile";
import { viewOfEvents } from "../loading/load";
import type { SessionServices } from "../core/services";

/** Throws StoreError, also for a parent that is not stored. */
export function createSubagent(
  { store, now }: Pick<SessionServices, "store" | "now">,
  { projectId, cwd, model }: SessionView,
  call: ParentCall,
  mode: Mode,
  id: SessionId,
): SessionView {
  const createdAt = now();
  const events: readonly DurableEvent[] = [
    { type: "session_start", projectId, cwd, parent: call },
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
      createdAt,
      updatedAt: createdAt,
      added: 0,
      removed: 0,
      parent: call,
    },
    rows: events.map((event, index) => ({ seq: index + 1, at: createdAt, event })),
  });
  return viewOfEvents(id, createdAt, events);
}

/** Topics of the blocks at the start of a session that are the same for its subagents. */
const sharedTopics: ReadonlySet<ContextBlock["topic"]> = new Set(["toolbox", "owner", "memory", "project", "tree"]);

/**
 * The blocks with which the session's requests begin now, up to the first one that belongs to this session alone. A session
 * whose first message begins with the same blocks shares the start of its requests with this one, byte for byte.
 */
export function startBlocks(view: SessionView): readonly ContextBlock[] {
  const blocks = cachedHeadInForce(view)?.head ?? contextEntries(view).entries[0]?.blocks ?? [];
  const shared: ContextBlock[] = [];
  for (const block of blocks) {
    if (block.type !== "context" || !sharedTopics.has(block.topic)) break;
    shared.push(block);
  }
  return shared;
}
