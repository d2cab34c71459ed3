"use client";
/** All texts of the interface. Only the catalogue of the current language is loaded. */
import { createContext, type ReactNode, use, useContext, useDeferredValue } from "react";
import { loadOnce } from "@/lib/async/load-once";
import type { en } from "./en";
import type { Locale } from "./figures";

/** The English catalogue defines the type; the Chinese one is checked against it. */
export type Messages = typeof en;

const messageLoaders: Record<Locale, () => Promise<Messages>> = {
  en: loadOnce(async () => (await import("./en")).en),
  "zh-CN": loadOnce(async () => (await import("./zh-CN")).zhCN),
};

/** Call it as early as the language is known, so that the provider does not have to suspend. */
export const loadMessages = (locale: Locale): Promise<Messages> => messageLoaders[locale]();

const MessagesContext = createContext<Messages | null>(null);

/**
 * Suspends until the first catalogue is loaded; on a change of language the old one stays until the new one is
 * loaded.
 */
export function MessagesProvider({ locale, children }: { readonly locale: Locale; readonly children: ReactNode }) {
  const messages = use(loadMessages(useDeferredValue(locale)));
  return <MessagesContext value={messages}>{children}</MessagesContext>;
}

/** Provides a loaded catalogue in tests and screenshots. */
export function StaticMessages({ messages, children }: { readonly messages: Messages; readonly children: ReactNode }) {
  return <MessagesContext value={messages}>{children}</MessagesContext>;
}

export function useMessages(): Messages {
  const messages = useContext(MessagesContext);
  if (messages === null) throw new Error("useMessages outside MessagesProvider");
  return messages;
}
