"use client";
/** The messages of the first screen plus those of late-loaded screens: settings, security, changes. */
import { createContext, type ReactNode, use, useMemo } from "react";
import { loadOnce } from "@/lib/async/load-once";
import type { changes } from "./en/late/changes";
import type { config } from "./en/late/config";
import type { guard } from "./en/late/guard";
import type { settings } from "./en/late/settings";
import type { terminal } from "./en/late/terminal";
import type { Locale } from "./figures";
import { useMessages, type Messages } from "./messages";

export interface LateMessages {
  readonly changes: typeof changes;
  readonly config: typeof config;
  readonly guard: typeof guard;
  readonly settings: typeof settings;
  readonly terminal: typeof terminal;
}

export type FullMessages = Messages & LateMessages;

const lateMessageLoaders: Record<Locale, () => Promise<LateMessages>> = {
  en: loadOnce(async () => (await import("./en-late")).enLate),
  "zh-CN": loadOnce(async () => (await import("./zh-CN-late")).zhCNLate),
};

/** Call it as early as possible, so that the hook does not have to suspend. */
export const loadLateMessages = (locale: Locale): Promise<LateMessages> => lateMessageLoaders[locale]();

const StaticLateContext = createContext<LateMessages | null>(null);

/** Provides a loaded catalogue in tests. */
export function StaticLateMessages({
  messages,
  children,
}: {
  readonly messages: LateMessages;
  readonly children: ReactNode;
}) {
  return <StaticLateContext value={messages}>{children}</StaticLateContext>;
}

/** Suspends until the messages are loaded. */
export function useFullMessages(): FullMessages {
  const messages = useMessages();
  const given = use(StaticLateContext);
  const late = given ?? use(loadLateMessages(messages.figures.locale));
  return useMemo(() => ({ ...messages, ...late }), [messages, late]);
}
