/**
 * The order of roles that strict chat templates demand (Gemma, Mistral): after the system text a user, then user and assistant
 * in turn, with results behind the calls of an assistant; the last word is never the assistant's, which servers would take as
 * the start of the answer. Message by message and from the front, so that a request still begins with the bytes of the one
 * before. Pure; used by the messages of each provider.
 */
import type { ModelMessage } from "./provider";

type UserMessage = Extract<ModelMessage, { role: "user" }>;

/** Stands where an answer follows an answer, or would have to. */
const goOn: UserMessage = { role: "user", text: "Continue." };
/** Stands between results, or images, and the user's next words: Mistral's templates count only users and answers without calls. */
const noted: ModelMessage = { role: "assistant", text: "Noted." };

/** The same conversation with no two neighbours of one role; texts of users are joined by an empty line. */
export function inTurns(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const ordered: ModelMessage[] = [];
  for (const message of messages) {
    const last = ordered.at(-1);
    if (message.role === "user" && last?.role === "user" && (last.images ?? []).length === 0) {
      ordered[ordered.length - 1] = joined(last, message);
      continue;
    }
    // Words cannot follow images within one message, and before them they would change what was sent.
    if (message.role === "user" && mayAnswer(last)) ordered.push(noted);
    if (message.role === "assistant" && !mayAnswer(last)) ordered.push(goOn);
    ordered.push(message);
  }
  return mayAnswer(ordered.at(-1)) ? ordered : [...ordered, goOn];
}

const mayAnswer = (last: ModelMessage | undefined): boolean => last?.role === "user" || last?.role === "tool";

const joined = (one: UserMessage, { text, ...other }: UserMessage): UserMessage => ({
  ...other,
  text: [one.text, text].filter((words) => words !== "").join("\n\n"),
});
