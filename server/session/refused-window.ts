/**
 * What a server told when it refused a prompt as too long, or showed when it cut one: its own window and its own count, which hold for
 * the session from then on. In memory: after a restart the next refusal or cut tells it again. Used by agent-host.
 */
import { limits } from "@/lib/settings";
import type { ModelState } from "@/lib/view";
import type { TokenScale } from "@/lib/text/estimate-tokens";
import type { ModelFacts } from "../agent/host";
import { type PromptSize, tokensOf } from "../agent/prompt-size";
import { roomOf } from "../agent/window";

export interface Refusals {
  /** The prompt that was refused has this size; `facts` already follow from what its count taught. */
  take(
    model: ModelState,
    facts: ModelFacts,
    told: { readonly tokens?: number; readonly window?: number },
    size: PromptSize,
  ): void;
  /** It read `read` tokens of a prompt that was longer: no more fits, though no window is believed to be below the smallest. */
  cut(model: ModelState, facts: ModelFacts, read: number): void;
  /** The facts as they are after what was refused or cut. */
  with(model: ModelState, facts: ModelFacts): ModelFacts;
}

/** How much more than expected was counted, of what was not counted before; a little more is within what is left free anyway. */
const littleMore = 1.02;
const most = 6;
const factorOf = (counted: number, expected: number, base: number): number =>
  counted <= expected * littleMore ? 1 : Math.min(most, (counted - base) / Math.max(1, expected - base));

const dearer = (facts: ModelFacts, factor: number): ModelFacts => {
  const { scale, cautious } = roomOf(facts);
  const times = (ratios: TokenScale): TokenScale => ratios.map((ratio) => ratio * factor);
  return {
    ...facts,
    tokenRatio: facts.tokenRatio * factor,
    scale: { likely: times(scale), cautious: times(cautious) },
  };
};

export function makeRefusals(): Refusals {
  let known: { readonly key: string; readonly window: number; readonly factor: number } | null = null;
  const keyOf = ({ provider, model, numCtx, prompt }: ModelState): string =>
    JSON.stringify([provider, model, numCtx, prompt]);
  const apply = (model: ModelState, facts: ModelFacts): ModelFacts => {
    if (known?.key !== keyOf(model)) return facts;
    const counted = known.factor === 1 ? facts : dearer(facts, known.factor);
    return known.window >= facts.window ? counted : { ...counted, window: known.window, asked: facts.window };
  };
  return {
    take(model, given, told, size) {
      const facts = apply(model, given);
      const window = Math.min(facts.window, told.window ?? facts.window);
      // Without a count of its own: it was more than the window, whatever we thought.
      const counted = Math.max(told.tokens ?? 0, window + 1);
      const expected = tokensOf(size, roomOf(facts).scale);
      const before = known?.key === keyOf(model) ? known.factor : 1;
      known = { key: keyOf(model), window, factor: before * factorOf(counted, expected, size.base) };
    },
    cut(model, given, read) {
      const facts = apply(model, given);
      const window = Math.min(facts.window, Math.max(limits.windowMinTokens, read));
      known = { key: keyOf(model), window, factor: known?.key === keyOf(model) ? known.factor : 1 };
    },
    with: apply,
  };
}
