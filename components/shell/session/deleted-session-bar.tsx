"use client";
/** Replaces the composer of a deleted session with a note and a button that restores the session. */
import { useState } from "react";
import type { SessionRow } from "@/lib/protocol/session-row";
import { restoreSessions } from "../../sessions/list/session-commands";
import { useClient } from "../../state/client";
import { Button } from "../../ui/controls/button";
import { useMessages } from "../../messages/messages";

interface DeletedSessionBarProps {
  readonly row: SessionRow;
  /** Called after the session has been restored. */
  readonly onRestored: () => void;
}

export function DeletedSessionBar({ row, onRestored }: DeletedSessionBarProps) {
  const client = useClient();
  const messages = useMessages();
  const [isBusy, setBusy] = useState(false);
  const restore = async (): Promise<void> => {
    setBusy(true);
    const back = await restoreSessions(client, messages, [row]);
    setBusy(false);
    if (back.length > 0) onRestored();
  };
  return (
    <div
      role="status"
      className="mx-auto mb-3 flex w-full max-w-[760px] flex-wrap items-center gap-x-3 gap-y-2 rounded-dialog border border-line bg-raised px-4 py-3"
    >
      <p className="min-w-48 flex-1">
        <span className="font-medium">{messages.shell.inBin}</span>{" "}
        <span className="text-ink-muted">{messages.shell.inBinNote}</span>
      </p>
      <Button look="primary" busy={isBusy} onClick={() => void restore()}>
        {messages.sessions.bin.restore}
      </Button>
    </div>
  );
}
