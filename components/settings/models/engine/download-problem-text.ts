/** Why the download of a model did not begin. Pure. */
import { type AgentError, anyFacts } from "@/lib/events/error";
import { useFullMessages } from "../../../messages/full-messages";
import { engineErrorText } from "../../../messages/engine-error-text";

/** Returns the sentence for an error of `engine.download`; `hub` = host name that models are downloaded from. */
export function downloadProblemText(
  error: AgentError,
  messages: ReturnType<typeof useFullMessages>,
  hub: string,
): string {
  const { engine: text } = messages;
  const { available, host, status = 0, privateHost } = anyFacts(error);
  switch (error.code) {
    case "not_found":
      if (available === undefined) return text.noRepository(hub);
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
      if (host === undefined || privateHost !== undefined) return engineErrorText(error, messages);
      if (status >= 400) return text.problems.unavailable(host, status);
      return text.problems.unreachable(host);
    default:
      return engineErrorText(error, messages);
  }
}
