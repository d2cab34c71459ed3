"use client";
/** Keys that a phone's keyboard does not have. Ctrl applies to the next letter typed in its row. */
import { useState } from "react";
import { useFullMessages } from "../messages/full-messages";
import { classes } from "../ui/theme/classes";

interface TerminalKeyRowProps {
  /** Characters the key sends. */
  readonly onKey: (text: string) => void;
}

const keys = [
  ["Esc", "\u001b"],
  ["Tab", "\t"],
  ["↑", "\u001b[A"],
  ["↓", "\u001b[B"],
  ["←", "\u001b[D"],
  ["→", "\u001b[C"],
] as const;

/** Letters that are useful with Ctrl in a shell, in the order of their use. */
const controlLetters = ["C", "D", "Z", "L", "R", "A", "E", "U", "W", "O", "X"] as const;

const keyClass =
  "h-11 min-w-11 shrink-0 rounded-control border border-line bg-raised px-3 font-mono text-ink active:bg-pressed";

export function TerminalKeyRow({ onKey }: TerminalKeyRowProps) {
  const messages = useFullMessages();
  const [isControl, setControl] = useState(false);
  return (
    <div
      role="toolbar"
      aria-label={messages.terminal.keys}
      className="flex shrink-0 gap-1.5 overflow-x-auto border-t border-line bg-surface p-1.5 [scrollbar-width:none]"
    >
      <button
        type="button"
        aria-pressed={isControl}
        onClick={() => setControl(!isControl)}
        className={classes(keyClass, isControl && "border-accent text-accent")}
      >
        {messages.terminal.control}
      </button>
      {isControl
        ? controlLetters.map((letter) => (
            <button
              key={letter}
              type="button"
              className={keyClass}
              onClick={() => {
                setControl(false);
                onKey(String.fromCharCode(letter.charCodeAt(0) - 64));
              }}
            >
              {letter}
            </button>
          ))
        : keys.map(([label, text]) => (
            <button key={label} type="button" className={keyClass} onClick={() => onKey(text)}>
              {label}
            </button>
          ))}
    </div>
  );
}
