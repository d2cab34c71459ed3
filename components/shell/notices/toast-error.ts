/** Shows an error toast with the message of an error. */
import { type AgentError, anyFacts } from "@/lib/events/error";
import type { AppClient } from "../../state/client";
import type { Messages } from "../../messages/messages";

export const toastError = (client: AppClient, messages: Messages, error: AgentError): void =>
  client.toasts.show({ text: errorText(messages, error), look: "danger" });

/** Returns the message of an error; it includes the name of a model without vision, and of a reference. */
export function errorText(messages: Messages, error: AgentError): string {
  const { composer, errors } = messages;
  const { code } = error;
  const { model, reference, tokens, maxTokens, totalLines } = anyFacts(error);
  if (code === "no_vision" && model !== undefined) return composer.noVision(model);
  if (reference === undefined) return errors.sentences[code];
  if (reference.startsWith("skill:"))
    return code === "tool_off" ? composer.references.skillOff(reference) : composer.references.skill(reference);
  if (typeof totalLines === "number") return composer.references.pastEnd(reference, totalLines);
  return tokens === undefined || maxTokens === undefined
    ? composer.references.refused(reference, errors.sentences[code])
    : composer.references.tooLarge(reference, messages.figures.tokens(tokens), messages.figures.tokens(maxTokens));
}
