/** Describes a subagent's role and its end to the model. It follows the blocks that the subagent shares with its parent. */
import { serverLimits } from "@/lib/settings/server-limits";
import { limits } from "@/lib/settings/settings";
import type { ContextSource } from "@/server/agent/context/context-source";
import { promptFile } from "@/server/prompts/prompts";

/** Tokens of a subagent's answer in the window of its parent, which is also its own. */
export const subagentAnswerTokens = (window: number): number => Math.floor(window * serverLimits.subagentAnswerShare);

/** About three words are four tokens; rounded, so that it reads as an estimate. */
const toWords = (tokens: number): number => Math.floor((tokens * 0.75) / 50) * 50;

export const subagentSource: ContextSource = {
  topic: "subagent",
  kind: "notice",
  order: { message: 35, compaction: 25 },
  resend: "when_absent",
  text: ({ view }) =>
    view.parent?.relation === "subagent"
      ? promptFile("subagent.md")
          .replace("{{steps}}", String(limits.subagentSteps))
          .replace(
            "{{words}}",
            String(toWords(subagentAnswerTokens(view.model?.numCtx ?? serverLimits.windowMinTokens))),
          )
      : null,
};
