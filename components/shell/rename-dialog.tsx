"use client";
/** Dialog that changes the title of the current session. */
import { type FormEvent, useState } from "react";
import type { SessionId } from "@/lib/id";
import { limits } from "@/lib/settings";
import { useClient } from "../state/client";
import { newCommandId } from "../state/new-id";
import { Button } from "../ui/button";
import { Dialog } from "../ui/dialog";
import { TextField } from "../ui/text-field";
import { useWords } from "../words/words";
import { tellError } from "./tell-error";

export interface RenameDialogProps {
  readonly sessionId: SessionId;
  readonly title: string;
  readonly onClose: () => void;
}

export function RenameDialog({ sessionId, title, onClose }: RenameDialogProps) {
  const words = useWords();
  const client = useClient();
  const [text, setText] = useState(title);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const next = text.trim();
    onClose();
    if (next === "" || next === title) return;
    void client.call("session.update", { sessionId, commandId: newCommandId(), title: next }).then((answer) => {
      if (!answer.ok) tellError(client, words, answer.error);
    });
  };
  return (
    <Dialog
      title={words.shell.renameTitle}
      closeName={words.common.close}
      onClose={onClose}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            {words.common.cancel}
          </Button>
          <Button type="submit" form="rename" look="primary" disabled={text.trim() === ""}>
            {words.shell.rename}
          </Button>
        </>
      }
    >
      <form id="rename" onSubmit={submit} className="pt-1">
        <TextField
          autoFocus
          value={text}
          maxLength={limits.titleMaxChars}
          aria-label={words.sessions.titleLabel}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </Dialog>
  );
}
