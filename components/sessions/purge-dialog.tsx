"use client";
/** Confirmation before sessions are deleted irreversibly. */
import { useState } from "react";
import type { SessionRow } from "@/lib/session-row";
import { ConfirmDialog } from "../ui/confirm-dialog";
import { useWords } from "../words/words";
import type { HistoryCommands } from "./history-commands";
import { tellOf } from "./session-commands";

/** These sessions, or all deleted ones. */
export type Purging = readonly SessionRow[] | "all";

export interface PurgeDialogProps {
  readonly of: Purging;
  readonly purge: HistoryCommands["purge"];
  readonly onClose: () => void;
}

export function PurgeDialog({ of, purge, onClose }: PurgeDialogProps) {
  const words = useWords();
  const { bin } = words.sessions;
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
      <p>{isAll ? bin.emptyNote : tellOf(words, of, bin.purgeNote, bin.purgeManyNote)}</p>
    </ConfirmDialog>
  );
}
