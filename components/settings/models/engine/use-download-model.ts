"use client";
/** Starts or continues the download of a model, and says why it cannot. */
import { useQueryClient } from "@tanstack/react-query";
import type { AgentError } from "@/lib/events/error";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { engineErrorText } from "./engine-texts";

/** Resolves with whether it has begun. */
export function useDownloadModel(): (reference: string) => Promise<boolean> {
  const messages = useFullMessages();
  const { call, toasts } = useClient();
  const cache = useQueryClient();
  return async (reference) => {
    const answer = await call("engine.download", { model: reference });
    if (answer.ok) cache.setQueryData(["engine"], answer.value);
    else toasts.show({ text: downloadProblem(answer.error, messages), look: "danger" });
    return answer.ok;
  };
}

function downloadProblem(error: AgentError, messages: ReturnType<typeof useFullMessages>): string {
  const { engine: text } = messages;
  const available = error.facts?.available;
  switch (error.code) {
    case "not_found":
      if (typeof available !== "string") return text.noRepository;
      return available === "" ? text.noGguf : text.noQuantization(available);
    case "bad_input":
      // Or the address of the hub is wrong.
      return error.facts?.variable === undefined ? text.noReference : engineErrorText(error, messages);
    case "no_permission":
      return text.noAccess;
    case "exists":
      return text.exists;
    default:
      return engineErrorText(error, messages);
  }
}
