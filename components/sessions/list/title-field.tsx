"use client";
/** Input for a session's title: Enter and blur save it, Escape discards it. */
import { useRef, useState } from "react";
import { limits } from "@/lib/settings/settings";
import { TextField } from "../../ui/controls/text-field";
import { useMessages } from "../../messages/messages";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";

interface TitleFieldProps {
  readonly title: string;
  /** null = unchanged. */
  readonly onDone: (title: string | null) => void;
  readonly className?: string;
}

export function TitleField({ title, onDone, className }: TitleFieldProps) {
  const messages = useMessages();
  const [text, setText] = useState(title);
  const isDone = useRef(false);
  const finish = (result: string | null): void => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(result);
  };
  return (
    <TextField
      autoFocus
      aria-label={messages.sessions.titleLabel}
      value={text}
      maxLength={limits.titleMaxChars}
      className={className}
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => finish(text)}
      onKeyDown={(event) => {
        if (isForInputMethod(event.nativeEvent)) return;
        event.stopPropagation();
        if (event.key === "Enter") finish(text);
        if (event.key === "Escape") finish(null);
      }}
    />
  );
}
