/** Sentences for errors of APIs: what happened, and the next step. Pure. */
import { type AgentError, anyFacts } from "@/lib/events/error";
import { errorSentence, reasonSentence } from "@/lib/events/error-sentences";
import type { FullMessages } from "../../messages/full-messages";
import { joinSentences } from "../../messages/join-sentences";

/** Why a description could not be read once more. */
export function apiReloadErrorText(error: AgentError, messages: FullMessages): string {
  const { problems } = messages.apis;
  if (error.code === "not_found") return apiErrorText(error, messages);
  const isSyntax = error.code === "bad_input" && error.facts?.reason === "syntax";
  const problem = isSyntax ? problems.syntaxAtReload(error.facts.line) : apiErrorText(error, messages);
  return joinSentences(messages, [problem, problems.staysLoaded]);
}

export function apiErrorText(error: AgentError, { apis, errors }: FullMessages): string {
  const { reasons, sentences, unreachable } = apis.problems;
  const reason = reasonSentence(reasons, error, null);
  if (reason !== undefined) return reason;
  const { code, detail = "" } = error;
  const { host = "" } = anyFacts(error);
  if (host !== "") return unreachable(host);
  // A failed trial has the text that a model would get.
  if (detail !== "") return detail;
  return errorSentence(sentences, error, null) ?? (code === "not_found" ? apis.missing : errors.sentences[code]);
}
