"use client";
/** Find in the whole conversation: the server searches all of it; hits that are not loaded yet are paged in. */
import { useCallback, useEffect, useState } from "react";
import { type Hit, placeAt, placesOf } from "@/lib/find";
import type { SessionId } from "@/lib/id";
import { useClient } from "../state/client";
import type { SessionStore } from "../state/session-store";

export interface Finding {
  readonly query: string;
  readonly hits: readonly Hit[] | null;
  readonly more: boolean;
  /** Index of the current match, from 0. */
  readonly index: number;
}

export interface Find {
  /** null = the bar is closed. */
  readonly finding: Finding | null;
  readonly open: () => void;
  readonly close: () => void;
  readonly setQuery: (query: string) => void;
  readonly setIndex: (index: number) => void;
}

const none: Finding = { query: "", hits: [], more: false, index: 0 };
const typeDelayMs = 120;

export function useFind(sessionId: SessionId, store: SessionStore): Find {
  const { call } = useClient();
  const [finding, setFinding] = useState<Finding | null>(null);
  const query = finding?.query.trim() ?? "";
  useEffect(() => {
    if (query === "") return;
    let isOld = false;
    const timer = setTimeout(() => {
      void call("session.find", { sessionId, query: query.slice(0, 200) }).then((answer) => {
        if (isOld) return;
        const found = answer.ok ? answer.value : { hits: [], more: false };
        // Start at the newest match, which is the nearest to the reader.
        setFinding((now) => now && { ...now, ...found, index: Math.max(0, placesOf(found.hits) - 1) });
      });
    }, typeDelayMs);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [call, sessionId, query]);
  const seq = placeAt(finding?.hits ?? [], finding?.index ?? 0)?.seq ?? null;
  useEffect(() => {
    if (seq !== null) void loadUntil(store, seq);
  }, [store, seq]);
  return {
    finding,
    open: useCallback(() => setFinding((now) => now ?? none), []),
    close: useCallback(() => setFinding(null), []),
    setQuery: useCallback((text) => setFinding({ ...none, query: text, hits: text.trim() === "" ? [] : null }), []),
    setIndex: useCallback((index) => setFinding((now) => now && { ...now, index }), []),
  };
}

const mostPages = 200;

/** Loads older pages until the entry or the whole path is loaded. */
export async function loadUntil(store: SessionStore, seq: number): Promise<void> {
  for (let page = 0; page < mostPages; page += 1) {
    const from = store.get().view?.heldFrom ?? 0;
    if (from === 0 || from <= seq) return;
    await store.loadOlder();
    if (store.get().older === "failed") return;
  }
}
