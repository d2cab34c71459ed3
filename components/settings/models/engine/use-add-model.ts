"use client";
/** Adds a model file of this machine. */
import type { AgentError, ErrorCode } from "@/lib/events/error";
import type { CommandInput } from "@/lib/protocol/command";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { performCommand } from "../../../state/command-answers";
import { invalidateCommands } from "../../../state/command-query";
import { engineErrorText } from "../../../messages/engine-error-text";

/** Adds a model and says how to use it; resolves with null, or with why it was not added. */
export function useAddModel(): (input: CommandInput<"engine.add">) => Promise<AgentError | null> {
  const text = useFullMessages().engine;
  const client = useClient();
  return async (input) => {
    const answer = await performCommand(client, "engine.add", input);
    if (!answer.ok) return answer.error;
    void invalidateCommands(client.cache, ["engine.find"]);
    client.toasts.show({ text: text.added(answer.value.models.at(-1)?.name ?? "") });
    return null;
  };
}

/** Sentence for an error of `useAddModel`. */
export function addProblemText(error: AgentError, messages: ReturnType<typeof useFullMessages>): string {
  const { engine: text } = messages;
  const sentences: { readonly [code in ErrorCode]?: string } = {
    exists: text.exists,
    not_found: text.noFile,
    bad_path: text.notAbsolute,
  };
  return sentences[error.code] ?? engineErrorText(error, messages);
}
