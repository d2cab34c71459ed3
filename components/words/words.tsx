"use client";
/** All texts of the interface. Only the catalogue of the current language is loaded. */
import { createContext, type ReactNode, use, useContext, useDeferredValue } from "react";
import type { en } from "./en";
import type { Locale } from "./figures";

/** The English catalogue defines the type; the Chinese one is checked against it. */
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

/** Call it as early as the language is known, so that the provider does not have to suspend. */
export const loadWords = (locale: Locale): Promise<Words> => catalogues[locale]();

const WordsContext = createContext<Words | null>(null);

/**
 * Suspends until the first catalogue is loaded; on a change of language the old one stays until the new one is
 * loaded.
 */
export function WordsProvider({ locale, children }: { readonly locale: Locale; readonly children: ReactNode }) {
  const words = use(loadWords(useDeferredValue(locale)));
  return <WordsContext value={words}>{children}</WordsContext>;
}

/** Provides a loaded catalogue in tests and screenshots. */
export function WordsGiven({ words, children }: { readonly words: Words; readonly children: ReactNode }) {
  return <WordsContext value={words}>{children}</WordsContext>;
}

export function useWords(): Words {
  const words = useContext(WordsContext);
  if (words === null) throw new Error("useWords outside WordsProvider");
  return words;
}
