/**
 * What a server told when it refused a prompt as too long: its own window and its own count, which hold for the session from then on.
 * In memory: after a restart the next refusal tells it again. Used by agent-host.
 */
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
  /** The facts as they are after what was refused. */
  with(model: ModelState, facts: ModelFacts): ModelFacts;
}

export function makeRefusals(): Refusals {
  let known: { readonly key: string; readonly window: number; readonly ratio: number } | null = null;
  const keyOf = ({ provider, model, numCtx, prompt }: ModelState): string =>
    JSON.stringify([provider, model, numCtx, prompt]);
  const apply = (model: ModelState, facts: ModelFacts): ModelFacts =>
    known?.key === keyOf(model)
      ? { window: Math.min(facts.window, known.window), tokenRatio: Math.max(facts.tokenRatio, known.ratio) }
      : facts;
  return {
    take(model, given, told, estimate) {
      const facts = apply(model, given);
      const window = Math.min(facts.window, told.window ?? facts.window);
      // Without a count of its own: it was more than the window, whatever we thought.
      const counted = Math.max(told.tokens ?? 0, window + 1);
      known = { key: keyOf(model), window, ratio: Math.max(facts.tokenRatio, counted / Math.max(1, estimate)) };
    },
    with: apply,
  };
}
