"use client";
/** Banner above the composer after a rewind: number of messages set aside and buttons to redo and restore. */
import { Undo2 } from "lucide-react";
import { useConversationMessages } from "../../messages/conversation-messages";
import { Button } from "../../ui/controls/button";
import { Icon } from "../../ui/indicators/icon";

interface RewoundBannerProps {
  /** User messages set aside; null = unknown. */
  readonly messages: number | null;
  readonly onRedo: () => void;
  /** Absent = files cannot be restored here. */
  readonly onRestore?: () => void;
}

export function RewoundBanner({ messages, onRedo, onRestore }: RewoundBannerProps) {
  const { messageActions } = useConversationMessages();
  return (
    <div className="px-4 @lg:px-6 max-tablet:px-3">
      <div
        role="status"
        data-rewound
        className="mx-auto flex w-full max-w-[760px] animate-appear flex-wrap items-center gap-x-2 gap-y-1 rounded-card border border-line bg-surface py-1 pr-1 pl-3 text-base text-ink-muted"
      >
        <Icon of={Undo2} size={14} />
        <p className="min-w-40 flex-1 py-1">
          {messages === null || messages === 0 ? messageActions.asideSome : messageActions.aside(messages)}
        </p>
        <span className="ml-auto flex gap-1">
          {onRestore !== undefined && (
            <Button size="small" look="quiet" onClick={onRestore}>
              {messageActions.restore}
            </Button>
          )}
          <Button size="small" onClick={onRedo}>
            {messageActions.redo}
          </Button>
        </span>
      </div>
    </div>
  );
}
