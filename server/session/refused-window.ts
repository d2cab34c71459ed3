/**
 * What a server told when it refused a prompt as too long, or showed when it cut one: its own window and its own count, which hold for
 * the session from then on. In memory: after a restart the next refusal or cut tells it again. Used by agent-host.
 */
import { limits } from "@/lib/settings";
import type { ModelState } from "@/lib/view";
import type { ModelFacts } from "../agent/host";

export interface Refusals {
  /** `estimate` is our count of the prompt that was refused. */
  take(
    model: ModelState,
    facts: ModelFacts,
    told: { readonly tokens?: number; readonly window?: number },
    estimate: number,
  ): void;
  /** It read `read` tokens of a prompt that was longer: no more fits, though no window is believed to be below the smallest. */
  cut(model: ModelState, facts: ModelFacts, read: number): void;
  /** The facts as they are after what was refused or cut. */
  with(model: ModelState, facts: ModelFacts): ModelFacts;
}

export function makeRefusals(): Refusals {
  let known: { readonly key: string; readonly window: number; readonly ratio: number } | null = null;
  const keyOf = ({ provider, model, numCtx, prompt }: ModelState): string =>
    JSON.stringify([provider, model, numCtx, prompt]);
  const apply = (model: ModelState, facts: ModelFacts): ModelFacts => {
    if (known?.key !== keyOf(model)) return facts;
    const tokenRatio = Math.max(facts.tokenRatio, known.ratio);
    if (known.window >= facts.window) return { ...facts, tokenRatio };
    return { window: known.window, asked: facts.window, tokenRatio };
  };
  return {
    take(model, given, told, estimate) {
      const facts = apply(model, given);
      const window = Math.min(facts.window, told.window ?? facts.window);
      // Without a count of its own: it was more than the window, whatever we thought.
      const counted = Math.max(told.tokens ?? 0, window + 1);
      known = { key: keyOf(model), window, ratio: Math.max(facts.tokenRatio, counted / Math.max(1, estimate)) };
    },
    cut(model, given, read) {
      const facts = apply(model, given);
      const window = Math.min(facts.window, Math.max(limits.windowMinTokens, read));
      known = { key: keyOf(model), window, ratio: facts.tokenRatio };
    },
    with: apply,
  };
}
