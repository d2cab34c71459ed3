"use client";
/** Catalogues of messages that are loaded after those of the first screen. */
import { createContext, type ReactNode, use } from "react";
import { loadOnce } from "@/lib/async/load-once";
import type { Locale } from "./figures";
import { useMessages } from "./messages";

interface LateCatalogue<T> {
  /** Call it as early as possible, so that the hook does not have to suspend. */
  load(locale: Locale): Promise<T>;
  /** Provides a loaded catalogue in tests. */
  readonly Static: (props: { readonly messages: T; readonly children: ReactNode }) => ReactNode;
  /** Hook that returns the messages in the current language; suspends until they are loaded. */
  useCatalogue(): T;
}

export function createLateCatalogue<T>(loaders: Record<Locale, () => Promise<T>>): LateCatalogue<T> {
  const loadOf: Record<Locale, () => Promise<T>> = { en: loadOnce(loaders.en), "zh-CN": loadOnce(loaders["zh-CN"]) };
  const Context = createContext<T | null>(null);
  return {
    load: (locale) => loadOf[locale](),
    Static({ messages, children }) {
      return <Context value={messages}>{children}</Context>;
    },
    useCatalogue() {
      const { locale } = useMessages().figures;
      return use(Context) ?? use(loadOf[locale]());
    },
  };
}
