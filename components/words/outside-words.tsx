"use client";
/** The words of sharing and devices. Few screens need them, so they come late and not with the rest of the catalogue. */
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

/** Call it as early as it is known that they are needed; the hook then finds them ready. */
export const loadOutsideWords = (locale: Locale): Promise<OutsideWords> => catalogues[locale]();

const GivenContext = createContext<OutsideWords | null>(null);

/** A catalogue that is already at hand: tests. */
export function OutsideWordsGiven({ words, children }: { readonly words: OutsideWords; readonly children: ReactNode }) {
  return <GivenContext value={words}>{children}</GivenContext>;
}

/** Suspends until they are there. */
export function useOutsideWords(): OutsideWords {
  const given = use(GivenContext);
  return given ?? use(loadOutsideWords(useWords().figures.locale));
}
