/** Search and statistics of all sessions, over an index that follows their logs. */
import { ok } from "@/lib/events/error";
import { isDurable } from "@/lib/events/event";
import { untilAborted } from "@/server/base/abort";
import type { HistoryStore } from "@/server/store/history/history";
import type { Feature, FeatureHost } from "../feature";
import { makeIndexer } from "./indexer";

const indexedShare = (history: HistoryStore): number => (history.isComplete() ? 1 : history.indexedShare());

/** The index waits while a session runs. */
export function historyFeature({ store, sessions, reportBug }: Pick<FeatureHost, "store" | "sessions" | "reportBug">) {
  const indexer = makeIndexer({
    open: store.history,
    isBusy: () => sessions.running().length > 0,
    reportBug: (error) => reportBug("history", error),
    startMs: 0,
  });
  return {
    commands: {
      "history.search": async (input) => {
        const history = await indexer.upToDateStore();
        return ok({ ...history.search(input), indexed: indexedShare(history) });
      },
      "history.statistics": async (input) => {
        const history = await indexer.upToDateStore();
        return ok({ ...history.statistics(input), indexed: indexedShare(history) });
      },
    },
    sessionListener: {
      event(envelope) {
        if (isDurable(envelope)) indexer.notifyLogChange();
      },
      row: indexer.notifyLogChange,
      removed: indexer.notifyLogChange,
    },
    async start(signal) {
      await untilAborted(signal);
      indexer.close();
    },
  } satisfies Feature;
}
