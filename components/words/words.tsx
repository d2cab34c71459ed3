"use client";
/** Every sentence of the interface comes from here. One catalogue is loaded, that of the language in use; `useWords()` gives it. */
import { createContext, type ReactNode, use, useContext, useDeferredValue } from "react";
import type { en } from "./en";
import type { Locale } from "./figures";

/** The English catalogue is the shape; the Chinese one is checked against it. */
export type Words = typeof en;

const once = (load: () => Promise<Words>): (() => Promise<Words>) => {
  let loaded: Promise<Words> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
};

const catalogues: Record<Locale, () => Promise<Words>> = {
  en: once(async () => (await import("./en")).en),
  "zh-CN": once(async () => (await import("./zh-CN")).zhCN),
};

/** Call it as early as the language is known; the provider then finds it ready. */
export const loadWords = (locale: Locale): Promise<Words> => catalogues[locale]();

const WordsContext = createContext<Words | null>(null);

/** Suspends until the first catalogue is there; on a change of language the old one stays until the new one has come. */
export function WordsProvider({ locale, children }: { readonly locale: Locale; readonly children: ReactNode }) {
  const words = use(loadWords(useDeferredValue(locale)));
  return <WordsContext value={words}>{children}</WordsContext>;
}

/** A catalogue that is already at hand: tests, pictures. */
export function WordsGiven({ words, children }: { readonly words: Words; readonly children: ReactNode }) {
  return <WordsContext value={words}>{children}</WordsContext>;
}

export function useWords(): Words {
  const words = useContext(WordsContext);
  if (words === null) throw new Error("useWords outside WordsProvider");
  return words;
}
