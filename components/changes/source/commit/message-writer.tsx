"use client";
/** The button by which the model writes the message of a commit, and what came of it. */
import { CircleStop, Sparkles } from "lucide-react";
import { useFullMessages } from "../../../messages/full-messages";
import { Button } from "../../../ui/controls/button";
import { IconButton } from "../../../ui/controls/icon-button";
import { Icon } from "../../../ui/indicators/icon";
import { Spinner } from "../../../ui/indicators/spinner";
import type { MessageWriter } from "./use-message-writer";

interface WriteButtonProps {
  readonly writer: MessageWriter;
  /** There is nothing that a message could be for. */
  readonly isDisabled: boolean;
  readonly hasLabel?: boolean;
}

/** Becomes Stop while the model writes. */
export function WriteButton({ writer, isDisabled, hasLabel = false }: WriteButtonProps) {
  const { commit: text } = useFullMessages();
  if (!writer.isAvailable) return null;
  const isWriting = writer.phase === "writing";
  const icon = isWriting ? CircleStop : Sparkles;
  const name = isWriting ? text.stopWriting : text.write;
  const use = {
    disabled: isDisabled && !isWriting,
    onClick: isWriting ? writer.stop : () => void writer.write(),
  };
  if (!hasLabel) return <IconButton {...{ icon, name }} size="small" {...use} />;
  return (
    <Button size="small" {...use}>
      <Icon of={icon} size={14} />
      {name}
    </Button>
  );
}

export function WriterNotes({ writer }: { readonly writer: MessageWriter }) {
  const { commit: text, common, errors } = useFullMessages();
  const { phase, error } = writer;
  if (phase === "writing")
    return (
      <p role="status" className="flex items-center gap-2 text-small text-ink-muted">
        <Spinner />
        {text.writing}
      </p>
    );
  if (phase === "asking")
    return (
      <div role="alert" className="grid basis-full gap-2 rounded-control bg-ask-soft px-2 py-1.5 text-small">
        <p className="text-pretty">{text.replaces}</p>
        <div className="flex flex-wrap gap-1">
          <Button size="small" onClick={() => void writer.write(true)}>
            {text.writeAnyway}
          </Button>
          <Button size="small" look="quiet" onClick={writer.dismiss}>
            {common.cancel}
          </Button>
        </div>
      </div>
    );
  if (error === null) return null;
  return (
    <p role="alert" className="basis-full rounded-control bg-danger-soft px-2 py-1.5 text-small text-pretty">
      {text.notWritten[error.code] ?? errors.sentences[error.code]}
    </p>
  );
}
