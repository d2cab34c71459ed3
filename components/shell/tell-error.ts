/** Says at the edge of the screen why something did not work. */
import type { AgentError } from "@/lib/error";
import type { Client } from "../state/client";
import type { Words } from "../words/words";

export const tellError = (client: Client, words: Words, error: AgentError): void =>
  client.toasts.show({ text: words.errors.sentences[error.code], look: "danger" });
