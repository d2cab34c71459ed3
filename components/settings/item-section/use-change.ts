"use client";
/** A command that changes an item: while it runs its control is busy, and its error is shown beside the control. */
import { useCallback, useState } from "react";
import type { CommandInput, CommandName, CommandOutput } from "@/lib/protocol/command";
import type { AgentError } from "@/lib/events/error";
import { useClient } from "../../state/client";

interface Change<N extends CommandName> {
  readonly isBusy: boolean;
  /** Of the last call; null = it succeeded, or there was none. */
  readonly error: AgentError | null;
  /** Resolves with the answer; undefined = it failed, which `error` has. */
  readonly perform: (input: CommandInput<N>) => Promise<CommandOutput<N> | undefined>;
}

export function useChange<N extends CommandName>(name: N): Change<N> {
  const { call } = useClient();
  const [state, setState] = useState<Pick<Change<N>, "isBusy" | "error">>({ isBusy: false, error: null });
  const perform = useCallback(
    async (input: CommandInput<N>) => {
      setState({ isBusy: true, error: null });
      const answer = await call(name, input);
      setState({ isBusy: false, error: answer.ok ? null : answer.error });
      return answer.ok ? answer.value : undefined;
    },
    [call, name],
  );
  return { ...state, perform };
}
