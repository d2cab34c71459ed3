/** Events of a prompt's options, before its run starts. */
import { fail, ok, type Result } from "@/lib/events/error";
import type { DurableEvent } from "@/lib/events/event";
import type { SessionView } from "@/lib/view/view";
import { modelChange } from "./model-change";
import { removeQueued } from "./queue";
import type { SendOptions, SessionServices } from "./services";

/** `back` returns the rewind to a border. Fails with its codes, those of `modelChange`, and gone. */
export function promptEvents(
  { rewindTo, model, queuedId }: Pick<SendOptions, "rewindTo" | "model" | "queuedId">,
  view: SessionView,
  services: SessionServices,
  back: (toSeq: number) => Result<DurableEvent>,
): Result<readonly DurableEvent[]> {
  const events: DurableEvent[] = [];
  if (rewindTo !== undefined) {
    const rewind = back(rewindTo);
    if (!rewind.ok) return rewind;
    events.push(rewind.value);
  }
  if (model !== undefined) {
    const change = modelChange(
      services,
      view.model === null ? model : { ...model, current: view.model },
      view.projectId,
    );
    if (!change.ok) return change;
    events.push(change.value);
  }
  if (queuedId !== undefined) {
    const queue = removeQueued(view, queuedId);
    if (queue === null) return fail("gone");
    events.push(queue);
  }
  return ok(events);
}
