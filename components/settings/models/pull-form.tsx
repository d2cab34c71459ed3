"use client";
/** Field and button that start the download of a model. */
import { type FormEvent, useState } from "react";
import { Button } from "../../ui/controls/button";
import { TextField } from "../../ui/controls/text-field";
import { useFullMessages } from "../../messages/full-messages";

/** Names the servers accept. */
const modelNamePattern = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,198}$/;

interface PullFormProps {
  /** Says what to enter. */
  readonly label: string;
  readonly note: string;
  readonly disabled?: boolean;
  readonly onPull: (name: string) => void;
}

export function PullForm({ label, note, disabled = false, onPull }: PullFormProps) {
  const messages = useFullMessages();
  const [name, setName] = useState("");
  const typed = name.trim();
  const isName = modelNamePattern.test(typed);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isName || disabled) return;
    onPull(typed);
    setName("");
  };
  return (
    <>
      <form onSubmit={submit} className="flex max-w-120 gap-2">
        <TextField
          mono
          value={name}
          disabled={disabled}
          invalid={name !== "" && !isName}
          aria-label={label}
          placeholder={label}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" disabled={!isName || disabled}>
          {messages.models.pull}
        </Button>
      </form>
      <p className="-mt-1.5 text-small text-ink-muted">{note}</p>
    </>
  );
}
