"use client";
/** A text or a number of the settings: saved by Enter and on leaving the field. Escape takes the change back. */
import { useEffect, useState } from "react";
import { TextField } from "../ui/text-field";

export interface TextSettingProps {
  readonly value: string;
  readonly labelId: string;
  readonly placeholder?: string;
  readonly inputMode?: "url" | "numeric" | "text";
  readonly mono?: boolean;
  readonly isValid?: (text: string) => boolean;
  readonly onSave: (text: string) => void;
}

export function TextSetting({
  value,
  labelId,
  placeholder,
  inputMode = "text",
  mono = false,
  isValid = () => true,
  onSave,
}: TextSettingProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const keep = (): void => {
    if (text.trim() !== value && isValid(text.trim())) onSave(text.trim());
  };
  return (
    <TextField
      value={text}
      mono={mono}
      inputMode={inputMode}
      placeholder={placeholder}
      aria-labelledby={labelId}
      invalid={!isValid(text.trim())}
      onChange={(event) => setText(event.target.value)}
      onBlur={keep}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter") keep();
        if (event.key === "Escape") setText(value);
      }}
    />
  );
}
