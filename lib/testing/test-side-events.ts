/** Random events that are valid at any time of a session: its title, mode, pins, model and waiting messages. */
import type { DurableEvent } from "../events/event";
import { asId, type BlobId, type CommandId, type QueuedId } from "../events/id";

/** Returns one of them; `pick(n)` returns the next choice, 0 to n - 1, and `fresh` a number that no other id has. */
export function pickSideEvent(pick: (below: number) => number, fresh: () => number): DurableEvent {
  switch (pick(4)) {
    case 0:
      return pick(3) === 0
        ? { type: "session_update", pins: [...new Set([pick(3), pick(9)])].map((name) => ({ path: `${name}.ts` })) }
        : { type: "session_update", title: `title ${pick(9)}` };
    case 1:
      return { type: "session_update", mode: (["ask", "edits", "plan"] as const)[pick(3)] ?? "ask" };
    case 2:
      return {
        type: "queue_change",
        queued: Array.from({ length: pick(3) }, () => ({
          id: asId<QueuedId>(`q${fresh()}`),
          commandId: asId<CommandId>(`k${fresh()}`),
          intent: "steer",
          text: "later",
          at: 1,
        })),
      };
    default:
      return {
        type: "model_change",
        provider: "ollama",
        model: `model${pick(3)}`,
        toolMode: "native",
        numCtx: 4096,
        think: false,
        profile: "default",
        prompt: asId<BlobId>("b1"),
      };
  }
}
