/**
 * Finds the next step of a workflow, from its definition and the state of its run alone: the same after a restart. Pure;
 * linear in the steps of the run.
 */
import type { Json } from "../events/content";
import { type AgentError, type ErrorCode, makeError } from "../events/error";
import { evaluateExpression, type ExpressionScope, isTrue, textOfValue } from "./expression/evaluate-expression";
import { ExpressionError } from "./expression/parse-expression";
import { parseCondition, renderJson, renderTemplate, TextTooLargeError } from "./expression/template";
import { readWorkflowInputs, type WorkflowValues } from "./input-values";
import { stepTitle, type WorkflowSet } from "./resolve-workflow";
import { stepCommand } from "./step-command";
import { type Workflow, workflowLimits, type WorkflowStep } from "./workflow";
import type { WorkflowEnd } from "./workflow-events";
import { isStepWithin, type StepRecord, type WorkflowRun } from "./workflow-run";

/** Work of a step, with the values of its expressions. */
type StepWork =
  | { readonly kind: "prompt"; readonly text: string }
  | { readonly kind: "call"; readonly name: string; readonly input: Json }
  | { readonly kind: "ask"; readonly text: string; readonly options: readonly string[] }
  | { readonly kind: "workflow" };

interface StepPlace {
  readonly key: string;
  readonly step: WorkflowStep;
  readonly title: string;
  /** Names that its expressions may use. */
  readonly scope: ExpressionScope;
}

export type NextStep =
  | (StepPlace & { readonly kind: "start"; readonly attempt: number; readonly work: StepWork })
  | (StepPlace & { readonly kind: "skip" })
  /** It cannot be started. */
  | (StepPlace & { readonly kind: "fail"; readonly attempt: number; readonly error: AgentError })
  /** It has begun and has no end yet. */
  | (StepPlace & { readonly kind: "wait"; readonly record: StepRecord })
  /** The workflow that it runs has ended. */
  | (StepPlace & {
      readonly kind: "close";
      readonly outcome: "ok" | "failed" | "stopped";
      readonly outputs: { readonly [name: string]: string };
    })
  | { readonly kind: "end"; readonly reason: Exclude<WorkflowEnd, "interrupted">; readonly error?: AgentError };

type Walk =
  | { readonly next: NextStep }
  | { readonly settled: "ok" | "failed" | "stopped"; readonly scope: ExpressionScope };

export function nextStep({ root, workflows }: WorkflowSet, run: WorkflowRun): NextStep {
  if (run.only !== undefined) {
    const { only } = run;
    const own = walk(root, "", run.inputs, { ...run, passes: only }, workflows);
    if ("next" in own && (own.next.kind === "end" || isStepWithin(own.next.key, only))) return own.next;
  }
  const walked = walk(root, "", run.inputs, run, workflows);
  if (!("next" in walked)) return { kind: "end", reason: walked.settled === "ok" ? "done" : walked.settled };
  const { next } = walked;
  const { only } = run;
  if (only === undefined || next.kind === "end" || isStepWithin(next.key, only) || isStepWithin(only, next.key))
    return next;
  return { kind: "end", reason: "stopped" };
}

/** The step of a key; undefined = the file has none any more. */
export function findStep(
  key: string,
  root: Workflow,
  workflows: ReadonlyMap<string, Workflow>,
): WorkflowStep | undefined {
  let workflow: Workflow | undefined = root;
  let found: WorkflowStep | undefined;
  for (const part of key.split("/")) {
    const id = part.replace(/\[\d+\]$/, "");
    found = workflow?.steps.find((step) => step.id === id);
    workflow = found?.kind === "workflow" ? workflows.get(found.text) : undefined;
  }
  return found;
}

/** `passes` = the one step that is looked for: whatever became of the others, they are passed over. */
type WalkedRun = WorkflowRun & { readonly passes?: string };

function walk(
  workflow: Workflow,
  prefix: string,
  inputs: WorkflowValues,
  run: WalkedRun,
  workflows: ReadonlyMap<string, Workflow>,
): Walk {
  const steps: Record<string, Json> = {};
  for (const step of workflow.steps) {
    const scope: ExpressionScope = { inputs: { ...inputs }, steps };
    const base = `${prefix}${step.id}`;
    const items = itemsOf(step, base, scope);
    if ("error" in items) {
      const record = run.steps.get(base);
      const place = { key: base, step, title: stepTitle(step), scope };
      if (record === undefined) return { next: failStep(place, run, 1, items.error) };
      if (!step.mayFail && !isPassed(base, run)) return { settled: "failed", scope };
      steps[step.id] = aggregate([record], false);
      continue;
    }
    const records: StepRecord[] = [];
    for (const { key, item } of items.list) {
      const own = item === undefined ? scope : { ...scope, item };
      const done = walkStep({ key, step, title: stepTitle(step), scope: own }, run, workflows);
      if ("next" in done || "settled" in done) return done;
      records.push(done.record);
    }
    steps[step.id] = aggregate(records, step.forEach !== undefined);
  }
  return { settled: "ok", scope: { inputs: { ...inputs }, steps } };
}

type WalkedStep = Walk | { readonly record: StepRecord };

function walkStep(place: StepPlace, run: WalkedRun, workflows: ReadonlyMap<string, Workflow>): WalkedStep {
  const { key, step, scope } = place;
  const record = run.steps.get(key);
  if (isPassed(key, run)) return { record: record ?? notBegun(place) };
  if (record === undefined) return { next: begin(place, run, workflows, 1) };
  switch (record.state) {
    case "ok":
      // A workflow's outputs were computed when it ended.
      return step.kind === "workflow"
        ? { record }
        : { record: { ...record, outputs: stepOutputs(place, record.output) } };
    case "skipped":
      return { record };
    case "failed":
      if (record.attempt <= step.retry) return { next: begin(place, run, workflows, record.attempt + 1) };
      return step.mayFail ? { record } : { settled: "failed", scope };
    case "stopped":
      return { settled: "stopped", scope };
    case "unknown":
      return { next: { kind: "wait", ...place, record } };
    case "running":
      return step.kind === "workflow"
        ? walkNested(place, run, workflows)
        : { next: { kind: "wait", ...place, record } };
  }
}

const isPassed = (key: string, { passes }: WalkedRun): boolean =>
  passes !== undefined && !isStepWithin(key, passes) && !isStepWithin(passes, key);

const notBegun = ({ key, step: { kind }, title }: StepPlace): StepRecord => ({
  key,
  kind,
  title,
  state: "skipped",
  attempt: 0,
  seq: 0,
  startedAt: 0,
  output: "",
  outputs: {},
});

function walkNested(place: StepPlace, run: WalkedRun, workflows: ReadonlyMap<string, Workflow>): Walk {
  const { key, step, scope } = place;
  const nested = workflows.get(step.text);
  const inputs = nested === undefined ? null : nestedInputs(nested, step, scope);
  if (nested === undefined || inputs?.ok !== true)
    return { next: { kind: "close", ...place, outcome: "failed", outputs: {} } };
  const inner = walk(nested, `${key}/`, inputs.values, run, workflows);
  if ("next" in inner) return inner;
  const outputs = inner.settled === "ok" ? evaluateOutputs(nested.outputs, inner.scope) : {};
  return { next: { kind: "close", ...place, outcome: inner.settled, outputs } };
}

/** null = the values of its inputs cannot be computed any more. */
function nestedInputs(nested: Workflow, step: WorkflowStep, scope: ExpressionScope) {
  try {
    return readWorkflowInputs(nested.inputs, renderedInputs(step, scope));
  } catch (error) {
    if (error instanceof ExpressionError || error instanceof TextTooLargeError) return null;
    throw error;
  }
}

function renderedInputs(step: WorkflowStep, scope: ExpressionScope): { readonly [name: string]: Json } {
  return Object.fromEntries(Object.entries(step.with).map(([name, value]) => [name, renderJson(value, scope)]));
}

/** It ends the workflow, whether the step may fail or not. */
const tooManySteps: NextStep = {
  kind: "end",
  reason: "failed",
  error: { code: "too_many", detail: String(workflowLimits.runSteps) },
};

/** Whether the run has all the steps that it may have; another attempt is not another step. */
const isFull = ({ key }: StepPlace, { steps }: WorkflowRun): boolean =>
  steps.size >= workflowLimits.runSteps && !steps.has(key);

const failStep = (place: StepPlace, run: WorkflowRun, attempt: number, error: AgentError): NextStep =>
  isFull(place, run) ? tooManySteps : { kind: "fail", ...place, attempt, error };

/** Skips, fails or starts a step that has not begun. */
function begin(
  place: StepPlace,
  run: WorkflowRun,
  workflows: ReadonlyMap<string, Workflow>,
  attempt: number,
): NextStep {
  const { step, scope } = place;
  const failed = (code: ErrorCode, detail?: string): NextStep =>
    failStep(place, run, attempt, makeError(code, detail === undefined ? {} : { detail }));
  if (isFull(place, run)) return tooManySteps;
  try {
    if (step.when !== undefined && !isTrue(evaluateExpression(parseCondition(step.when), scope)))
      return { kind: "skip", ...place };
    const work = workOf(step, scope, workflows);
    if (typeof work === "string") return failed("bad_input", work);
    const { length } = JSON.stringify(work);
    return length > workflowLimits.textChars ? failed("too_large") : { kind: "start", ...place, attempt, work };
  } catch (error) {
    if (error instanceof ExpressionError) return failed("bad_input", error.near);
    if (error instanceof TextTooLargeError) return failed("too_large");
    throw error;
  }
}

/** A text is what cannot be used: the name of a variable or of an input. */
function workOf(
  step: WorkflowStep,
  scope: ExpressionScope,
  workflows: ReadonlyMap<string, Workflow>,
): StepWork | string {
  switch (step.kind) {
    case "prompt":
      return { kind: "prompt", text: renderTemplate(step.text, scope) };
    case "ask":
      return { kind: "ask", text: renderTemplate(step.text, scope), options: step.options };
    case "workflow": {
      const nested = workflows.get(step.text);
      if (nested === undefined) return step.text;
      const inputs = readWorkflowInputs(nested.inputs, renderedInputs(step, scope));
      return inputs.ok ? { kind: "workflow" } : inputs.fault.input;
    }
    case "tool":
      return { kind: "call", name: step.text, input: renderJson(step.with, scope) };
    case "run": {
      const env = Object.entries(step.env).map(([name, text]) => [name, renderTemplate(text, scope)] as const);
      const wrong = env.find(([, value]) => value.includes("\0"));
      if (wrong !== undefined) return wrong[0];
      const command = stepCommand(step.text, env);
      const input: Json = step.timeoutSeconds === undefined ? { command } : { command, timeout: step.timeoutSeconds };
      return { kind: "call", name: "bash", input };
    }
  }
}

interface StepItem {
  readonly key: string;
  /** undefined = the step has no items. */
  readonly item?: Json;
}

function itemsOf(
  step: WorkflowStep,
  base: string,
  scope: ExpressionScope,
): { readonly list: readonly StepItem[] } | { readonly error: AgentError } {
  if (step.forEach === undefined) return { list: [{ key: base }] };
  try {
    const value: Json =
      typeof step.forEach === "string" ? evaluateExpression(parseCondition(step.forEach), scope) : step.forEach;
    const list: readonly Json[] = Array.isArray(value)
      ? value
      : textOfValue(value)
          .split("\n")
          .filter((line) => line.trim() !== "");
    if (list.length > workflowLimits.items)
      return { error: { code: "too_many", detail: String(workflowLimits.items) } };
    return { list: list.map((item, index) => ({ key: `${base}[${index}]`, item })) };
  } catch (error) {
    if (error instanceof ExpressionError) return { error: { code: "bad_input", detail: error.near } };
    throw error;
  }
}

/** Returns the fields of a step that later expressions can use. */
function aggregate(records: readonly StepRecord[], isList: boolean): Json {
  const last = records.at(-1);
  return {
    output: records.map(({ output }) => output).join("\n"),
    ok: records.every(({ state }) => state === "ok"),
    skipped: records.every(({ state }) => state === "skipped"),
    exit: last?.exit ?? null,
    outputs: { ...last?.outputs },
    ...(isList ? { items: records.map(({ output, outputs }) => ({ output, outputs: { ...outputs } })) } : {}),
  };
}

const evaluateOutputs = (
  outputs: { readonly [name: string]: string },
  scope: ExpressionScope,
): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(outputs).map(([name, text]) => [name, outputText(text, scope).slice(0, workflowLimits.outputChars)]),
  );

function outputText(text: string, scope: ExpressionScope): string {
  try {
    return textOfValue(evaluateExpression(parseCondition(text), scope));
  } catch (error) {
    if (error instanceof ExpressionError) return "";
    throw error;
  }
}

/** The named outputs of a step that has ended with `output`. */
export const stepOutputs = (
  { step, scope }: Pick<StepPlace, "step" | "scope">,
  output: string,
): { readonly [name: string]: string } => evaluateOutputs(step.outputs, { ...scope, output });
