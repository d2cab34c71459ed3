"use client";
/** Confirmation before sessions are deleted irreversibly. */
import { useState } from "react";
import type { SessionRow } from "@/lib/protocol/session-row";
import { ConfirmDialog } from "../../ui/overlays/confirm-dialog";
import { useFullMessages } from "../../messages/full-messages";
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
  const messages = useFullMessages();
  const { bin } = messages.sessions;
  const { purge: history } = messages.sessionHistory;
  const [isBusy, setBusy] = useState(false);
  const isAll = of === "all";
  return (
    <ConfirmDialog
      title={isAll ? history.emptyTitle : history.title}
      yes={isAll ? bin.empty : bin.purge}
      busy={isBusy}
      onClose={onClose}
      onYes={() => {
        setBusy(true);
        void purge(isAll ? null : of).then(onClose);
      }}
    >
      <p>{isAll ? history.emptyNote : countedMessage(messages, of, history.note, history.manyNote)}</p>
    </ConfirmDialog>
  );
}
