/** Pushes changed rows of the session list to all clients. */
import { isDurable } from "@/lib/events/event";
import type { SessionId } from "@/lib/events/id";
import type { Push } from "@/lib/protocol/push";
import type { Store } from "@/server/store/open-store";
import type { Registry } from "./registry";

/** Pushes the list rows of sessions whose status, title or figures changed; a changed time alone is not pushed. */
export function pushSessionRows(
  registry: Pick<Registry, "subscribe">,
  { sessions }: Pick<Store, "sessions">,
  push: (push: Push) => void,
): void {
  const pushed = new Map<SessionId, string>();
  registry.subscribe((envelope) => {
    const row = isDurable(envelope) ? sessions.get(envelope.sessionId) : undefined;
    if (row === undefined) return;
    const { updatedAt: _updatedAt, lastSeq: _lastSeq, ...shown } = row;
    const text = JSON.stringify(shown);
    if (pushed.get(row.id) === text) return;
    pushed.set(row.id, text);
    push({ type: "session_row", row });
  });
}
