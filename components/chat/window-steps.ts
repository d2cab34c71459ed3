/** The window one step up or down from the one in use, and what it costs. Pure; for cards, the model menu and the context panel. */
import type { WindowPlan } from "@/lib/models";

export interface WindowStep {
  readonly tokens: number;
  /** Bytes of memory more (or less, when negative) than the window in use takes; null = not known. */
  readonly moreBytes: number | null;
  /** null = not known */
  readonly fits: boolean | null;
}

/** Every step of the plan with its cost against `current` tokens. */
export function windowSteps(plan: WindowPlan, current: number): readonly WindowStep[] {
  const now = bytesAt(plan, current);
  return plan.steps.map(({ tokens, bytes, fits }) => ({
    tokens,
    fits,
    moreBytes: bytes === undefined || now === null ? null : bytes - now,
  }));
}

/** What a window takes that may lie between two steps: memory grows in a straight line with it. */
function bytesAt({ steps }: WindowPlan, tokens: number): number | null {
  const exact = steps.find((step) => step.tokens === tokens);
  if (exact?.bytes !== undefined) return exact.bytes;
  const [first, second] = steps.filter((step) => step.bytes !== undefined);
  if (first?.bytes === undefined || second?.bytes === undefined || second.tokens === first.tokens) return null;
  const perToken = (second.bytes - first.bytes) / (second.tokens - first.tokens);
  return first.bytes + perToken * (tokens - first.tokens);
}

/** The smallest larger window that may fit; null = none. */
export const stepUp = (plan: WindowPlan, current: number): WindowStep | null =>
  windowSteps(plan, current).find((step) => step.tokens > current && step.fits !== false) ?? null;

/** The largest smaller window; null = none. */
export const stepDown = (plan: WindowPlan, current: number): WindowStep | null =>
  windowSteps(plan, current).findLast((step) => step.tokens < current) ?? null;
