/** Sentences for errors of MCP servers and of the files that name them: what happened, and the next step. Pure. */
import { type AgentError, anyFacts } from "@/lib/events/error";
import { errorSentence, reasonSentence } from "@/lib/events/error-sentences";
import type { FullMessages } from "../../messages/full-messages";

export function mcpErrorText(error: AgentError, { mcp, errors, figures }: FullMessages): string {
  const { reasons, sentences } = mcp.problems;
  return (
    reasonSentence(reasons, error, figures) ??
    errorSentence(sentences, error, figures) ??
    (error.code === "not_found" ? mcp.missing : errors.sentences[error.code])
  );
}

/** Returns the output of the server or the system about an error; "" = none. */
export function mcpErrorDetails(error: AgentError): string {
  const { reason, line, lines = [] } = anyFacts(error);
  return [error.detail ?? "", reason === "no_protocol" ? `${line}` : lines.join("\n")]
    .filter((part) => part !== "")
    .join("\n");
}
