"use client";
/** Address of the owner's own search server. */
import { type FormEvent, useId, useState } from "react";
import type { WebProviderState } from "@/lib/tools/web";
import { useFullMessages } from "../../messages/full-messages";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { useChange } from "../use-change";

const exampleAddress = "http://127.0.0.1:8888";

interface EngineAddressProps {
  readonly provider: WebProviderState;
  /** Called when the typed address begins or ceases to differ from the stored one. */
  readonly onUnsaved: (isUnsaved: boolean) => void;
}

export function EngineAddress({ provider: { id, address }, onUnsaved }: EngineAddressProps) {
  const { web: text, common } = useFullMessages();
  const { perform } = useChange("toast", { bad_input: text.badAddress });
  const [typed, setTyped] = useState(address);
  const noteId = useId();
  const save = (event: FormEvent): void => {
    event.preventDefault();
    void perform("web.set", { searxngAddress: typed });
  };
  return (
    <form onSubmit={save} className="grid min-w-0 flex-1 basis-72 gap-1">
      <div className="flex gap-2">
        <TextField
          mono
          inputMode="url"
          aria-label={text.addressOf(text.names[id])}
          aria-describedby={noteId}
          placeholder={exampleAddress}
          value={typed}
          maxLength={500}
          onChange={(event) => {
            setTyped(event.target.value);
            onUnsaved(event.target.value.trim() !== address);
          }}
        />
        <Button type="submit" disabled={typed.trim() === address}>
          {common.save}
        </Button>
      </div>
      <p id={noteId} className="text-small text-ink-muted">
        {text.addressNote}
      </p>
    </form>
  );
}
