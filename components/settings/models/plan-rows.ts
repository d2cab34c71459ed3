/** Selectable window sizes of a model as rows. Pure. */
import type { WindowPlan } from "@/lib/models/models";

export interface PlanRow {
  /** Value saved when selected: tokens, 0 = automatic. */
  readonly value: number;
  /** tokens; the automatic row has its resulting size, null while a user's choice replaces it */
  readonly tokens: number | null;
  /** Model and KV cache together; absent = unknown. */
  readonly bytes?: number;
  readonly fits: boolean | null;
  /** Fraction of the server machine's memory, above 1 = too much; null = unknown. */
  readonly share: number | null;
  readonly isChosen: boolean;
}

/**
 * Returns the automatic row first, then the steps by size. A chosen size that is not a step gets its own row.
 * `isUsers`: the user chose the window for this model.
 */
export function planRows(plan: WindowPlan, isUsers: boolean): readonly PlanRow[] {
  const isStep = plan.steps.some((step) => step.tokens === plan.chosen);
  const own = isUsers && !isStep ? [{ tokens: plan.chosen, fits: null }] : [];
  const steps = [...plan.steps, ...own].sort((a, b) => a.tokens - b.tokens);
  const rows = steps.map((step): PlanRow => {
    const bytes = "bytes" in step ? step.bytes : undefined;
    return {
      value: step.tokens,
      tokens: step.tokens,
      bytes,
      fits: step.fits,
      share: bytes === undefined || plan.memoryBytes === undefined ? null : bytes / plan.memoryBytes,
      isChosen: isUsers && step.tokens === plan.chosen,
    };
  });
  const automatic = rows.find((row) => !isUsers && row.tokens === plan.chosen);
  return [
    {
      value: 0,
      tokens: isUsers ? null : plan.chosen,
      bytes: automatic?.bytes,
      fits: automatic?.fits ?? null,
      share: automatic?.share ?? null,
      isChosen: !isUsers,
    },
    ...rows,
  ];
}
