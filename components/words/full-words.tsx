"use client";
/** The messages of the first screen plus those of late-loaded screens: settings, security, changes. */
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

/** Call it as early as possible, so that the hook does not have to suspend. */
export const loadLateWords = (locale: Locale): Promise<LateWords> => catalogues[locale]();

const GivenContext = createContext<LateWords | null>(null);

/** Provides a loaded catalogue in tests. */
export function LateWordsGiven({ words, children }: { readonly words: LateWords; readonly children: ReactNode }) {
  return <GivenContext value={words}>{children}</GivenContext>;
}

/** Suspends until the messages are loaded. */
export function useFullWords(): FullWords {
  const words = useWords();
  const given = use(GivenContext);
  const late = given ?? use(loadLateWords(words.figures.locale));
  return useMemo(() => ({ ...words, ...late }), [words, late]);
}
