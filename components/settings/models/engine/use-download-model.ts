"use client";
/** Starts or continues the download of a model. */
import { useQueryClient } from "@tanstack/react-query";
import type { AgentError } from "@/lib/events/error";
import { useFullMessages } from "../../../messages/full-messages";
import { useClient } from "../../../state/client";
import { engineErrorText } from "../../../messages/engine-error-text";

/** Resolves with null if it has begun, else with the reason. */
export function useDownloadModel(): (reference: string) => Promise<AgentError | null> {
  const { call } = useClient();
  const cache = useQueryClient();
  return async (reference) => {
    const answer = await call("engine.download", { model: reference });
    if (answer.ok) cache.setQueryData(["engine.state", {}], answer.value);
    return answer.ok ? null : answer.error;
  };
}

/** Sentence for an error of `useDownloadModel`; `hub` = host name that models are downloaded from. */
export function downloadProblemText(
  error: AgentError,
  messages: ReturnType<typeof useFullMessages>,
  hub: string,
): string {
  const { engine: text } = messages;
  const { available, host, status, privateHost } = error.facts ?? {};
  switch (error.code) {
    case "not_found":
      if (typeof available !== "string") return text.noRepository(hub);
      return available === "" ? text.noGguf : text.noQuantization(available);
    case "bad_input":
      // Or the address of the hub is wrong.
      return error.facts?.variable === undefined ? text.noReference : engineErrorText(error, messages);
    case "no_permission":
      return text.noAccess(hub);
    case "exists":
      return text.exists;
    case "model_file_broken":
      return text.brokenOnServer;
    case "download_failed":
      // Nothing has arrived that would be kept.
      if (typeof host !== "string" || privateHost !== undefined) return engineErrorText(error, messages);
      if (typeof status === "number" && status >= 400) return text.problems.unavailable(host, status);
      return text.problems.unreachable(host);
    default:
      return engineErrorText(error, messages);
  }
}
