/** Shows an error toast with the message of an error. */
import type { AgentError } from "@/lib/events/error";
import type { AppClient } from "../../state/client";
import type { Messages } from "../../messages/messages";

export const toastError = (client: AppClient, messages: Messages, error: AgentError): void =>
  client.toasts.show({ text: errorText(messages, error), look: "danger" });

/** Returns the message of an error; it includes the name of a model without vision, and of a reference. */
export function errorText(messages: Messages, { code, facts = {} }: AgentError): string {
  const { composer, errors } = messages;
  if (code === "no_vision" && typeof facts.model === "string") return composer.noVision(facts.model);
  const { reference, tokens, maxTokens, totalLines } = facts;
  if (typeof reference !== "string") return errors.sentences[code];
  if (reference.startsWith("skill:"))
    return code === "tool_off" ? composer.references.skillOff(reference) : composer.references.skill(reference);
  if (typeof totalLines === "number") return composer.references.pastEnd(reference, totalLines);
  return typeof tokens === "number" && typeof maxTokens === "number"
    ? composer.references.tooLarge(reference, messages.figures.tokens(tokens), messages.figures.tokens(maxTokens))
    : composer.references.refused(reference, errors.sentences[code]);
}
