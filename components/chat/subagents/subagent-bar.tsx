"use client";
/** At the top of a subagent's page: the way back to the session that started it. */
import { ArrowLeft, Bot } from "lucide-react";
import type { SessionId } from "@/lib/events/id";
import { useConversationMessages } from "../../messages/conversation-messages";
import { Icon } from "../../ui/indicators/icon";
import { withBasePath } from "../../state/base-path";

export function SubagentBar({ parentId }: { readonly parentId: SessionId }) {
  const { subagent } = useConversationMessages();
  return (
    <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-2 border-b border-line px-4 text-small text-ink-muted">
      <Icon of={Bot} size={14} />
      <span>{subagent.bar}</span>
      <a
        href={withBasePath(`/s/${parentId}`)}
        className="inline-flex h-7 items-center gap-1 rounded-control px-2 font-medium text-accent hover:bg-hover max-tablet:h-11"
      >
        <Icon of={ArrowLeft} size={14} />
        {subagent.toParent}
      </a>
    </div>
  );
}
