/** Keeps the history index up to date with the logs of the sessions. */
import { isDurable } from "@/lib/events/event";
import type { Registry } from "@/server/session/loading/registry";
import type { Store } from "@/server/store/open-store";
import { type Indexer, makeIndexer } from "./indexer";

/** Notifies the history index of every durable event; the index waits while a session runs. */
export function makeSessionIndexer(
  store: Store,
  registry: Registry,
  reportBug: (name: string, error: unknown) => void,
): Indexer {
  const indexer = makeIndexer({
    open: store.history,
    isBusy: () => registry.running().length > 0,
    reportBug: (error) => reportBug("history", error),
  });
  registry.subscribe((envelope) => {
    if (isDurable(envelope)) indexer.notifyLogChange();
  });
  return indexer;
}
