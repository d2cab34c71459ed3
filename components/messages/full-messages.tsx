"use client";
/** The messages of the first screen plus those of late-loaded screens: settings, security, changes. */
import { useMemo } from "react";
import type * as enLate from "./en-late";
import { createLateCatalogue } from "./late-catalogue";
import { useMessages, type Messages } from "./messages";

export type LateMessages = typeof enLate;
export type FullMessages = Messages & LateMessages;

const catalogue = createLateCatalogue<LateMessages>({
  en: () => import("./en-late"),
  "zh-CN": () => import("./zh-CN-late"),
});

export const loadLateMessages = catalogue.load;
export const StaticLateMessages = catalogue.Static;

/** Suspends until the messages are loaded. */
export function useFullMessages(): FullMessages {
  const messages = useMessages();
  const late = catalogue.useCatalogue();
  return useMemo(() => ({ ...messages, ...late }), [messages, late]);
}
