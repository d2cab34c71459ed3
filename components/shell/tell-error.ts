/** Says at the edge of the screen why something did not work. */
import type { AgentError } from "@/lib/error";
import type { Client } from "../state/client";
import type { Words } from "../words/words";

export const tellError = (client: Client, words: Words, error: AgentError): void =>
  client.toasts.show({ text: errorText(words, error), look: "danger" });

/** The sentence of an error, with the model's name where that is what it is about. */
export const errorText = (words: Words, { code, facts }: AgentError): string =>
  code === "no_vision" && typeof facts?.model === "string"
    ? words.composer.noVision(facts.model)
    : words.errors.sentences[code];
