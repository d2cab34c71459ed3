"use client";
/** The session of a subagent while its call runs, and what the parent had to read again after it. */
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMemo, useSyncExternalStore } from "react";
import type { CallId, SessionId } from "@/lib/events/id";
import type { SessionRow } from "@/lib/protocol/session-row";
import { iterateBackward } from "@/lib/view/chunks";
import { type MessageEntry, pendingApprovals, type SessionView } from "@/lib/view/view";
import { useClient } from "../../state/client";
import { queries } from "../../state/queries";
import { mergeRows } from "../../state/session/session-lists";

/** The row of the subagent that a call has started; undefined = it has not started, or is deleted. */
export function useSubagentRow(parentId: SessionId, callId: CallId): SessionRow | undefined {
  const { data } = useInfiniteQuery(queries.sessions({ parentId }));
  return useMemo(() => mergeRows(data?.pages).find(({ parent }) => parent?.callId === callId), [data, callId]);
}

/** The view of a session that is shown inside the page of its parent; null = it is still loading. */
export function useSubagentView(id: SessionId, parentId: SessionId): SessionView | null {
  const client = useClient();
  const store = useMemo(() => {
    const opened = client.session(id);
    // The parent stays the session that was used last: its page is the one on screen.
    client.session(parentId);
    return opened;
  }, [client, id, parentId]);
  return useSyncExternalStore(
    store.subscribe,
    () => store.get().view,
    () => null,
  );
}

/** Whether a call of the session waits for an approval. */
export function useIsAsking(id: SessionId): boolean {
  const client = useClient();
  const store = useMemo(() => client.session(id), [client, id]);
  return useSyncExternalStore(
    store.subscribe,
    () => {
      const { view } = store.get();
      return view !== null && pendingApprovals(view).length > 0;
    },
    () => false,
  );
}

/**
 * Tokens that the model server read again in the parent's next request; null = there was none yet, or the server does not
 * report it.
 */
export function useReadAgain(parentId: SessionId, callId: CallId): number | null {
  const client = useClient();
  const store = useMemo(() => client.session(parentId), [client, parentId]);
  return useSyncExternalStore(
    store.subscribe,
    () => findReadAgain(store.get().view, callId),
    () => null,
  );
}

/** Exported for tests. */
export function findReadAgain(view: SessionView | null, callId: CallId): number | null {
  let next: MessageEntry | null = null;
  if (view === null) return null;
  for (const entry of iterateBackward(view.entries)) {
    if (entry.kind !== "message" || entry.role !== "assistant") continue;
    if (entry.calls.some((call) => call.callId === callId)) break;
    next = entry;
  }
  const { usage } = next ?? {};
  if (usage?.cachedTokens === undefined || usage.cachedAbout === true) return null;
  return Math.max(0, usage.promptTokens - usage.cachedTokens);
}
