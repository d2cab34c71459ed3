/** The parts of an AgentHost about the session's model. */
import type { ModelFacts } from "@/lib/models/model-facts";
import type { CountedText } from "@/lib/text/estimate-tokens";
import type { ModelState, SessionView } from "@/lib/view/view";
import { detectTruncatedPrompt, findPreviousUsage } from "@/server/agent/context/context-budget";
import type { PromptSize } from "@/server/agent/context/prompt-size";
import type { AgentHost } from "@/server/agent/host";
import { makeWindowCorrections } from "../context/window-corrections";
import { learnHistoryUse, toModelChange } from "./model-change";
import type { SessionServices } from "./services";

/** Facts about the session's model, and what its responses teach. */
export function modelParts(
  view: () => SessionView,
  services: SessionServices,
): Pick<
  AgentHost,
  | "modelFacts"
  | "windowChange"
  | "recordRefusedPrompt"
  | "recordTruncatedPrompt"
  | "learnUsage"
  | "switchToTextTools"
  | "changeHistoryUse"
> {
  const refusals = makeWindowCorrections();
  const reportedFacts = (): ModelFacts => services.modelFacts(requireModel(view()));
  const modelFacts = (): ModelFacts => refusals.apply(requireModel(view()), reportedFacts());
  return {
    modelFacts,
    windowChange() {
      const model = requireModel(view());
      const { window, isServers } = reportedFacts();
      return isServers === true && window < model.numCtx
        ? { type: "model_change", ...model, numCtx: modelFacts().window }
        : null;
    },
    recordRefusedPrompt(sizes, size) {
      const counted = sizes.tokens === undefined ? null : countNewText(size, sizes.tokens);
      if (counted !== null) services.learnCount(requireModel(view()), counted);
      refusals.recordRefusal(requireModel(view()), reportedFacts(), sizes, size);
    },
    recordTruncatedPrompt: (read) => refusals.recordTruncation(requireModel(view()), reportedFacts(), read),
    // A server that truncates prompts reports a count that is unrelated to the model's tokens.
    learnUsage(usage, size) {
      const before = findPreviousUsage(view());
      if (detectTruncatedPrompt(usage, modelFacts(), before, size) !== null) return;
      services.learn(requireModel(view()), usage, countNewText(size, usage.promptTokens));
    },
    switchToTextTools() {
      const choice = services.textToolMode(requireModel(view()), view().projectId);
      return choice === null ? null : toModelChange(services, choice);
    },
    changeHistoryUse: (refusal) => learnHistoryUse(services, requireModel(view()), refusal),
  };
}

/**
 * Tokens of the text that was not counted before, from a count of the whole prompt; null = there are images, whose tokens
 * are not known, or reasoning that may not have been read.
 */
const countNewText = ({ countedTokens, counts, fixed, omissible }: PromptSize, tokens: number): CountedText | null =>
  fixed > 0 || omissible > 0 ? null : { counts, tokens: tokens - countedTokens };

/** The session's model. Throws without one: a run starts with a model. */
export function requireModel(view: SessionView): ModelState {
  if (view.model === null) throw new Error("a run was started without a model");
  return view.model;
}
