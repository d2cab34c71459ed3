"use client";
/** The messages of sharing and devices, which few screens use and which are loaded separately. */
import { createContext, type ReactNode, use } from "react";
import type { devices } from "./en/devices";
import type { share } from "./en/share";
import type { Locale } from "./figures";
import { useWords } from "./words";

export interface OutsideWords {
  readonly share: typeof share;
  readonly devices: typeof devices;
}

const once = (load: () => Promise<OutsideWords>): (() => Promise<OutsideWords>) => {
  let loaded: Promise<OutsideWords> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
};

const catalogues: Record<Locale, () => Promise<OutsideWords>> = {
  en: once(async () => ({ ...(await import("./en/share")), ...(await import("./en/devices")) })),
  "zh-CN": once(async () => ({ ...(await import("./zh-CN/share")), ...(await import("./zh-CN/devices")) })),
};

/** Call it as early as possible, so that the hook does not have to suspend. */
export const loadOutsideWords = (locale: Locale): Promise<OutsideWords> => catalogues[locale]();

const GivenContext = createContext<OutsideWords | null>(null);

/** Provides a loaded catalogue in tests. */
export function OutsideWordsGiven({ words, children }: { readonly words: OutsideWords; readonly children: ReactNode }) {
  return <GivenContext value={words}>{children}</GivenContext>;
}

/** Suspends until the messages are loaded. */
export function useOutsideWords(): OutsideWords {
  const given = use(GivenContext);
  return given ?? use(loadOutsideWords(useWords().figures.locale));
}
