/** The windows of a model as rows to choose from. Pure; for window-plan.tsx. */
import type { WindowPlan } from "@/lib/models";

export interface PlanRow {
  /** What is saved when it is chosen: tokens, 0 = automatic. */
  readonly value: number;
  /** tokens; of the automatic row what it comes to, null while a choice of the user stands in its place */
  readonly tokens: number | null;
  /** The model and its cache together; absent = not known. */
  readonly bytes?: number;
  readonly fits: boolean | null;
  /** 0 to 1 of the memory the server's machine has, more than 1 = too much; null = not known. */
  readonly share: number | null;
  readonly isChosen: boolean;
}

/** Automatic first, then the steps by size. A choice that is no step stands among them. `isUsers`: chosen for this very model. */
export function planRows(plan: WindowPlan, isUsers: boolean): readonly PlanRow[] {
  const isStep = plan.steps.some((step) => step.tokens === plan.chosen);
  const own = isUsers && !isStep ? [{ tokens: plan.chosen, fits: null }] : [];
  const steps = [...plan.steps, ...own].sort((a, b) => a.tokens - b.tokens);
  const rows = steps.map((step): PlanRow => {
    const bytes = "bytes" in step ? step.bytes : undefined;
    return {
      value: step.tokens,
      tokens: step.tokens,
      ...(bytes === undefined ? {} : { bytes }),
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
      ...(automatic?.bytes === undefined ? {} : { bytes: automatic.bytes }),
      fits: automatic?.fits ?? null,
      share: automatic?.share ?? null,
      isChosen: !isUsers,
    },
    ...rows,
  ];
}
