/** Polls the servers of local Ollama connections while a client displays them. */
import type { Live } from "./live-connection";

export interface WatchedConnections {
  /** Polls the servers until every returned function has been called. */
  watch(): () => void;
  /** To be called after connections were added, replaced or removed. */
  follow(): void;
}

/** Servers on the internet are queried only when their list is needed. */
export function watchedConnections(all: ReadonlyMap<string, Live>): WatchedConnections {
  const stops = new Map<Live, () => void>();
  let watchers = 0;
  function follow(): void {
    const wanted = new Set(watchers === 0 ? [] : [...all.values()].filter((live) => live.told().local));
    for (const [live, stop] of [...stops]) {
      if (wanted.has(live)) continue;
      stops.delete(live);
      stop();
    }
    for (const live of wanted) if (live.ollama !== undefined && !stops.has(live)) stops.set(live, live.ollama.watch());
  }
  return {
    follow,
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
