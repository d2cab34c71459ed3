"use client";
/** Dialog that changes the title of the current session. */
import { type FormEvent, useState } from "react";
import type { SessionId } from "@/lib/events/id";
import { limits } from "@/lib/settings/settings";
import { useClient } from "../../state/client";
import { newCommandId } from "../../state/new-id";
import { Button } from "../../ui/controls/button";
import { Dialog } from "../../ui/overlays/dialog";
import { TextField } from "../../ui/controls/text-field";
import { useFullMessages } from "../../messages/full-messages";
import { toastError } from "../notices/toast-error";

interface RenameDialogProps {
  readonly sessionId: SessionId;
  readonly title: string;
  readonly onClose: () => void;
}

export function RenameDialog({ sessionId, title, onClose }: RenameDialogProps) {
  const messages = useFullMessages();
  const client = useClient();
  const [text, setText] = useState(title);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const next = text.trim();
    onClose();
    if (next === "" || next === title) return;
    void client.call("session.update", { sessionId, commandId: newCommandId(), title: next }).then((answer) => {
      if (!answer.ok) toastError(client, messages, answer.error);
    });
  };
  return (
    <Dialog
      title={messages.sessionHistory.renameTitle}
      closeName={messages.common.close}
      onClose={onClose}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            {messages.common.cancel}
          </Button>
          <Button type="submit" form="rename" look="primary" disabled={text.trim() === ""}>
            {messages.shell.rename}
          </Button>
        </>
      }
    >
      <form id="rename" onSubmit={submit} className="pt-1">
        <TextField
          autoFocus
          value={text}
          maxLength={limits.titleMaxChars}
          aria-label={messages.sessions.titleLabel}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
