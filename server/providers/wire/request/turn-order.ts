/**
 * Orders messages by the roles that strict chat templates require (Gemma, Mistral): after the system text a user, then
 * user and assistant in alternation, with results after the calls of an assistant. The last message is never the
 * assistant's, which servers would continue as the start of the answer. Works message by message from the front, so
 * that a request still begins with the bytes of the previous one. Pure.
 */
import type { ModelMessage } from "../../provider";

type UserMessage = Extract<ModelMessage, { role: "user" }>;

/** Inserted where an answer follows an answer, and after a final answer. */
const continueMessage: UserMessage = { role: "user", text: "Continue." };
/**
 * Inserted between results, or images, and the user's next text: Mistral's templates count only users and answers
 * without calls.
 */
const notedMessage: ModelMessage = { role: "assistant", text: "Noted." };

/** Returns the same conversation without two neighbours of one role; user texts are joined by an empty line. */
export function alternateRoles(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const ordered: ModelMessage[] = [];
  for (const message of messages) {
    const last = ordered.at(-1);
    if (message.role === "user" && last?.role === "user" && (last.images ?? []).length === 0) {
      ordered[ordered.length - 1] = joinUserTexts(last, message);
      continue;
    }
    // Text cannot follow images within one message, and before them it would change bytes already sent.
    if (message.role === "user" && awaitsAnswer(last)) ordered.push(notedMessage);
    if (message.role === "assistant" && !awaitsAnswer(last)) ordered.push(continueMessage);
    ordered.push(message);
  }
  return awaitsAnswer(ordered.at(-1)) ? ordered : [...ordered, continueMessage];
}

const awaitsAnswer = (last: ModelMessage | undefined): boolean => last?.role === "user" || last?.role === "tool";

const joinUserTexts = (one: UserMessage, { text, ...other }: UserMessage): UserMessage => ({
  ...other,
  text: [one.text, text].filter((words) => words !== "").join("\n\n"),
});
