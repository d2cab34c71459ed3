/** Connected clients. A tab that reconnects counts twice until its dead connection is detected. */
import type { ClientId } from "@/lib/events/id";

interface Presence {
  connected(id: ClientId): void;
  /** true = that was its last connection. */
  disconnected(id: ClientId): boolean;
}

export function makePresence(): Presence {
  const connections = new Map<ClientId, number>();
  return {
    connected: (id) => void connections.set(id, (connections.get(id) ?? 0) + 1),
    disconnected(id) {
      const remaining = (connections.get(id) ?? 1) - 1;
      if (remaining > 0) connections.set(id, remaining);
      else connections.delete(id);
      return remaining === 0;
    },
  };
}
