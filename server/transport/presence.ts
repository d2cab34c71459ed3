/** Which clients are here. A tab that connects again is here twice until its dead connection is noticed. Used by socket. */
import type { ClientId } from "@/lib/id";

export interface Presence {
  came(id: ClientId): void;
  /** true = that was its last connection: the client has gone. */
  left(id: ClientId): boolean;
}

export function makePresence(): Presence {
  const connections = new Map<ClientId, number>();
  return {
    came: (id) => void connections.set(id, (connections.get(id) ?? 0) + 1),
    left(id) {
      const others = (connections.get(id) ?? 1) - 1;
      if (others > 0) connections.set(id, others);
      else connections.delete(id);
      return others === 0;
    },
  };
}
