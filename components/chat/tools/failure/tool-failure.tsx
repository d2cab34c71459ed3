"use client";
/** Why a call of a tool of another program failed. */
import { useConversationMessages } from "../../../messages/conversation-messages";
import type { ToolFailureCode } from "./tool-failure-code";

export function ToolFailureText({ code }: { readonly code: ToolFailureCode }) {
  return useConversationMessages().toolFailures[code];
}
