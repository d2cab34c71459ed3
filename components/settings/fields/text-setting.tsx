"use client";
/**
 * Text or number setting: saved with Enter and on blur if valid, otherwise the field shows the problem. Escape restores
 * the stored value.
 */
import { useEffect, useId, useRef, useState } from "react";
import { TextField } from "../../ui/controls/text-field";
import { isForInputMethod } from "../../ui/browser/is-for-input-method";

interface TextSettingProps {
  readonly value: string;
  readonly labelId: string;
  readonly placeholder?: string;
  readonly inputMode?: "url" | "numeric" | "decimal" | "text";
  readonly mono?: boolean;
  /** Returns why the text cannot be saved, shown below the field; null = valid. */
  readonly problemOf?: (text: string) => string | null;
  /** Returns the form in which a valid text is saved and shown; absent = as typed. */
  readonly normalize?: (text: string) => string;
  readonly onSave: (text: string) => void;
}

export function TextSetting({
  value,
  labelId,
  placeholder,
  inputMode = "text",
  mono = false,
  problemOf = () => null,
  normalize = (typed) => typed,
  onSave,
}: TextSettingProps) {
  const [text, setText] = useState(value);
  // While the user types, an incomplete value is not an error.
  const [isLeft, setLeft] = useState(false);
  const isEdited = useRef(false);
  const problem = text.trim() === value ? null : problemOf(text.trim());
  const shown = isLeft ? problem : null;
  const problemId = useId();
  // Another tab may change the stored value while the user types here.
  useEffect(() => {
    if (!isEdited.current) setText(value);
  }, [value]);
  const commit = (): void => {
    setLeft(true);
    if (problem !== null) return;
    isEdited.current = false;
    const next = text.trim() === value ? value : normalize(text.trim());
    setText(next);
    if (next !== value) onSave(next);
  };
  return (
    <div className="w-full">
      <TextField
        value={text}
        mono={mono}
        inputMode={inputMode}
        placeholder={placeholder}
        aria-labelledby={labelId}
        invalid={shown !== null}
        aria-describedby={shown === null ? undefined : problemId}
        onFocus={(event) => event.target.select()}
        onChange={(event) => {
          setText(event.target.value);
          setLeft(false);
          isEdited.current = true;
        }}
        onBlur={commit}
        onKeyDown={(event) => {
          if (isForInputMethod(event.nativeEvent)) return;
          if (event.key === "Enter") commit();
          if (event.key !== "Escape") return;
          setText(value);
          isEdited.current = false;
        }}
      />
      {shown !== null && (
        <p id={problemId} role="alert" className="mt-1 text-small text-danger [overflow-wrap:anywhere]">
          {shown}
        </p>
      )}
    </div>
  );
}
