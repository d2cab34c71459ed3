/** The parts of an AgentHost about the session's model. */
import type { ModelFacts } from "@/lib/models/model-facts";
import type { CountedText } from "@/lib/text/estimate-tokens";
import type { ModelState, SessionView } from "@/lib/view/view";
import { interruptedWorkflow } from "@/lib/workflows/workflow-run";
import { detectTruncatedPrompt, findPreviousUsage } from "@/server/agent/context/context-budget";
import { type PromptSize, requireRunModel } from "@/server/agent/context/prompt-size";
import type { AgentHost } from "@/server/agent/host";
import { findHeldAnswer } from "@/server/agent/loop/close-run";
import { randomId } from "@/server/base/id";
import { makeWindowCorrections } from "../context/window-corrections";
import { changeWithoutTools, learnHistoryUse, refreshedModel, toModelChange } from "./model-change";
import type { SessionServices } from "./services";
import { sessionPrompt } from "./session-prompt";

/** Facts about the session's model, and what its responses teach. */
export function modelParts(view: () => SessionView, services: SessionServices) {
  const refusals = makeWindowCorrections();
  const model = (): ModelState => requireRunModel({ view });
  const reportedFacts = (): ModelFacts => services.modelFacts(model());
  const modelFacts = (): ModelFacts => refusals.apply(model(), reportedFacts());
  return {
    holdId() {
      const { parent, sessionId, workflow } = view();
      const isAwaited =
        parent?.relation !== "subagent" &&
        services.unattendedTerms(sessionId) === null &&
        interruptedWorkflow(workflow).length === 0;
      return isAwaited && services.modelFacts(model()).holdsAnswers === true ? randomId("h") : null;
    },
    endHeldAnswer() {
      const id = findHeldAnswer(view())?.held;
      return id === undefined ? null : services.endHeldAnswer(model().provider, id, view().sessionId);
    },
    async readyModel(onPhase, signal) {
      const before = model();
      const mayDiffer = await services.readyModel(before, onPhase, signal, view().sessionId);
      return mayDiffer && !signal.aborted ? refreshedModel(services, before, view()) : null;
    },
    modelFacts,
    windowChange() {
      const { window, isServers } = reportedFacts();
      return isServers === true && window < model().numCtx
        ? { type: "model_change", ...model(), numCtx: modelFacts().window }
        : null;
    },
    async countPrompt(prepared, mayWake, signal) {
      // What a server makes of images is known after it has read them.
      const tokens =
        prepared.imageTokens > 0
          ? null
          : await services.countTokens(prepared.request, mayWake, signal, view().sessionId);
      const counted = tokens === null ? null : countNewText(prepared, tokens);
      if (counted !== null) services.learnCount(model(), counted);
      return tokens;
    },
    recordRefusedPrompt(sizes, size) {
      const counted = sizes.tokens === undefined ? null : countNewText(size, sizes.tokens);
      if (counted !== null) services.learnCount(model(), counted);
      refusals.recordRefusal(model(), reportedFacts(), sizes, size);
    },
    recordTruncatedPrompt: (read) => refusals.recordTruncation(model(), reportedFacts(), read),
    // A server that truncates prompts reports a count that is unrelated to the model's tokens.
    learnUsage(usage, size) {
      const before = findPreviousUsage(view());
      if (detectTruncatedPrompt(usage, modelFacts(), before, size) !== null) return;
      services.learn(model(), usage, countNewText(size, usage.promptTokens));
    },
    switchToTextTools(scope) {
      const choice = services.textToolMode(model(), view().projectId, scope);
      return choice === null ? null : toModelChange(services, choice);
    },
    leaveOutTools: (names) => changeWithoutTools(services, model(), sessionPrompt(view(), services), names),
    learnLateSplit: (split) => services.saveLateSplit(model(), split),
    changeHistoryUse: (refusal) => learnHistoryUse(services, model(), refusal),
  } satisfies Partial<AgentHost>;
}

/**
 * Tokens of the text that was not counted before, from a count of the whole prompt; null = there are images, whose tokens
 * are not known, or reasoning that may not have been read.
 */
const countNewText = ({ countedTokens, counts, fixed, omissible }: PromptSize, tokens: number): CountedText | null =>
  fixed > 0 || omissible > 0 ? null : { counts, tokens: tokens - countedTokens };
