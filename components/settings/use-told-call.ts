"use client";
/** Command calls that show a toast on failure. */
import { useCallback } from "react";
import type { CommandInput, CommandName, CommandOutput } from "@/lib/command";
import type { ErrorCode } from "@/lib/error";
import { useClient } from "../state/client";
import { useWords } from "../words/words";

export type ToldCall = <N extends CommandName>(
  name: N,
  input: CommandInput<N>,
  /** Messages that replace the general message of an error code. */
  sentences?: { readonly [code in ErrorCode]?: string },
) => Promise<CommandOutput<N> | undefined>;

/** Returns a call that resolves with the value, or with undefined after a failure was shown. */
export function useToldCall(): ToldCall {
  const words = useWords();
  const { call, toasts } = useClient();
  return useCallback(
    async (name, input, sentences = {}) => {
      const answer = await call(name, input);
      if (answer.ok) return answer.value;
      const { code } = answer.error;
      toasts.show({ text: sentences[code] ?? words.errors.sentences[code], look: "danger" });
      return undefined;
    },
    [call, toasts, words],
  );
}
