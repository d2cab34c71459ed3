"use client";
/** Above a message that another session wrote as the task of this one. */
import { useConversationMessages } from "../../messages/conversation-messages";

export function TaskNote() {
  const { subagent } = useConversationMessages();
  return <p className="mb-1 text-small text-ink-muted">{subagent.task}</p>;
}
