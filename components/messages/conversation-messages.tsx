"use client";
/** The messages of an open session that the first screen does not show. */
import { useMemo } from "react";
import type * as enConversation from "./en-conversation";
import { createLateCatalogue } from "./late-catalogue";
import { type Messages, useMessages } from "./messages";

type OwnMessages = typeof enConversation;

export type ConversationMessages = Messages & OwnMessages;

const catalogue = createLateCatalogue<OwnMessages>({
  en: () => import("./en-conversation"),
  "zh-CN": () => import("./zh-CN-conversation"),
});

export const loadConversationMessages = catalogue.load;
export const StaticConversationMessages = catalogue.Static;

/** Suspends until the messages are loaded. */
export function useConversationMessages(): ConversationMessages {
  const messages = useMessages();
  const own = catalogue.useCatalogue();
  return useMemo(() => ({ ...messages, ...own }), [messages, own]);
}
