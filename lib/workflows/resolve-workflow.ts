/** Finds the workflows that a workflow runs as steps, before anything runs. Pure. */
import { type Workflow, workflowLimits, type WorkflowStep } from "./workflow";
import type { WorkflowStepView } from "./workflow-views";

/** A workflow with all that its steps run, by name. */
export interface WorkflowSet {
  readonly root: Workflow;
  readonly workflows: ReadonlyMap<string, Workflow>;
}

/** `step` = index of the step of the outermost workflow that leads to the problem. */
type ResolvedWorkflow =
  | { readonly ok: true; readonly set: WorkflowSet }
  | {
      readonly ok: false;
      readonly problem: {
        readonly kind: "unknown_workflow" | "cycle" | "too_deep" | "too_many";
        readonly step: number;
        readonly detail: string;
      };
    };

interface WorkflowMeasure {
  readonly depth: number;
  readonly steps: number;
}

/** `find` returns a workflow without problems by its name. Each name is looked up once: linear in the workflows. */
export function resolveWorkflow(root: Workflow, find: (name: string) => Workflow | undefined): ResolvedWorkflow {
  const workflows = new Map([[root.name, root]]);
  /** Longest chain below each workflow that was looked at, and its steps with those below. */
  const measures = new Map<string, WorkflowMeasure>();
  let problem: Extract<ResolvedWorkflow, { ok: false }>["problem"] | null = null;
  const visit = (workflow: Workflow, above: readonly string[], first: number | null): WorkflowMeasure => {
    let depth = 1;
    let steps = workflow.steps.length;
    for (const [index, { kind, text: name }] of workflow.steps.entries()) {
      if (kind !== "workflow" || problem !== null) continue;
      const step = first ?? index;
      if (name === workflow.name || above.includes(name)) problem = { kind: "cycle", step, detail: name };
      else if (above.length + 2 > workflowLimits.depth) problem = { kind: "too_deep", step, detail: name };
      if (problem !== null) break;
      const measured = measures.get(name);
      const nested = workflows.get(name) ?? find(name);
      if (nested === undefined) {
        problem = { kind: "unknown_workflow", step, detail: name };
        break;
      }
      workflows.set(name, nested);
      const below = measured ?? visit(nested, [...above, workflow.name], step);
      depth = Math.max(depth, 1 + below.depth);
      steps += below.steps;
      if (above.length + 1 + below.depth > workflowLimits.depth) problem ??= { kind: "too_deep", step, detail: name };
      else if (steps > workflowLimits.runSteps) problem ??= { kind: "too_many", step, detail: name };
    }
    const measure = { depth, steps };
    measures.set(workflow.name, measure);
    return measure;
  };
  visit(root, [], null);
  return problem === null ? { ok: true, set: { root, workflows } } : { ok: false, problem };
}

const titleChars = 160;

/** The start of a step's text, on one line. */
export const stepTitle = ({ text }: Pick<WorkflowStep, "text">): string =>
  text
    .trim()
    .split("\n")
    .find((line) => line.trim() !== "")
    ?.trim()
    .slice(0, titleChars) ?? "";

/** The steps as they are drawn; those of nested workflows as far as they are in a set that was resolved, which bounds them. */
export function viewSteps(
  { steps }: Workflow,
  workflows: ReadonlyMap<string, Workflow>,
  depth = 1,
): readonly WorkflowStepView[] {
  return steps.map((step) => {
    const nested = step.kind === "workflow" && depth < workflowLimits.depth ? workflows.get(step.text) : undefined;
    return {
      id: step.id,
      kind: step.kind,
      title: stepTitle(step),
      ...(step.when === undefined ? {} : { when: step.when }),
      ...(step.forEach === undefined ? {} : { repeats: true }),
      ...(step.retry === 0 ? {} : { retry: step.retry }),
      ...(step.mayFail ? { mayFail: true } : {}),
      ...(nested === undefined ? {} : { steps: viewSteps(nested, workflows, depth + 1) }),
    };
  });
}
