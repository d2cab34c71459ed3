"use client";
/**
 * Client of the highlight worker with a cache of the newest results. One per page; the worker starts with the first
 * request.
 */
import { useEffect, useState } from "react";
import type { CodeLanguage } from "./code-language";

export interface HighlightRequest {
  readonly id: number;
  readonly code: string;
  readonly language: CodeLanguage;
}

/** For each line its coloured runs: UTF-16 length and CSS colour. */
export type ColouredLines = readonly (readonly (readonly [length: number, colour: string])[])[];

export interface HighlightResult {
  readonly id: number;
  /** null = highlighting failed. */
  readonly lines: ColouredLines | null;
}

/** UTF-16 units; longer code is not highlighted. */
const codeMaxChars = 60_000;
const cacheMaxEntries = 200;

function createHighlighter() {
  let worker: Worker | undefined;
  let lastId = 0;
  const cache = new Map<string, ColouredLines | null>();
  const pending = new Map<
    number,
    { readonly key: string; readonly listeners: Set<(lines: ColouredLines | null) => void> }
  >();
  const pendingIds = new Map<string, number>();

  const complete = ({ id, lines }: HighlightResult): void => {
    const entry = pending.get(id);
    if (entry === undefined) return;
    pending.delete(id);
    pendingIds.delete(entry.key);
    cache.set(entry.key, lines);
    const oldest = cache.keys().next().value;
    if (cache.size > cacheMaxEntries && oldest !== undefined) cache.delete(oldest);
    for (const listener of entry.listeners) listener(lines);
  };
  const start = (): Worker => {
    const created = new Worker(new URL("./highlight.worker.ts", import.meta.url), { type: "module" });
    created.addEventListener("message", (event: MessageEvent<HighlightResult>) => complete(event.data));
    created.addEventListener("error", () => {
      for (const id of [...pending.keys()]) complete({ id, lines: null });
    });
    return created;
  };
  const keyOf = (code: string, language: CodeLanguage): string => `${language}\n${code}`;

  return {
    /** Returns the cached result, or null. */
    cached: (code: string, language: CodeLanguage): ColouredLines | null => cache.get(keyOf(code, language)) ?? null,
    /** Requests highlighting; calls back once. The returned function cancels the callback. */
    request(code: string, language: CodeLanguage, listener: (lines: ColouredLines | null) => void): () => void {
      if (code.length > codeMaxChars || typeof Worker === "undefined") return () => undefined;
      const key = keyOf(code, language);
      if (cache.has(key)) {
        listener(cache.get(key) ?? null);
        return () => undefined;
      }
      let id = pendingIds.get(key);
      if (id === undefined) {
        id = lastId += 1;
        pendingIds.set(key, id);
        pending.set(id, { key, listeners: new Set() });
        worker ??= start();
        worker.postMessage({ id, code, language } satisfies HighlightRequest);
      }
      const listeners = pending.get(id)?.listeners;
      listeners?.add(listener);
      return () => listeners?.delete(listener);
    },
  };
}

const highlighter = createHighlighter();

/** Returns the colours of finished code; null until they have arrived, and for code that is not highlighted. */
export function useHighlight(code: string, language: CodeLanguage | null, finished = true): ColouredLines | null {
  const [answer, setAnswer] = useState<{ readonly code: string; readonly lines: ColouredLines | null } | null>(null);
  useEffect(() => {
    if (language === null || !finished || code === "") return;
    return highlighter.request(code, language, (lines) => setAnswer({ code, lines }));
  }, [code, language, finished]);
  if (language === null || !finished) return null;
  return answer?.code === code ? answer.lines : highlighter.cached(code, language);
}
