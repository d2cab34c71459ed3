"use client";
/** Calls whose failure the user is told of in a sentence at the edge of the screen. */
import { useCallback } from "react";
import type { CommandInput, CommandName, CommandOutput } from "@/lib/command";
import type { ErrorCode } from "@/lib/error";
import { useClient } from "../state/client";
import { useWords } from "../words/words";

export type ToldCall = <N extends CommandName>(
  name: N,
  input: CommandInput<N>,
  /** A sentence that fits better than the general one of a code. */
  sentences?: { readonly [code in ErrorCode]?: string },
) => Promise<CommandOutput<N> | undefined>;

/** The call resolves with the value, or with undefined after the failure was told. */
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
