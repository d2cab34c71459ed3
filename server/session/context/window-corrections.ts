/**
 * Window and token count that a server reported when it refused a prompt as too long, or revealed when it truncated
 * one; they apply to the session from then on. In memory only: after a restart the next refusal or truncation reports
 * them again.
 */
import { serverLimits } from "@/lib/settings/server-limits";
import type { ModelState } from "@/lib/view/view";
import type { TokenScale } from "@/lib/text/estimate-tokens";
import type { ModelFacts } from "@/lib/models/model-facts";
import { type PromptSize, promptTokens } from "@/server/agent/context/prompt-size";
import { contextBudget } from "@/server/agent/context/context-budget";

interface WindowCorrections {
  /** Records a refusal of a prompt of this size; `facts` already include what its count taught. */
  recordRefusal(
    model: ModelState,
    facts: ModelFacts,
    reported: { readonly tokens?: number; readonly window?: number },
    size: PromptSize,
  ): void;
  /** Records that the server read only `read` tokens of a longer prompt. The window is never set below the minimum. */
  recordTruncation(model: ModelState, facts: ModelFacts, read: number): void;
  /** The facts corrected by recorded refusals and truncations. */
  apply(model: ModelState, facts: ModelFacts): ModelFacts;
}

/** Tolerated excess of the count over the expectation; the reserved margin covers it. */
const toleratedExcess = 1.02;
const maxFactor = 6;
const countFactor = (counted: number, expected: number, base: number): number =>
  counted <= expected * toleratedExcess ? 1 : Math.min(maxFactor, (counted - base) / Math.max(1, expected - base));

const scaleTokens = (facts: ModelFacts, factor: number): ModelFacts => {
  const { scale, cautious } = contextBudget(facts);
  const times = (ratios: TokenScale): TokenScale => ratios.map((ratio) => ratio * factor);
  return {
    ...facts,
    tokenRatio: facts.tokenRatio * factor,
    scale: { likely: times(scale), cautious: times(cautious) },
  };
};

export function makeWindowCorrections(): WindowCorrections {
  let correction: { readonly key: string; readonly window: number; readonly factor: number } | null = null;
  const keyOf = ({ provider, model, numCtx, prompt }: ModelState): string =>
    JSON.stringify([provider, model, numCtx, prompt]);
  const apply = (model: ModelState, facts: ModelFacts): ModelFacts => {
    if (correction?.key !== keyOf(model)) return facts;
    const counted = correction.factor === 1 ? facts : scaleTokens(facts, correction.factor);
    return correction.window >= facts.window ? counted : { ...counted, window: correction.window, asked: facts.window };
  };
  return {
    recordRefusal(model, modelFacts, reported, size) {
      const facts = apply(model, modelFacts);
      const window = Math.min(facts.window, reported.window ?? facts.window);
      // Without a count, the prompt had more tokens than the window, whatever the estimate.
      const counted = Math.max(reported.tokens ?? 0, window + 1);
      const expected = promptTokens(size, contextBudget(facts).scale);
      const before = correction?.key === keyOf(model) ? correction.factor : 1;
      correction = { key: keyOf(model), window, factor: before * countFactor(counted, expected, size.countedTokens) };
    },
    recordTruncation(model, modelFacts, read) {
      const facts = apply(model, modelFacts);
      const window = Math.min(facts.window, Math.max(serverLimits.windowMinTokens, read));
      correction = { key: keyOf(model), window, factor: correction?.key === keyOf(model) ? correction.factor : 1 };
    },
    apply,
  };
}
