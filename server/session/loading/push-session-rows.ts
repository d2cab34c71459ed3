/** Pushes changed rows of the session list to all clients. */
import { isDurable } from "@/lib/events/event";
import type { SessionId } from "@/lib/events/id";
import type { Push } from "@/lib/protocol/push";
import type { Store } from "@/server/store/open-store";
import type { Registry } from "./registry";

/**
 * Pushes the list rows of sessions whose status, title or figures changed, with those of their parents; a changed time alone
 * is not pushed.
 */
export function pushSessionRows(
  registry: Pick<Registry, "subscribe">,
  { sessions }: Pick<Store, "sessions">,
  push: (push: Push) => void,
): void {
  const pushed = new Map<SessionId, string>();
  const pushChanged = (id: SessionId): void => {
    const row = sessions.get(id);
    if (row === undefined) return;
    const { updatedAt: _updatedAt, lastSeq: _lastSeq, ...shown } = row;
    const text = JSON.stringify(shown);
    if (pushed.get(row.id) === text) return;
    pushed.set(row.id, text);
    push({ type: "session_row", row });
    if (row.parent !== undefined) pushChanged(row.parent.sessionId);
  };
  registry.subscribe((envelope) => {
    if (isDurable(envelope)) pushChanged(envelope.sessionId);
  });
}
