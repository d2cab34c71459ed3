"use client";
/** Commands that change MCP servers: the answer replaces the cached state, a failure is shown as a toast. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { CommandInput, CommandOutput } from "@/lib/protocol/command";
import { useFullMessages } from "../../messages/full-messages";
import { useClient } from "../../state/client";
import { mcpErrorText } from "./mcp-error-text";

type ChangeCommand =
  `mcp.${"add" | "approve" | "accept" | "set_tool" | "set_value" | "disable" | "remove" | "stop" | "stop_pin" | "sign_out"}`;

/** Resolves with the new state, or with undefined after a failure was shown. */
export type ChangeServers = <N extends ChangeCommand>(
  name: N,
  input: CommandInput<N>,
) => Promise<CommandOutput<N> | undefined>;

export function useChangeServers(): ChangeServers {
  const messages = useFullMessages();
  const { call, toasts } = useClient();
  const cache = useQueryClient();
  return useCallback(
    async (name, input) => {
      const answer = await call(name, input);
      if (!answer.ok) {
        toasts.show({ text: mcpErrorText(answer.error, messages), look: "danger" });
        return undefined;
      }
      const queryKey = ["mcp.state", { projectId: input.projectId }];
      // An answer that is on its way is older.
      await cache.cancelQueries({ queryKey, exact: true });
      cache.setQueryData(queryKey, answer.value);
      return answer.value;
    },
    [call, toasts, cache, messages],
  );
}
