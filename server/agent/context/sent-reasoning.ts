/** Decides which reasoning of a conversation goes back to the server of its model. Pure and per message. */
import type { ModelState } from "@/lib/view/view";
import type { ModelMessage } from "@/server/providers/provider";
import { weakMemo } from "@/server/base/weak-memo";

type Answer = Extract<ModelMessage, { role: "assistant" }>;

/** Reasoning that is not sent back is thinking like that of a text: a text tool mode may show it before a call. */
const withoutReasoning = weakMemo(({ reasoning, ...answer }: Answer): Answer => {
  if (answer.calls === undefined || reasoning === undefined) return answer;
  const thinking = [reasoning.text, answer.thinking ?? ""].filter((part) => part !== "").join("\n");
  return { ...answer, thinking };
});

/**
 * Leaves reasoning only where it goes back: to the server that sent it, unless that refuses it. Other messages stay the same
 * objects.
 */
export function selectReasoning(
  { provider, reasoning: use }: Pick<ModelState, "provider" | "reasoning">,
  messages: readonly ModelMessage[],
): readonly ModelMessage[] {
  const isSent = ({ reasoning }: Answer): boolean =>
    reasoning === undefined || (use !== "drop" && reasoning.server === provider);
  return messages.some((message) => message.role === "assistant" && !isSent(message))
    ? messages.map((message) =>
        message.role === "assistant" && !isSent(message) ? withoutReasoning(message) : message,
      )
    : messages;
}

/** The reasoning that a chat template may leave out: that before the user's last message, or, as many do, all of it. */
export const omissibleReasoning = (messages: readonly ModelMessage[]): readonly string[] =>
  messages
    .flatMap((message) => (message.role === "assistant" ? [message.reasoning?.text ?? ""] : []))
    .filter((text) => text !== "");
