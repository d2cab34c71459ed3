/** The request of a title, beside the conversation. */
import type { SideRequest } from "@/server/agent/side/request-beside";
import { promptFile } from "@/server/prompts/prompts";

export const titleRequest: SideRequest = {
  ask: () => promptFile("title.md"),
  answerTokens: 40,
  thinkingTokens: 256,
};
