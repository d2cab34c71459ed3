/** The context window one step above or below the one in use, with its memory cost. Pure. */
import type { WindowPlan } from "@/lib/models/models";

export interface WindowStep {
  readonly tokens: number;
  /** Memory difference to the window in use, bytes, negative = less; null = unknown. */
  readonly moreBytes: number | null;
  /** null = unknown */
  readonly fits: boolean | null;
}

/** Returns every step of the plan with its cost relative to `current` tokens. */
export function windowSteps(plan: WindowPlan, current: number): readonly WindowStep[] {
  const now = interpolateBytes(plan, current);
  return plan.steps.map(({ tokens, bytes, fits }) => ({
    tokens,
    fits,
    moreBytes: bytes === undefined || now === null ? null : bytes - now,
  }));
}

/** Memory of a window in bytes; interpolates between steps, since memory grows linearly with the window. */
function interpolateBytes({ steps }: WindowPlan, tokens: number): number | null {
  const exact = steps.find((step) => step.tokens === tokens);
  if (exact?.bytes !== undefined) return exact.bytes;
  const [first, second] = steps.filter((step) => step.bytes !== undefined);
  if (first?.bytes === undefined || second?.bytes === undefined || second.tokens === first.tokens) return null;
  const perToken = (second.bytes - first.bytes) / (second.tokens - first.tokens);
  return first.bytes + perToken * (tokens - first.tokens);
}

/** The smallest window above `current`, with at least `needed` tokens, that may fit; null = none. */
export const nextLargerWindow = (plan: WindowPlan, current: number, needed = 0): WindowStep | null =>
  windowSteps(plan, current).find(({ tokens, fits }) => tokens > current && tokens >= needed && fits !== false) ?? null;

/** Why there is no larger window: the model was trained for less, or the memory is too small; null = it may be set by hand. */
export function findWindowLimit(plan: WindowPlan, current: number, needed = 0): "model" | "memory" | null {
  const { own = Number.POSITIVE_INFINITY, steps } = plan;
  if (own <= current || own < needed) return "model";
  return steps.some(({ tokens, fits }) => tokens > current && tokens >= needed && fits === false) ? "memory" : null;
}

/** The largest smaller window; null = none. */
export const nextSmallerWindow = (plan: WindowPlan, current: number): WindowStep | null =>
  windowSteps(plan, current).findLast((step) => step.tokens < current) ?? null;
