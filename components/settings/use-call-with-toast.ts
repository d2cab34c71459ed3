"use client";
/** Command calls that show a toast on failure. */
import { useCallback } from "react";
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import type { ErrorCode } from "@/lib/events/error";
import { useClient } from "../state/client";
import { useMessages } from "../messages/messages";

type CallWithToast = <N extends CommandName>(
  name: N,
  input: CommandInput<N>,
  /** Messages that replace the general message of an error code. */
  sentences?: { readonly [code in ErrorCode]?: string },
) => Promise<CommandOutput<N> | undefined>;

/** Returns a call that resolves with the value, or with undefined after a failure was shown. */
export function useCallWithToast(): CallWithToast {
  const messages = useMessages();
  const { call, toasts } = useClient();
  return useCallback(
    async (name, input, sentences = {}) => {
      const answer = await call(name, input);
      if (answer.ok) return answer.value;
      const { code } = answer.error;
      toasts.show({ text: sentences[code] ?? messages.errors.sentences[code], look: "danger" });
      return undefined;
    },
    [call, toasts, messages],
  );
}
