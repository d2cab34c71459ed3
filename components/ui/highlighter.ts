"use client";
/** Asks the worker for colours and keeps the newest answers. One for the page; the worker starts at the first question. */
import { useEffect, useState } from "react";
import type { CodeLanguage } from "./code-language";

export interface HighlightRequest {
  readonly id: number;
  readonly code: string;
  readonly language: CodeLanguage;
}

/** For each line its runs of one colour: UTF-16 length and a CSS colour. */
export type ColouredLines = readonly (readonly (readonly [length: number, colour: string])[])[];

export interface HighlightAnswer {
  readonly id: number;
  /** Null when it could not be coloured. */
  readonly lines: ColouredLines | null;
}

/** Longer code stays plain. UTF-16 units. */
const codeMaxChars = 60_000;
const keptAnswers = 200;

function createHighlighter() {
  let worker: Worker | undefined;
  let lastId = 0;
  const kept = new Map<string, ColouredLines | null>();
  const waiting = new Map<
    number,
    { readonly key: string; readonly listeners: Set<(lines: ColouredLines | null) => void> }
  >();
  const asked = new Map<string, number>();

  const settle = ({ id, lines }: HighlightAnswer): void => {
    const entry = waiting.get(id);
    if (entry === undefined) return;
    waiting.delete(id);
    asked.delete(entry.key);
    kept.set(entry.key, lines);
    const oldest = kept.keys().next().value;
    if (kept.size > keptAnswers && oldest !== undefined) kept.delete(oldest);
    for (const listener of entry.listeners) listener(lines);
  };
  const start = (): Worker => {
    const made = new Worker(new URL("./highlight.worker.ts", import.meta.url), { type: "module" });
    made.addEventListener("message", (event: MessageEvent<HighlightAnswer>) => settle(event.data));
    made.addEventListener("error", () => {
      for (const id of [...waiting.keys()]) settle({ id, lines: null });
    });
    return made;
  };
  const keyOf = (code: string, language: CodeLanguage): string => `${language}\n${code}`;

  return {
    /** The answer when it is already known. */
    known: (code: string, language: CodeLanguage): ColouredLines | null => kept.get(keyOf(code, language)) ?? null,
    /** Calls back once; the returned function takes the question back. */
    ask(code: string, language: CodeLanguage, listener: (lines: ColouredLines | null) => void): () => void {
      if (code.length > codeMaxChars || typeof Worker === "undefined") return () => undefined;
      const key = keyOf(code, language);
      if (kept.has(key)) {
        listener(kept.get(key) ?? null);
        return () => undefined;
      }
      let id = asked.get(key);
      if (id === undefined) {
        id = lastId += 1;
        asked.set(key, id);
        waiting.set(id, { key, listeners: new Set() });
        worker ??= start();
        worker.postMessage({ id, code, language } satisfies HighlightRequest);
      }
      const listeners = waiting.get(id)?.listeners;
      listeners?.add(listener);
      return () => listeners?.delete(listener);
    },
  };
}

const highlighter = createHighlighter();

/** Colours of finished code; null until they are there, and for what stays plain. */
export function useHighlight(code: string, language: CodeLanguage | null, finished = true): ColouredLines | null {
  const [answer, setAnswer] = useState<{ readonly code: string; readonly lines: ColouredLines | null } | null>(null);
  useEffect(() => {
    if (language === null || !finished || code === "") return;
    return highlighter.ask(code, language, (lines) => setAnswer({ code, lines }));
  }, [code, language, finished]);
  if (language === null || !finished) return null;
  return answer?.code === code ? answer.lines : highlighter.known(code, language);
}
