"use client";
/** Replaces the composer of a deleted session with a note and a button that restores the session. */
import { useState } from "react";
import type { SessionRow } from "@/lib/session-row";
import { bringBack } from "../sessions/session-commands";
import { useClient } from "../state/client";
import { Button } from "../ui/button";
import { useWords } from "../words/words";

export interface InBinProps {
  readonly row: SessionRow;
  /** Called after the session has been restored. */
  readonly onBack: () => void;
}

export function InBin({ row, onBack }: InBinProps) {
  const client = useClient();
  const words = useWords();
  const [isBusy, setBusy] = useState(false);
  const restore = async (): Promise<void> => {
    setBusy(true);
    const back = await bringBack(client, words, [row]);
    setBusy(false);
    if (back.length > 0) onBack();
  };
  return (
    <div
      role="status"
      className="mx-auto mb-3 flex w-full max-w-[760px] flex-wrap items-center gap-x-3 gap-y-2 rounded-dialog border border-line bg-raised px-4 py-3"
    >
      <p className="min-w-48 flex-1">
        <span className="font-medium">{words.shell.inBin}</span>{" "}
        <span className="text-ink-muted">{words.shell.inBinNote}</span>
      </p>
      <Button look="primary" busy={isBusy} onClick={() => void restore()}>
        {words.sessions.bin.restore}
      </Button>
    </div>
  );
}
