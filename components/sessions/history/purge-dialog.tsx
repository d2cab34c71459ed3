"use client";
/** Confirmation before sessions are deleted irreversibly. */
import { useState } from "react";
import type { SessionRow } from "@/lib/protocol/session-row";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog";
import { useMessages } from "../../messages/messages";
import type { HistoryCommands } from "./history-commands";
import { countedMessage } from "../list/session-commands";

/** These sessions, or all deleted ones. */
export type PurgeTarget = readonly SessionRow[] | "all";

interface PurgeDialogProps {
  readonly of: PurgeTarget;
  readonly purge: HistoryCommands["purge"];
  readonly onClose: () => void;
}

export function PurgeDialog({ of, purge, onClose }: PurgeDialogProps) {
  const messages = useMessages();
  const { bin } = messages.sessions;
  const [isBusy, setBusy] = useState(false);
  const isAll = of === "all";
  return (
    <ConfirmDialog
      title={isAll ? bin.emptyTitle : bin.purgeTitle}
      yes={isAll ? bin.empty : bin.purge}
      busy={isBusy}
      onClose={onClose}
      onYes={() => {
        setBusy(true);
        void purge(isAll ? null : of).then(onClose);
      }}
    >
      <p>{isAll ? bin.emptyNote : countedMessage(messages, of, bin.purgeNote, bin.purgeManyNote)}</p>
    </ConfirmDialog>
  );
}
