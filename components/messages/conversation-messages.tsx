"use client";
/** The messages of an open session that the first screen does not show. */
import { useMemo } from "react";
import type { approval } from "./en/conversation/approval";
import { createLateCatalogue } from "./late-catalogue";
import { type Messages, useMessages } from "./messages";

interface OwnMessages {
  readonly approval: typeof approval;
}

export type ConversationMessages = Messages & OwnMessages;

const catalogue = createLateCatalogue<OwnMessages>({
  en: () => import("./en/conversation/approval"),
  "zh-CN": () => import("./zh-CN/conversation/approval"),
});

export const loadConversationMessages = catalogue.load;
export const StaticConversationMessages = catalogue.Static;

/** Suspends until the messages are loaded. */
export function useConversationMessages(): ConversationMessages {
  const messages = useMessages();
  const own = catalogue.useCatalogue();
  return useMemo(() => ({ ...messages, ...own }), [messages, own]);
}
