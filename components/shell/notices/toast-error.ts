/** Shows an error toast with the message of an error. */
import type { AgentError } from "@/lib/events/error";
import type { AppClient } from "../../state/client";
import type { Messages } from "../../messages/messages";

export const toastError = (client: AppClient, messages: Messages, error: AgentError): void =>
  client.toasts.show({ text: errorText(messages, error), look: "danger" });

/** Returns the message of an error; `no_vision` includes the model's name. */
export const errorText = (messages: Messages, { code, facts }: AgentError): string =>
  code === "no_vision" && typeof facts?.model === "string"
    ? messages.composer.noVision(facts.model)
    : messages.errors.sentences[code];
