"use client";
/** Find in the whole conversation: the server searches all of it; hits that are not loaded yet are paged in. */
import { useCallback, useEffect, useState } from "react";
import { type FindHit, resolveMatch, countMatches } from "@/lib/view/find";
import type { SessionId } from "@/lib/events/id";
import { useClient } from "../../state/client";
import type { OpenSessionStore } from "../../state/session/open-session-store";

interface FindState {
  readonly query: string;
  readonly hits: readonly FindHit[] | null;
  readonly more: boolean;
  /** Index of the current match, from 0. */
  readonly index: number;
}

interface FindControls {
  /** null = the bar is closed. */
  readonly finding: FindState | null;
  readonly open: () => void;
  readonly close: () => void;
  readonly setQuery: (query: string) => void;
  readonly setIndex: (index: number) => void;
}

const emptyFind: FindState = { query: "", hits: [], more: false, index: 0 };
const typeDelayMs = 120;

export function useFind(sessionId: SessionId, store: OpenSessionStore): FindControls {
  const { call } = useClient();
  const [finding, setFinding] = useState<FindState | null>(null);
  const query = finding?.query.trim() ?? "";
  useEffect(() => {
    if (query === "") return;
    let isOld = false;
    const timer = setTimeout(() => {
      void call("session.find", { sessionId, query: query.slice(0, 200) }).then((answer) => {
        if (isOld) return;
        const found = answer.ok ? answer.value : { hits: [], more: false };
        // Start at the newest match, which is the nearest to the reader.
        setFinding((now) => now && { ...now, ...found, index: Math.max(0, countMatches(found.hits) - 1) });
      });
    }, typeDelayMs);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [call, sessionId, query]);
  const seq = resolveMatch(finding?.hits ?? [], finding?.index ?? 0)?.seq ?? null;
  useEffect(() => {
    if (seq !== null) void loadOlderUntil(store, seq);
  }, [store, seq]);
  return {
    finding,
    open: useCallback(() => setFinding((now) => now ?? emptyFind), []),
    close: useCallback(() => setFinding(null), []),
    setQuery: useCallback(
      (text) => setFinding({ ...emptyFind, query: text, hits: text.trim() === "" ? [] : null }),
      [],
    ),
    setIndex: useCallback((index) => setFinding((now) => now && { ...now, index }), []),
  };
}

const maxPages = 200;

/** Loads older pages until the entry or the whole path is loaded. */
export async function loadOlderUntil(store: OpenSessionStore, seq: number): Promise<void> {
  for (let page = 0; page < maxPages; page += 1) {
    const from = store.get().view?.heldFrom ?? 0;
    if (from === 0 || from <= seq) return;
    await store.loadOlder();
    if (store.get().older === "failed") return;
  }
}
