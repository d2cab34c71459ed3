/** The steps of a run as a list: those that ran, and those that may still run. Pure. */
import type { WorkflowStepKind } from "./workflow";
import type { StepRecord, WorkflowRun, WorkflowStepState } from "./workflow-run";
import type { WorkflowStepView } from "./workflow-views";

export interface WorkflowRow {
  readonly key: string;
  /** Workflows around it. */
  readonly depth: number;
  readonly kind: WorkflowStepKind;
  readonly title: string;
  readonly state: WorkflowStepState | "pending";
  /** null = it has not begun. */
  readonly record: StepRecord | null;
}

export function workflowRows({ plan, steps }: Pick<WorkflowRun, "plan" | "steps">): readonly WorkflowRow[] {
  const rowsOf = (views: readonly WorkflowStepView[], prefix: string, depth: number): readonly WorkflowRow[] =>
    views.flatMap(({ id, kind, title, steps: inner = [] }): readonly WorkflowRow[] => {
      const base = `${prefix}${id}`;
      const records = [...steps.values()].filter(({ key }) => key === base || isItem(key, base));
      if (records.length === 0)
        return [
          { key: base, depth, kind, title, state: "pending", record: null },
          ...rowsOf(inner, `${base}/`, depth + 1),
        ];
      return records.flatMap((record) => [
        { key: record.key, depth, kind, title: record.title, state: record.state, record },
        ...(record.state === "skipped" ? [] : rowsOf(inner, `${record.key}/`, depth + 1)),
      ]);
    });
  return rowsOf(plan, "", 0);
}

const isItem = (key: string, base: string): boolean =>
  key.startsWith(`${base}[`) && /^\[\d+\]$/.test(key.slice(base.length));
