"use client";
/** Confirmation of an irreversible action: consequences, and a button named with the verb. */
import type { ReactNode } from "react";
import { Button } from "../controls/button";
import { Dialog } from "./dialog";
import { useMessages } from "../../messages/messages";

interface ConfirmDialogProps {
  readonly title: string;
  /** Label of the confirm button: a verb. */
  readonly yes: string;
  readonly busy?: boolean;
  readonly onYes: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function ConfirmDialog({ title, yes, busy = false, onYes, onClose, children }: ConfirmDialogProps) {
  const { common } = useMessages();
  return (
    <Dialog
      title={title}
      closeName={common.close}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="danger" busy={busy} onClick={onYes}>
            {yes}
          </Button>
        </>
      }
    >
      <div className="grid gap-2 *:min-w-0">{children}</div>
    </Dialog>
  );
}
