/** Polls the servers of local Ollama connections while a client displays them. */
import type { ManagedConnection } from "./connections/active-connection";

interface ConnectionPolling {
  /** Polls the servers until every returned function has been called. */
  watch(): () => void;
  /** To be called after connections were added, replaced or removed. */
  update(): void;
}

/** Servers on the internet are queried only when their list is needed. */
export function makeConnectionPolling(all: ReadonlyMap<string, ManagedConnection>): ConnectionPolling {
  const stops = new Map<ManagedConnection, () => void>();
  let watchers = 0;
  function follow(): void {
    const wanted = new Set(watchers === 0 ? [] : [...all.values()].filter((live) => live.toConnection().local));
    for (const [live, stop] of [...stops]) {
      if (wanted.has(live)) continue;
      stops.delete(live);
      stop();
    }
    for (const live of wanted) if (live.ollama !== undefined && !stops.has(live)) stops.set(live, live.ollama.watch());
  }
  return {
    update: follow,
    watch() {
      watchers += 1;
      follow();
      let isWatching = true;
      return () => {
        if (isWatching) watchers -= 1;
        isWatching = false;
        follow();
      };
    },
  };
}
