"use client";
/** The words of the first screen and those of the rooms that are opened later: settings, security, changes. For screens that load late themselves. */
import { createContext, type ReactNode, use, useMemo } from "react";
import type { changes } from "./en/changes";
import type { config } from "./en/config";
import type { guard } from "./en/guard";
import type { settings } from "./en/settings";
import type { Locale } from "./figures";
import { useWords, type Words } from "./words";

export interface LateWords {
  readonly changes: typeof changes;
  readonly config: typeof config;
  readonly guard: typeof guard;
  readonly settings: typeof settings;
}

export type FullWords = Words & LateWords;

const once = (load: () => Promise<LateWords>): (() => Promise<LateWords>) => {
  let loaded: Promise<LateWords> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
};

const catalogues: Record<Locale, () => Promise<LateWords>> = {
  en: once(async () => (await import("./en-late")).late),
  "zh-CN": once(async () => (await import("./zh-CN-late")).late),
};

/** Call it as early as it is known that they are needed; the hook then finds them ready. */
export const loadLateWords = (locale: Locale): Promise<LateWords> => catalogues[locale]();

const GivenContext = createContext<LateWords | null>(null);

/** A catalogue that is already at hand: tests. */
export function LateWordsGiven({ words, children }: { readonly words: LateWords; readonly children: ReactNode }) {
  return <GivenContext value={words}>{children}</GivenContext>;
}

/** Suspends until they are there. */
export function useFullWords(): FullWords {
  const words = useWords();
  const given = use(GivenContext);
  const late = given ?? use(loadLateWords(words.figures.locale));
  return useMemo(() => ({ ...words, ...late }), [words, late]);
}
