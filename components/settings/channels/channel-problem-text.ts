/** Why a channel is not connected, and what to do. */
import type { AgentError } from "@/lib/events/error";
import type { FullMessages } from "../../messages/full-messages";

export function channelProblemText({ code, facts }: AgentError, { channels, errors }: FullMessages): string {
  const { otherProgram, webhook, ...sentences } = channels.problems;
  if (code === "conflict") return facts?.why === "webhook" ? webhook(String(facts.host ?? "")) : otherProgram;
  const ofChannels: Partial<Record<typeof code, string>> = sentences;
  return ofChannels[code] ?? errors.sentences[code];
}

/** Whether the owner may take the account over from another program. */
export const mayTakeOver = ({ code, facts }: AgentError): boolean => code === "conflict" && facts?.why === "webhook";
