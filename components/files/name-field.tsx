"use client";
/** Inline field for a file or folder name, or `folder/name` of a new one. Enter saves; Escape and an empty name cancel. */
import { type RefObject, useEffect, useRef, useState } from "react";
import { TextField } from "../ui/controls/text-field";
import { useFloating } from "../ui/overlays/use-floating";
import { useFullMessages } from "../messages/full-messages";
import { type NameProblem, findNameProblem } from "./file-tree-rows";
import { isForInputMethod } from "../ui/browser/is-for-input-method";

interface NameFieldProps {
  readonly name: string;
  readonly label: string;
  readonly siblings: readonly string[];
  readonly mayHaveFolders: boolean;
  /** `name` null = cancelled; `isByKey`: Enter or Escape, so the focus has not moved elsewhere. */
  readonly onDone: (name: string | null, isByKey: boolean) => void;
}

export function NameField({ name, label, siblings, mayHaveFolders, onDone }: NameFieldProps) {
  const messages = useFullMessages();
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  const [text, setText] = useState(name);
  const [isRefused, setIsRefused] = useState(false);
  const otherNames = siblings.filter((sibling) => sibling !== name);
  const problem: NameProblem | null = findNameProblem(text, otherNames, mayHaveFolders);
  useEffect(() => {
    // Selects the name without its extension.
    const dot = name.lastIndexOf(".");
    field.current?.focus();
    field.current?.setSelectionRange(0, dot > 0 ? dot : name.length);
  }, [name]);
  const finish = (keep: boolean, isByKey: boolean): void => {
    if (isDone.current) return;
    if (keep && problem !== null && problem !== "empty") return setIsRefused(true);
    isDone.current = true;
    onDone(keep && problem === null ? text : null, isByKey);
  };
  // "folder/" is not wrong while the name is typed.
  const isShown = problem !== null && problem !== "empty" && (problem !== "unfinished" || isRefused);
  return (
    <span className="relative min-w-0 flex-1">
      <TextField
        ref={field}
        value={text}
        aria-label={label}
        invalid={isShown}
        className="h-6! px-1.5! max-tablet:h-10!"
        onChange={(event) => {
          setText(event.target.value);
          setIsRefused(false);
        }}
        onBlur={() => finish(problem === null, false)}
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          if (isForInputMethod(event.nativeEvent)) return;
          event.stopPropagation();
          if (event.key === "Enter") {
            // The focus may move to a field that would insert this Enter as a line break.
            event.preventDefault();
            finish(true, true);
          }
          if (event.key === "Escape") finish(false, true);
        }}
      />
      {isShown && <NameProblemNote anchor={field} text={messages.files.problems[problem]} />}
    </span>
  );
}

/** In the top layer, because later rows are painted over this one. */
function NameProblemNote({
  anchor,
  text,
}: {
  readonly anchor: RefObject<HTMLInputElement | null>;
  readonly text: string;
}) {
  const floating = useRef<HTMLSpanElement>(null);
  useFloating(anchor, floating, { side: "below", align: "start", gap: 2 });
  return (
    <span
      ref={floating}
      popover="manual"
      role="alert"
      className="fixed inset-auto m-0 max-w-64 rounded-control border border-danger bg-raised px-2 py-1 text-small text-danger shadow-float"
    >
      {text}
    </span>
  );
}
