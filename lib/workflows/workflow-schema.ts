/** The form of a workflow's file, and the workflow that a file of this form is. */
import * as z from "zod/mini";
import type { Json } from "../events/content";
import {
  isWorkflowName,
  type Workflow,
  type WorkflowInput,
  workflowInputTypes,
  workflowLimits as limits,
  type WorkflowStep,
  type WorkflowStepKind,
  workflowStepKinds,
} from "./workflow";

const identifier = z.string().check(z.regex(/^[a-z][a-z0-9_]{0,39}$/));
const text = z.string().check(z.minLength(1), z.maxLength(limits.textChars));
const line = z.string().check(z.maxLength(500));
const scalar = z.union([z.string().check(z.maxLength(limits.textChars)), z.number(), z.boolean()]);
const json: z.ZodMiniType<Json> = z.json();
const choices = z.array(z.string().check(z.minLength(1), z.maxLength(200))).check(z.minLength(1), z.maxLength(30));
const condition = z.union([z.string().check(z.minLength(1), z.maxLength(1_000)), z.boolean()]);
const outputs = z.optional(z.record(identifier, z.string().check(z.minLength(1), z.maxLength(1_000))));
const duration = z.union([
  z.int().check(z.minimum(1), z.maximum(limits.timeoutSeconds)),
  z.string().check(z.regex(/^[1-9]\d{0,4}[smh]$/)),
]);

const inputSchema = z.strictObject({
  type: z._default(z.enum(workflowInputTypes), "text"),
  description: z._default(line, ""),
  default: z.optional(scalar),
  options: z.optional(choices),
});

const stepSchema = z.strictObject({
  id: z.optional(identifier),
  prompt: z.optional(text),
  run: z.optional(text),
  tool: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  ask: z.optional(text),
  workflow: z.optional(z.string().check(z.refine(isWorkflowName))),
  with: z.optional(z.record(z.string(), json)),
  env: z.optional(z.record(z.string().check(z.regex(/^[A-Za-z_]\w{0,99}$/)), scalar)),
  options: z.optional(choices),
  when: z.optional(condition),
  for_each: z.optional(
    z.union([z.string().check(z.maxLength(1_000)), z.array(scalar).check(z.maxLength(limits.items))]),
  ),
  retry: z._default(z.int().check(z.minimum(0), z.maximum(limits.retries)), 0),
  timeout: z.optional(duration),
  may_fail: z._default(z.boolean(), false),
  outputs,
});

export const workflowSchema = z.strictObject({
  description: z._default(line, ""),
  inputs: z._default(z.record(identifier, inputSchema), {}),
  steps: z.array(stepSchema).check(z.minLength(1), z.maxLength(limits.steps)),
  outputs,
});

type WorkflowFile = z.infer<typeof workflowSchema>;
type StepFile = WorkflowFile["steps"][number];

/** The kinds that a step of the file names; a right one names one. */
export const stepKindsOf = (step: { readonly [K in WorkflowStepKind]?: unknown }): readonly WorkflowStepKind[] =>
  workflowStepKinds.filter((kind) => step[kind] !== undefined);

export function workflowOf(name: string, file: WorkflowFile): Workflow {
  return {
    name,
    description: file.description,
    inputs: Object.entries(file.inputs).map(
      ([input, { options = [], ...rest }]): WorkflowInput => ({
        name: input,
        ...rest,
        options,
      }),
    ),
    steps: file.steps.map(stepOf),
    outputs: file.outputs ?? {},
  };
}

function stepOf(step: StepFile, index: number): WorkflowStep {
  const kind = stepKindsOf(step)[0] ?? "prompt";
  const { when, for_each: forEach, timeout } = step;
  return {
    id: step.id ?? `step_${index + 1}`,
    kind,
    text: step[kind] ?? "",
    with: step.with ?? {},
    env: Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, String(value)])),
    options: step.options ?? [],
    retry: step.retry,
    mayFail: step.may_fail,
    outputs: step.outputs ?? {},
    ...(when === undefined ? {} : { when: String(when) }),
    ...(forEach === undefined ? {} : { forEach: typeof forEach === "string" ? forEach : forEach.map(String) }),
    ...(timeout === undefined ? {} : { timeoutSeconds: secondsOf(timeout) }),
  };
}

const unitSeconds = { s: 1, m: 60, h: 3_600 } as const;

function secondsOf(duration: string | number): number {
  if (typeof duration === "number") return duration;
  const unit = duration.endsWith("h") ? "h" : duration.endsWith("m") ? "m" : "s";
  return Math.min(limits.timeoutSeconds, Number(duration.slice(0, -1)) * unitSeconds[unit]);
}
