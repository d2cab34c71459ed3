/** Shows an error toast with the message of an error. */
import type { AgentError } from "@/lib/error";
import type { Client } from "../state/client";
import type { Words } from "../words/words";

export const tellError = (client: Client, words: Words, error: AgentError): void =>
  client.toasts.show({ text: errorText(words, error), look: "danger" });

/** Returns the message of an error; `no_vision` includes the model's name. */
export const errorText = (words: Words, { code, facts }: AgentError): string =>
  code === "no_vision" && typeof facts?.model === "string"
    ? words.composer.noVision(facts.model)
    : words.errors.sentences[code];
