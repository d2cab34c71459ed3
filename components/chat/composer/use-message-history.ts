"use client";
/** Steps through the user's own messages in the message field. */
import { useState } from "react";

interface MessageHistory {
  /** The text is an unchanged message of the history. */
  readonly isShown: boolean;
  /** Shows the older (-1) or newer (1) message; false = there is none. */
  readonly step: (delta: -1 | 1) => boolean;
  readonly leave: () => void;
}

export function useMessageHistory(
  history: readonly string[],
  text: string,
  setText: (text: string) => void,
): MessageHistory {
  const [index, setIndex] = useState<number | null>(null);
  return {
    isShown: index !== null && history[index] === text,
    step: (delta) => {
      const next = (index ?? history.length) + delta;
      if (next < 0) return false;
      const found = history[next];
      setIndex(found === undefined ? null : next);
      setText(found ?? "");
      return true;
    },
    leave: () => setIndex(null),
  };
}
